package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/purecuda/purecuda/rtc/cache"
)

var extensions = map[cache.Kind]string{cache.PTX: ".ptx", cache.CUBIN: ".cubin", cache.LTOIR: ".ltoir", cache.OptiXIR: ".optixir"}

// place says where each unit's output goes.
func (j *compileJob) place(several bool) error {
	if j.warm || j.list {
		return nil
	}
	folder := strings.HasSuffix(j.out, "/") || strings.HasSuffix(j.out, string(filepath.Separator))
	if info, err := os.Stat(j.out); j.out != "" && err == nil && info.IsDir() {
		folder = true
	} else if folder && errors.Is(err, fs.ErrNotExist) { // a slip in its name makes none
		return usageError("compile", "-o %s: there is no such folder: mkdir makes it", j.out)
	} else if folder && err != nil {
		return usageError("compile", "-o %s: %v", j.out, cause(err))
	}
	if j.out != "" && !folder && len(j.units) > 1 {
		return usageError("compile", "-o %s: there are %d results: name a folder, with / at its end", j.out, len(j.units))
	}
	from := map[string]*unit{}
	for _, u := range j.units {
		stem := strings.TrimSuffix(filepath.Base(u.file), filepath.Ext(u.file))
		if several {
			stem += "." + u.arch.String()
		}
		switch {
		case j.out == "" && u.file == "-" && !several && !j.json:
			u.out = "-"
		case u.file == "-" && (j.out == "" || folder):
			return usageError("compile", "standard input has no name that its output could have: give -o FILE for one architecture")
		case j.out == "" || folder:
			u.out = filepath.Join(j.out, stem+extensions[u.kind])
		default:
			u.out = j.out
		}
		if other := from[u.out]; other != nil {
			return usageError("compile", "%s for %v and %s for %v would both be written to %s", other.file, other.arch, u.file, u.arch, u.out)
		}
		if file, err := os.Stat(u.file); err == nil {
			if out, err := os.Stat(u.out); err == nil && os.SameFile(file, out) {
				return usageError("compile", "-o %s is the source", u.out)
			}
		}
		from[u.out] = u
	}
	return nil
}
