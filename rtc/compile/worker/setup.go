package worker

import (
	"encoding/base64"
	"errors"
	"fmt"
)

// A setup is what a worker is told by its environment.
type setup struct {
	again   bool   // it has executed itself again
	library string // NVRTC's file
}

func (s setup) encode() string {
	again := ""
	if s.again {
		again = "again"
	}
	return base64.RawURLEncoding.EncodeToString(pack(protocol, again, s.library))
}

func decodeSetup(value string) (setup, error) {
	b, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return setup{}, fmt.Errorf("the variable %s, which Pools set, says nothing: %w", variable, err)
	}
	parts, err := unpack(b)
	if err != nil || len(parts) == 0 || string(parts[0]) != protocol {
		return setup{}, fmt.Errorf("this program is of another version than the one that started it: it knows %q", protocol)
	}
	if len(parts) != 3 {
		return setup{}, errors.New("the setup has a part too few or too many")
	}
	return setup{again: len(parts[1]) > 0, library: string(parts[2])}, nil
}

// environment is all that a worker has. The allocator gives memory back to the
// system late: else each compile pays for getting it again.
func (s setup) environment() []string {
	return []string{
		variable + "=" + s.encode(),
		"MALLOC_TRIM_THRESHOLD_=536870912",
		"MALLOC_TOP_PAD_=33554432",
	}
}
