//go:build (darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64)

package dl

import (
	"fmt"

	"github.com/ebitengine/purego"
)

func cCallback(n int, f func(args []uintptr) uintptr) (uintptr, error) {
	switch n {
	case 0:
		return purego.NewCallback(func() uintptr { return f(nil) }), nil
	case 1:
		return purego.NewCallback(func(a uintptr) uintptr { return f([]uintptr{a}) }), nil
	case 2:
		return purego.NewCallback(func(a, b uintptr) uintptr { return f([]uintptr{a, b}) }), nil
	case 3:
		return purego.NewCallback(func(a, b, c uintptr) uintptr { return f([]uintptr{a, b, c}) }), nil
	case 4:
		return purego.NewCallback(func(a, b, c, d uintptr) uintptr { return f([]uintptr{a, b, c, d}) }), nil
	}
	return 0, fmt.Errorf("dl: callback: %d arguments, at most %d", n, MaxCallbackArgs)
}
