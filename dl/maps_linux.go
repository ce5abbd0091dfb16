//go:build linux && (amd64 || arm64)

package dl

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

// A mapping is a range of the process's addresses, up to but without end.
type mapping struct {
	start, end uintptr
	prot       uintptr // PROT_READ, PROT_WRITE, PROT_EXEC
}

// mappings are the process's, in order of address, when they were read.
// Memory is looked at through them alone, so that a table which is not what
// it seems gives an error and no fault.
type mappings []mapping

func readMaps() (mappings, error) {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	return parseMaps(text)
}

// parseMaps reads lines like "7f1200000000-7f1200021000 rw-p 00000000 00:00 0  [heap]".
func parseMaps(text []byte) (mappings, error) {
	var m mappings
	for line := range bytes.Lines(text) {
		span, rest, _ := bytes.Cut(line, []byte(" "))
		from, to, _ := bytes.Cut(span, []byte("-"))
		start, err1 := strconv.ParseUint(string(from), 16, 64)
		end, err2 := strconv.ParseUint(string(to), 16, 64)
		if err1 != nil || err2 != nil || start >= end || len(rest) < 4 {
			return nil, fmt.Errorf("/proc/self/maps: a line that can't be read: %q", line)
		}
		if n := len(m); n > 0 && uintptr(start) < m[n-1].end {
			return nil, fmt.Errorf("/proc/self/maps: a line out of order: %q", line)
		}
		at := mapping{start: uintptr(start), end: uintptr(end)}
		for i, prot := range []uintptr{syscall.PROT_READ, syscall.PROT_WRITE, syscall.PROT_EXEC} {
			if rest[i] == "rwx"[i] {
				at.prot |= prot
			}
		}
		m = append(m, at)
	}
	return m, nil
}

// find is the mapping that addr lies in, zero if in none.
func (m mappings) find(addr uintptr) mapping {
	i, ok := slices.BinarySearchFunc(m, addr, func(at mapping, addr uintptr) int {
		switch {
		case addr < at.start:
			return 1
		case addr >= at.end:
			return -1
		}
		return 0
	})
	if !ok {
		return mapping{}
	}
	return m[i]
}

// view gives the n bytes at addr as they lie in memory, not a copy.
func (m mappings) view(addr, n uintptr) ([]byte, error) {
	if addr+n < addr || n > 1<<30 {
		return nil, fmt.Errorf("%d bytes at %#x: no such range", n, addr)
	}
	for at := addr; at < addr+n; {
		in := m.find(at)
		if in.prot&syscall.PROT_READ == 0 {
			return nil, fmt.Errorf("%d bytes at %#x: not in readable memory", n, addr)
		}
		at = in.end
	}
	// The detour through &addr says that this is no Go memory.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n), nil
}

// word gives the word at addr, in place.
func (m mappings) word(addr uintptr) (*uintptr, error) {
	if addr%8 != 0 {
		return nil, fmt.Errorf("the word at %#x: not aligned", addr)
	}
	b, err := m.view(addr, 8)
	if err != nil {
		return nil, err
	}
	return (*uintptr)(unsafe.Pointer(unsafe.SliceData(b))), nil
}
