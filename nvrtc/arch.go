package nvrtc

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An ArchKind says what an architecture is compiled to.
type ArchKind uint8

// The kinds. The zero ArchKind is NoArch.
const (
	NoArch      ArchKind = iota
	VirtualArch          // compute_: PTX, which the driver compiles for its device
	RealArch             // sm_: SASS, machine code; NVRTC makes its PTX too
)

// An Arch is a value of --gpu-architecture: compute_70, sm_90a, compute_100f.
// The zero Arch is none.
//
// Safe for concurrent use after it is made; its fields must not change.
type Arch struct {
	Kind         ArchKind
	Major, Minor int    // the compute capability: 9, 0 of sm_90; 10, 0 of sm_100
	Suffix       string // "a": this capability's own features; "f": its family's; else ""
}

// ParseArch reads an architecture as NVRTC spells it: sm_90a, compute_100f. It
// takes what any NVRTC may know, now or later, and nothing that none reads
// (SM_86, 86, sm86, native, all, lists).
func ParseArch(s string) (Arch, error) {
	var a Arch
	digits, ok := strings.CutPrefix(s, "sm_")
	if a.Kind = RealArch; !ok {
		if digits, ok = strings.CutPrefix(s, "compute_"); !ok {
			return Arch{}, fmt.Errorf("nvrtc: parse architecture %q: want sm_ or compute_ and a number, such as compute_70", s)
		}
		a.Kind = VirtualArch
	}
	if n := len(digits); n > 0 && (digits[n-1] == 'a' || digits[n-1] == 'f') {
		digits, a.Suffix = digits[:n-1], digits[n-1:]
	}
	number, err := archNumber(digits)
	if err != nil {
		return Arch{}, fmt.Errorf("nvrtc: parse architecture %q: %w", s, err)
	}
	a.Major, a.Minor = number/10, number%10
	return a, nil
}

func archNumber(digits string) (int, error) {
	if len(digits) < 2 || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' {
		return 0, errors.New("want a compute capability without its point, such as 70 for 7.0, and then a, f or nothing")
	}
	return strconv.Atoi(digits)
}

// Virtual is the virtual architecture compute_XY for a capability, as
// SupportedArchs lists them.
func Virtual(major, minor int) Arch { return Arch{Kind: VirtualArch, Major: major, Minor: minor} }

// Real is the real architecture sm_XY for a capability.
func Real(major, minor int) Arch { return Arch{Kind: RealArch, Major: major, Minor: minor} }

// Number is the capability without its point: 90 for 9.0, 100 for 10.0.
func (a Arch) Number() int { return a.Major*10 + a.Minor }

// IsZero reports whether a is no architecture.
func (a Arch) IsZero() bool { return a == Arch{} }

// String spells a as NVRTC reads it; "" for the zero Arch.
func (a Arch) String() string {
	prefix := ""
	switch a.Kind {
	case VirtualArch:
		prefix = "compute_"
	case RealArch:
		prefix = "sm_"
	default:
		return ""
	}
	return prefix + strconv.Itoa(a.Number()) + a.Suffix
}

// Compare orders architectures by capability, then suffix (none, a, f), then
// kind; 0 means equal. It says nothing about what runs where: code for sm_90a
// runs on 9.0 alone.
func (a Arch) Compare(b Arch) int {
	return cmp.Or(cmp.Compare(a.Number(), b.Number()), cmp.Compare(a.Suffix, b.Suffix), cmp.Compare(a.Kind, b.Kind))
}
