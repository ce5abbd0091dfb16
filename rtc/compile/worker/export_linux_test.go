//go:build linux && (amd64 || arm64)

package worker

import (
	"time"

	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
)

// SetRunner has workers compile by r.
func SetRunner(r compile.Runner) { runner = r }

// SetProbe has Pools find w, until what it returns is called.
func SetProbe(w jail.Walls) (restore func()) {
	before := probe
	probe = func() jail.Walls { return w }
	return func() { probe = before }
}

// SetFirstWord has programs say a first word so soon, until what it returns is
// called.
func SetFirstWord(d time.Duration) (restore func()) {
	before := firstWord
	firstWord = d
	return func() { firstWord = before }
}
