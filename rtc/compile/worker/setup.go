package worker

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
)

// A setup is what a worker is told by its environment.
type setup struct {
	again   bool   // it has executed itself again
	library string // NVRTC's file
	memory  int64  // Config.Memory
	stack   int64  // Config.Stack
}

func (s setup) encode() string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	again := ""
	if s.again {
		again = "again"
	}
	return base64.RawURLEncoding.EncodeToString(pack(protocol, again, s.library, number(s.memory), number(s.stack)))
}

func decodeSetup(value string) (setup, error) {
	b, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return setup{}, fmt.Errorf("the variable %s, which Pools set, says nothing: %w", variable, err)
	}
	parts, err := texts(b)
	if err != nil || len(parts) == 0 || parts[0] != protocol {
		return setup{}, fmt.Errorf("this program is of another version than the one that started it: it knows %q", protocol)
	}
	if len(parts) != 5 {
		return setup{}, errors.New("the setup has a part too few or too many")
	}
	memory, err1 := strconv.ParseInt(parts[3], 10, 64)
	stack, err2 := strconv.ParseInt(parts[4], 10, 64)
	return setup{again: parts[1] != "", library: parts[2], memory: memory, stack: stack}, errors.Join(err1, err2)
}

// environment is all that a worker has. The allocator gives memory back to the
// system late: else each compile pays for getting it again. It asks for huge pages
// (since glibc 2.35, where the system gives them to who asks): of a worker that is
// killed, 400 MB are gone in a tenth of the time.
func (s setup) environment() []string {
	return []string{
		variable + "=" + s.encode(),
		"MALLOC_TRIM_THRESHOLD_=536870912",
		"MALLOC_TOP_PAD_=33554432",
		"GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
	}
}
