//go:build amd64 || arm64

package jail

// An instruction of classic BPF, as the kernel takes it.
type instruction struct {
	code    uint16
	yes, no uint8 // how many instructions a jump skips
	k       uint32
}

const (
	bpfLoad    = 0x20 // BPF_LD | BPF_W | BPF_ABS
	bpfAnd     = 0x54 // BPF_ALU | BPF_AND | BPF_K
	bpfIfEqual = 0x15 // BPF_JMP | BPF_JEQ | BPF_K
	bpfIfBits  = 0x45 // BPF_JMP | BPF_JSET | BPF_K
	bpfReturn  = 0x06 // BPF_RET | BPF_K
)

// What becomes of a call.
const (
	killProcess = 0x80000000
	fail        = 0x00050000 // with the errno that is the low half
	pass        = 0x7fff0000
)

// Offsets in struct seccomp_data. Of an argument the low half is first.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16
)

// A check is of 32 bits of an argument: those of mask are to be value.
type check struct {
	offset      uint32
	mask, value uint32
}

// low checks the low half of the n-th argument, which is all that the kernel looks
// at if it is an int.
func low(n, mask, value uint32) check { return check{dataArgs + 8*n, mask, value} }

// null checks that the n-th argument is no pointer.
func null(n uint32) []check {
	return []check{low(n, all, 0), {dataArgs + 8*n + 4, all, 0}}
}

const all = ^uint32(0)

// A rule says when a system call passes: if all checks of one of its ways hold.
// With no ways it always does.
type rule struct {
	number uint32
	ways   [][]check
}

// appendTo adds the rule to a program which has the call's number loaded; if it is
// another, that stays so.
func (r rule) appendTo(program []instruction, otherwise uint32) []instruction {
	var body []instruction
	for _, way := range r.ways {
		size := 1 // of what passes if the checks hold
		for _, c := range way {
			size += c.size()
		}
		for _, c := range way {
			size -= c.size()
			body = append(body, instruction{code: bpfLoad, k: c.offset})
			if c.mask != all {
				body = append(body, instruction{code: bpfAnd, k: c.mask})
			}
			body = append(body, instruction{code: bpfIfEqual, no: uint8(size), k: c.value})
		}
		body = append(body, instruction{code: bpfReturn, k: pass})
	}
	if len(r.ways) == 0 {
		otherwise = pass
	}
	body = append(body, instruction{code: bpfReturn, k: otherwise})
	program = append(program, instruction{code: bpfIfEqual, no: uint8(len(body)), k: r.number})
	return append(program, body...)
}

func (c check) size() int {
	if c.mask != all {
		return 3
	}
	return 2
}
