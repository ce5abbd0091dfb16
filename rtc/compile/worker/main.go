package worker

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
)

// variable has a process be a worker; its value is a setup.
const variable = "PURECUDA_COMPILE_WORKER"

// called is set by Main: this program can be executed again as a worker.
var called atomic.Bool

// NVRTC is to run on the main thread, whose stack grows as far as the limit says.
// Only before main does the main goroutine surely run there.
func init() {
	if os.Getenv(variable) != "" {
		runtime.LockOSThread()
	}
}

// Main makes a compile worker of a process that a Pool started, and then doesn't
// return. In all other processes it returns at once, and tells Pools that they
// can start workers from this program. It belongs first in main, or in TestMain:
// all that comes before it is done in every worker too.
func Main() {
	called.Store(true)
	value := os.Getenv(variable)
	if value == "" {
		return
	}
	s, err := decodeSetup(value)
	if err == nil {
		err = s.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(exitFailed)
	}
	os.Exit(0)
}

// exitFailed is the exit code of a worker that could not begin.
const exitFailed = 3
