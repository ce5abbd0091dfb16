package child

import (
	"fmt"
	"syscall"
	"time"
)

// An Exit is how a child ended.
//
// Safe for concurrent use after it is made; its fields must not change.
type Exit struct {
	Code   int            // -1: by a signal
	Signal syscall.Signal // 0: by itself; on Windows always
	Killed bool           // by Kill
	CPU    time.Duration  // which it used
	Memory int64          // the most bytes that were resident; on Windows, that it had asked for
	// Stderr is what it wrote there; of much, its beginning and its end.
	Stderr string
}

// String is the end in words: exit code 2, or a signal.
func (e Exit) String() string {
	switch {
	case e.Killed:
		return "it was killed"
	case e.Signal != 0:
		return fmt.Sprintf("signal %d, %s", int(e.Signal), e.Signal)
	}
	if e.Code > 0xffff { // an exception of Windows, which is known by its number in hex
		return fmt.Sprintf("exit code %#x", e.Code)
	}
	return fmt.Sprintf("exit code %d", e.Code)
}
