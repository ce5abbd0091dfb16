package engine

import (
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
)

// The most bytes that code may ask for. Of the parameters, constants and static shared memory it is what NVIDIA's assembler takes, of local memory
// what a thread can address on any device.
const (
	maxParams = 32764
	maxShared = 48 << 10
	maxLocal  = 512 << 10
	maxConst  = 64 << 10
)

// fits is an error where a function asks for more than there can be.
func (f *function) fits() error {
	what := "function " + f.name
	if f.source.Entry {
		what = "kernel " + f.name
	}
	for _, x := range []struct {
		what      string
		have, max int64
	}{
		{"parameters", f.source.ParamBytes(), maxParams},
		{"parameters and results of calls", int64(f.params), maxParams},
		{"local memory a thread", int64(f.local), maxLocal},
	} {
		if x.have > x.max || x.have < 0 {
			return fmt.Errorf("PTX line %d: %s has %d bytes of %s, and there can be %d", f.source.Line, what, x.have, x.what, x.max)
		}
	}
	if f.shared > maxShared {
		return fmt.Errorf("PTX line %d: %s uses too much shared data (%#x bytes, %#x max): what is more must be dynamic", f.source.Line, what, f.shared, maxShared)
	}
	for _, name := range []string{"maxntid", "reqntid"} {
		n, _ := f.source.Directive(name)
		for _, x := range n {
			if x == 0 {
				return fmt.Errorf("PTX line %d: %s has a .%s of 0", f.source.Line, what, name)
			}
		}
	}
	return nil
}

// constants is an error where the module has too many.
func (l *loader) constants() error {
	n := int64(0)
	for _, v := range l.program.globals {
		if v.space == ptx.SpaceConst {
			n += v.size
		}
	}
	if n > maxConst {
		return fmt.Errorf("the module has %d bytes of constants, and there can be %d", n, maxConst)
	}
	return nil
}
