//go:build linux && (amd64 || arm64)

package child

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// dataSize is how much memory the child has asked for, as RLIMIT_DATA counts it.
func (p *Process) dataSize() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmData: %d kB", &kib); n == 1 {
			return kib << 10, nil
		}
	}
	return 0, errors.New("the system doesn't say how much it has")
}

// usage is Usage of a child that is there. p.mu is held.
func (p *Process) usage() (cpu time.Duration, resident int64) {
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
