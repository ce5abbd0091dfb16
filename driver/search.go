package driver

import (
	"runtime"

	"github.com/purecuda/purecuda/dl"
)

// search opens candidates for libcuda until check takes one.
func search(path string, check func(dl.Resolver) error) error {
	if path == "" {
		path = "libcuda.so.1"
		if runtime.GOOS == "windows" {
			path = "nvcuda.dll"
		}
	}
	lib, err := dl.Open(path)
	if err != nil {
		return err
	}
	return check(lib)
}
