package worker

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"

	"github.com/purecuda/purecuda/rtc/child/jail"
)

// A setup is what a worker is told by its environment.
type setup struct {
	again   bool   // it has executed itself again
	library string // NVRTC's file
	stack   int64  // Config.Stack
	walls   jail.Walls
	read    []string // where there is Landlock, what may be read
}

func (s setup) encode() string {
	parts := [][]byte{
		[]byte(protocol), strconv.AppendBool(nil, s.again), []byte(s.library), strconv.AppendInt(nil, s.stack, 10),
		strconv.AppendInt(nil, int64(s.walls.Landlock), 10), strconv.AppendBool(nil, s.walls.Seccomp), pack(s.read...),
	}
	return base64.RawURLEncoding.EncodeToString(pack(parts...))
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
	if len(parts) != 7 {
		return setup{}, errors.New("the setup has a part too few or too many")
	}
	s := setup{library: parts[2]}
	var errs [5]error
	s.again, errs[0] = strconv.ParseBool(parts[1])
	s.stack, errs[1] = strconv.ParseInt(parts[3], 10, 64)
	s.walls.Landlock, errs[2] = strconv.Atoi(parts[4])
	s.walls.Seccomp, errs[3] = strconv.ParseBool(parts[5])
	s.read, errs[4] = texts([]byte(parts[6]))
	return s, errors.Join(errs[:]...)
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
