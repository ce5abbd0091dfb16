//go:build linux && (amd64 || arm64)

package dl

import (
	"errors"
	"syscall"
)

// A sockFilter is an instruction of classic BPF, as the kernel takes it.
type sockFilter struct {
	code    uint16
	yes, no uint8 // how many instructions a jump skips
	k       uint32
}

const (
	bpfLoad      = 0x20 // BPF_LD | BPF_W | BPF_ABS
	bpfIfEqual   = 0x15 // BPF_JMP | BPF_JEQ | BPF_K
	bpfIfAtLeast = 0x35 // BPF_JMP | BPF_JGE | BPF_K
	bpfIfMore    = 0x25 // BPF_JMP | BPF_JGT | BPF_K
	bpfReturn    = 0x06 // BPF_RET | BPF_K

	retErrno = 0x00050000 // the call is not made; its errno is the low half: 0, success
	retAllow = 0x7fff0000
)

// Offsets in struct seccomp_data; both halves of a word are loaded, low first.
const (
	dataNumber = 0
	dataArch   = 4
	dataCaller = 8
	dataArg    = 16
	high       = 4
)

// program makes the filter: what it names is answered with success and not
// done, unless the call comes from goText.
func (f Filter) program(goText mapping) ([]sockFilter, error) {
	if goText.end == 0 || goText.start>>32 != (goText.end-1)>>32 {
		return nil, errors.New("the code of Go does not lie where a filter can tell it")
	}
	if len(f.Signals) > 32 || len(f.Limits) > 32 { // jumps reach 255 instructions
		return nil, errors.New("too many signals or limits")
	}
	var p filterProgram
	p.load(dataArch)
	p.jump(bpfIfEqual, auditArch, "number", "allow")
	p.label("number")
	p.load(dataNumber)
	p.jump(bpfIfEqual, syscall.SYS_RT_SIGACTION, "sigaction", "")
	p.jump(bpfIfEqual, syscall.SYS_SETRLIMIT, "setrlimit", "")
	p.jump(bpfIfEqual, sysPrlimit64, "prlimit64", "allow")

	p.label("sigaction") // (signal, new, old, size)
	p.load(dataArg)
	for _, s := range f.Signals {
		p.jump(bpfIfEqual, uint32(s), "sigaction new", "")
	}
	p.jump(bpfIfEqual, 0, "allow", "allow")
	p.label("sigaction new")
	p.ifPointer(1, "caller")

	p.label("prlimit64") // (process, limit, new, old)
	p.load(dataArg + 8)
	for _, l := range f.Limits {
		p.jump(bpfIfEqual, uint32(l), "prlimit64 new", "")
	}
	p.jump(bpfIfEqual, 0, "allow", "allow")
	p.label("prlimit64 new")
	p.ifPointer(2, "caller")

	p.label("setrlimit") // (limit, new)
	p.load(dataArg)
	for _, l := range f.Limits {
		p.jump(bpfIfEqual, uint32(l), "caller", "")
	}
	p.jump(bpfIfEqual, 0, "allow", "allow")

	p.label("caller")
	p.load(dataCaller + high)
	p.jump(bpfIfEqual, uint32(goText.start>>32), "", "swallow")
	p.load(dataCaller)
	p.jump(bpfIfAtLeast, uint32(goText.start), "", "swallow")
	p.jump(bpfIfMore, uint32(goText.end-1), "swallow", "allow")

	p.label("swallow")
	p.code = append(p.code, sockFilter{code: bpfReturn, k: retErrno})
	p.label("allow")
	p.code = append(p.code, sockFilter{code: bpfReturn, k: retAllow})
	return p.resolve(), nil
}

// A filterProgram is BPF on its way: jumps go to labels, which all lie ahead.
type filterProgram struct {
	code   []sockFilter
	jumps  map[int][2]string
	labels map[string]int
}

func (p *filterProgram) load(offset uint32) {
	p.code = append(p.code, sockFilter{code: bpfLoad, k: offset})
}

// jump compares what was loaded with k; "" is the next instruction.
func (p *filterProgram) jump(code uint16, k uint32, yes, no string) {
	if p.jumps == nil {
		p.jumps = map[int][2]string{}
	}
	p.jumps[len(p.code)] = [2]string{yes, no}
	p.code = append(p.code, sockFilter{code: code, k: k})
}

// ifPointer goes to then if the n-th argument is not NULL, else to allow.
func (p *filterProgram) ifPointer(n uint32, then string) {
	p.load(dataArg + 8*n)
	p.jump(bpfIfEqual, 0, "", then)
	p.load(dataArg + 8*n + high)
	p.jump(bpfIfEqual, 0, "allow", then)
}

func (p *filterProgram) label(name string) {
	if p.labels == nil {
		p.labels = map[string]int{}
	}
	p.labels[name] = len(p.code)
}

func (p *filterProgram) resolve() []sockFilter {
	for at, to := range p.jumps {
		skip := func(label string) uint8 {
			if label == "" {
				return 0
			}
			return uint8(p.labels[label] - at - 1)
		}
		p.code[at].yes, p.code[at].no = skip(to[0]), skip(to[1])
	}
	return p.code
}
