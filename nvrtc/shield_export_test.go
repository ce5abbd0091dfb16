//go:build linux && (amd64 || arm64)

package nvrtc

import (
	"context"
	"errors"

	"github.com/purecuda/purecuda/dl"
)

// ForceShield lets compilers opened from now on have a lesser shield, or, with
// ShieldNone, none at all where they believe to have the best.
func ForceShield(s Shield) {
	switch s {
	case ShieldNone:
		redirect = func(dl.Resolver) error { return nil }
	case ShieldFilter:
		redirect = func(dl.Resolver) error { return errors.New("no redirection in this test") }
	case ShieldRestore:
		ForceShield(ShieldFilter)
		filter = func(dl.Filter) error { return errors.New("no filter in this test") }
	}
}

// OnThread runs f where the next compile will run.
func (c *Compiler) OnThread(f func()) { _ = c.threads.do(context.Background(), f) }
