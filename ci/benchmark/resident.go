//go:build !rtcalone

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// grown waits for a child of this process to hold the memory that one is to have when it is killed; ended is its early end.
func grown(ended <-chan error) (pid int, err error) {
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(time.Millisecond) {
		select {
		case err := <-ended:
			return 0, fmt.Errorf("a compile that was to take long ended: %w", err)
		default:
		}
		for _, pid := range childrenOf(os.Getpid()) {
			if n := resident(pid); n > mostHeld {
				return 0, fmt.Errorf("a worker has %d MB before it was seen to have %d", n>>20, leastHeld>>20)
			} else if n > leastHeld {
				return pid, nil
			}
		}
	}
	return 0, errors.New("no worker has grown within a minute")
}

// childrenOf are the children of a process, dead ones too.
func childrenOf(parent int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// pid (name) state parent …; the name may have anything in it.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// resident is the memory that a process holds, in bytes; 0 if it has ended.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// isThere reports whether a process has not been waited for yet.
func isThere(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}
