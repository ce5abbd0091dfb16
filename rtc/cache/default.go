package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// variable names the folder of Default.
const variable = "PURECUDA_CACHE"

// ErrOff is matched by the error of Open for disk: without a folder, where the
// variable PURECUDA_CACHE is "off".
var ErrOff = errors.New("the cache is off (PURECUDA_CACHE)")

// Default is the Disk of programs that name no folder, as of rtc.NewModule and of
// the command: in the folder that the variable PURECUDA_CACHE names, else in that of
// NewDisk. It is nil where the variable is "off"; a nil Disk is a store that has and takes
// nothing.
//
// The variable's folder must be absolute. A relative one would be another for
// each working directory, so that it isn't used: the Disk keeps nothing, and
// Problem says so.
func Default(c OpenConfig) *Disk { return defaultDisk(DiskConfig{Logger: c.Logger}) }

func defaultDisk(c DiskConfig) *Disk {
	folder := os.Getenv(variable)
	if strings.EqualFold(folder, "off") {
		return nil
	}
	c.Dir = folder
	d := NewDisk(c)
	if folder != "" && !filepath.IsAbs(folder) {
		d.dir, d.dirErr = folder, fmt.Errorf(`%s is %q, a relative folder: give it from the root on, or "off"`, variable, folder)
	}
	return d
}
