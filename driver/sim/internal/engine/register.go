package engine

import (
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A bank is where registers of a width live.
type bank uint8

const (
	noBank bank = iota
	bank32      // 8, 16 and 32 bits
	bank64
	bankPred
)

// bankOf is the bank of registers of a type.
func bankOf(t ptx.Type) bank {
	if t == "pred" {
		return bankPred
	}
	switch t.Bytes() {
	case 1, 2, 4:
		return bank32
	case 8:
		return bank64
	}
	return noBank
}

// A reg is a register of a frame.
type reg struct {
	bank bank
	slot int32
	bits int // 8, 16, 32, 64; 1 for a predicate
}

// newReg takes a place in a bank.
func (d *decoder) newReg(t ptx.Type) reg {
	switch b := bankOf(t); b {
	case bankPred:
		d.f.npred++
		return reg{b, int32(d.f.npred - 1), 1}
	case bank64:
		return d.temp64()
	default:
		d.f.n32++
		return reg{bank32, int32(d.f.n32 - 1), 8 * t.Bytes()}
	}
}

// temp32, temp64 and tempPred take a place for an intermediate result.
func (d *decoder) temp32() reg { return d.newReg("b32") }

func (d *decoder) temp64() reg {
	d.f.n64++
	return reg{bank64, int32(d.f.n64 - 1), 64}
}

func (d *decoder) tempPred() reg { return d.newReg("pred") }

// register finds a register by its name. Those of a range get their place when they are first used.
func (d *decoder) register(name, component string) (reg, error) {
	if component != "" {
		switch component {
		case "r":
			component = "x"
		case "g":
			component = "y"
		case "b":
			component = "z"
		case "a":
			component = "w"
		}
		name += "." + component
	}
	for i := len(d.scopes) - 1; i >= 0; i-- {
		s := d.scopes[i]
		if r, ok := s.regs[name]; ok {
			return r, nil
		}
		for _, v := range s.ranges {
			if inRange(v, name) {
				r := d.newReg(v.Type)
				s.regs[name] = r
				return r, nil
			}
		}
	}
	return reg{}, d.errorf("register %s is not declared", name)
}

// inRange reports whether v declares a register of that name.
func inRange(v *ptx.Variable, name string) bool {
	rest, ok := strings.CutPrefix(name, v.Name)
	n, err := strconv.Atoi(rest)
	return ok && err == nil && n >= 0 && n < v.Count && strconv.Itoa(n) == rest
}

// const32 and const64 are registers that hold a value in all lanes.
func (d *decoder) const32(v uint32) reg {
	slot, ok := d.bits32[v]
	if !ok {
		slot = d.temp32().slot
		d.bits32[v] = slot
		d.f.const32 = append(d.f.const32, constant[uint32]{slot, v})
	}
	return reg{bank32, slot, 32}
}

func (d *decoder) const64(v uint64) reg {
	slot, ok := d.bits64[v]
	if !ok {
		slot = d.temp64().slot
		d.bits64[v] = slot
		d.f.const64 = append(d.f.const64, constant[uint64]{slot, v})
	}
	return reg{bank64, slot, 64}
}
