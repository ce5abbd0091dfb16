package nvrtc

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used. Most
// read what goes wrong, and a program in which nothing does starts the sooner:
// all of them together take 4 ms.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
