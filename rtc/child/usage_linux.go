//go:build linux && (amd64 || arm64)

package child

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Usage is the processor time that the child has used so far and the memory that
// it has now, in bytes. Both are 0 once it has ended.
func (p *Process) Usage() (cpu time.Duration, resident int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return 0, 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.process.Pid))
	if err != nil {
		return 0, 0
	}
	// The name, which may be anything, is in parentheses. Behind them the third
	// field is first: 14 and 15 are user and system time, 24 the resident pages.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	number := func(n int) int64 {
		if n-3 >= len(fields) {
			return 0
		}
		v, _ := strconv.ParseInt(string(fields[n-3]), 10, 64)
		return v
	}
	const tick = 10 * time.Millisecond // on Linux everywhere
	return time.Duration(number(14)+number(15)) * tick, number(24) * int64(os.Getpagesize())
}
