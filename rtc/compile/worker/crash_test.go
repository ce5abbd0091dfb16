package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/rtc/child"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A signal is named once.
func TestCrashNamesTheSignalOnce(t *testing.T) {
	e := &worker.CrashError{Input: 7, Reason: "SIGSEGV", Exit: child.Exit{Stderr: "SIGSEGV: segmentation violation\nPC=0\n"}}
	assert.EqualError(t, e, "the compiler crashed, twice, on a source of 7 bytes: SIGSEGV: segmentation violation")
}
