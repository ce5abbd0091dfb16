//go:build !(linux && (amd64 || arm64))

package nvrtc

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/purecuda/purecuda/dl"
)

func (t *threads) raiseShield() {
	t.shield.refused = fmt.Errorf("nvrtc: shield on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func (s *shield) cover(*dl.Thread) {}

func (s *shield) verify() {}
