package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// variable names the folder of Default.
const variable = "PURECUDA_CACHE"

// Default is the Disk of programs that name none, as of rtc.NewModule and of the
// command: in the folder that the variable PURECUDA_CACHE names, else in that of
// NewDisk. It is nil where the variable is "off".
//
// The variable's folder must be absolute. A relative one would be another for
// each working directory, so that it isn't used: the Disk keeps nothing, and
// Problem says so.
func Default(c OpenConfig) *Disk {
	folder := os.Getenv(variable)
	if strings.EqualFold(folder, "off") {
		return nil
	}
	d := NewDisk(DiskConfig{Dir: folder, Logger: c.Logger})
	if folder != "" && !filepath.IsAbs(folder) {
		d.dir, d.dirErr = folder, fmt.Errorf(`%s is %q, a relative folder: give it from the root on, or "off"`, variable, folder)
	}
	return d
}
