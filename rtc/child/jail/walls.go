package jail

import (
	"fmt"
	"strings"
)

// Walls are those that a machine has, for this process and its children. The zero
// Walls are none.
//
// Safe for concurrent use after it is made; its fields must not change.
type Walls struct {
	Landlock   int  // version of Landlock's interface: 1 is of Linux 5.13, 6 of 6.12. 0: none
	Seccomp    bool // system call filters
	Namespaces bool // of a user's own
}

// Probe finds out which walls there are. It changes nothing and leaves nothing
// behind; what it found it knows from then on.
//
// Safe for concurrent use.
func Probe() Walls { return probe() }

// String lists what there is and what there isn't.
func (w Walls) String() string {
	landlock := "no Landlock"
	if w.Landlock > 0 {
		landlock = fmt.Sprintf("Landlock %d", w.Landlock)
	}
	has := func(there bool, what string) string {
		if there {
			return what
		}
		return "no " + what
	}
	return strings.Join([]string{landlock, has(w.Seccomp, "seccomp"), has(w.Namespaces, "user namespaces")}, ", ")
}
