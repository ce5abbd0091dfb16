//go:build linux && (amd64 || arm64)

package worker

import "github.com/purecuda/purecuda/rtc/compile"

// SetRunner has workers compile by r.
func SetRunner(r compile.Runner) { runner = r }
