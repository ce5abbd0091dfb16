package driver

import "github.com/purecuda/purecuda/dl"

// search opens candidates for libcuda until check takes one.
func search(path string, check func(dl.Resolver) error) error {
	_, err := dl.CUDA.OpenChecked(path, func(l *dl.Library) error { return check(l) })
	return err
}
