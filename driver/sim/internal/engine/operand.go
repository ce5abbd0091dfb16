package engine

import (
	"math"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A kind is how an operation looks at a register: its type in the table of forms.
type kind string

// bank is where registers of that kind live.
func (k kind) bank() bank {
	switch k {
	case "pred":
		return bankPred
	case "u64", "s64", "f64", "b64":
		return bank64
	}
	return bank32
}

// bits is the width of a kind.
func (k kind) bits() int {
	switch k {
	case "pred":
		return 1
	case "u8", "s8", "b8":
		return 8
	case "u16", "s16", "b16", "f16", "bf16":
		return 16
	case "u64", "s64", "f64", "b64":
		return 64
	}
	return 32
}

// source is the register that holds an operand: its own, or one with a constant or special register's value.
func (d *decoder) source(x ptx.Operand, k kind) (reg, error) {
	switch x := x.(type) {
	case *ptx.Register:
		r, err := d.register(x.Name, x.Component)
		if err == nil && r.bank != k.bank() {
			return r, d.errorf("%s has not the width of .%s", x.Name, k)
		}
		return r, err
	case *ptx.Not:
		if k != "pred" {
			break
		}
		r, err := d.source(x.X, k)
		if err != nil {
			return r, err
		}
		n := d.tempPred()
		d.emit(op{fn: notPred, d: n.slot, a: r.slot})
		return n, nil
	case *ptx.Special:
		return d.specialReg(x, k)
	case *ptx.Int, *ptx.Float:
		v, err := d.immediate(x, k)
		switch {
		case err != nil:
			return reg{}, err
		case k == "pred":
			n := d.tempPred()
			d.emit(op{fn: setPred, d: n.slot, imm: int64(v)})
			return n, nil
		case k.bank() == bank64:
			return d.const64(v), nil
		}
		return d.const32(uint32(v)), nil
	case *ptx.Symbol:
		return d.symbol(x.Name, x.Offset, k)
	case *ptx.Element:
		return d.symbol(x.Name, x.Index, k)
	}
	return reg{}, d.errorf("%s can't stand here", x)
}

// immediate is a number as the bits of a kind.
func (d *decoder) immediate(x ptx.Operand, k kind) (uint64, error) {
	switch x := x.(type) {
	case *ptx.Int:
		switch k {
		case "f32":
			return uint64(math.Float32bits(float32(x.Value))), nil
		case "f64":
			return math.Float64bits(float64(x.Value)), nil
		}
		if n := k.bits(); n < 64 {
			return uint64(x.Value) & (1<<n - 1), nil
		}
		return uint64(x.Value), nil
	case *ptx.Float:
		switch k {
		case "f64", "b64":
			return math.Float64bits(x.Float64()), nil
		case "f32", "b32":
			if x.Single {
				return x.Bits, nil
			}
			return uint64(math.Float32bits(float32(x.Float64()))), nil
		}
	}
	return 0, d.errorf("%s is no .%s", x, k)
}

// integer is an operand that must be a number in the text.
func (d *decoder) integer(x ptx.Operand) (int64, error) {
	if n, ok := x.(*ptx.Int); ok {
		return n.Value, nil
	}
	return 0, d.errorf("%s is no number", x)
}

// dest is a register that takes a result of a kind.
func (d *decoder) dest(x ptx.Operand, k kind) (reg, error) {
	switch x := x.(type) {
	case *ptx.Register:
		r, err := d.register(x.Name, x.Component)
		if err == nil && r.bank != k.bank() {
			return r, d.errorf("%s has not the width of .%s", x.Name, k)
		}
		return r, err
	case *ptx.Sink:
		switch k.bank() {
		case bankPred:
			return d.tempPred(), nil
		case bank64:
			return d.temp64(), nil
		}
		return d.temp32(), nil
	}
	return reg{}, d.errorf("%s can't take a result", x)
}

// find is the variable of that name, nil if there is none.
func (d *decoder) find(name string) *variable {
	for i := len(d.scopes) - 1; i >= 0; i-- {
		if v := d.scopes[i].vars[name]; v != nil {
			return v
		}
	}
	return d.l.program.globals[name]
}

// symbol is a register that holds the address of a variable in its own space, or a function.
func (d *decoder) symbol(name string, offset int64, k kind) (reg, error) {
	if k.bits() < 32 {
		return reg{}, d.errorf("an address does not fit .%s", k)
	}
	constant := func(v uint64) (reg, error) {
		if k.bank() == bank64 {
			return d.const64(v), nil
		}
		return d.const32(uint32(v)), nil
	}
	v := d.find(name)
	if v == nil {
		if f := d.l.functions[name]; f != nil {
			return constant(f.number)
		}
		return reg{}, d.errorf("%s is not declared", name)
	}
	switch v.space {
	case ptx.SpaceGlobal, ptx.SpaceConst:
		if v.alloc == nil {
			return reg{}, d.errorf("%s is declared extern, and no module defines it", name)
		}
		return constant(v.alloc.Base + uint64(offset))
	case ptx.SpaceShared:
		if v.dynamic {
			r := d.specialSlot(special{what: dynamicShared, bank: k.bank()})
			if offset == 0 {
				return r, nil
			}
			return d.plus(r, offset), nil
		}
		return constant(uint64(v.offset + offset))
	case ptx.SpaceLocal:
		r := d.specialSlot(special{what: localFrame, bank: k.bank()})
		if v.offset+offset == 0 {
			return r, nil
		}
		return d.plus(r, v.offset+offset), nil
	}
	return constant(uint64(v.offset + offset)) // in a parameter space
}

// plus is r with a number added.
func (d *decoder) plus(r reg, n int64) reg {
	if r.bank == bank64 {
		t := d.temp64()
		d.emit(op{fn: addImm64, d: t.slot, a: r.slot, imm: n})
		return t
	}
	t := d.temp32()
	d.emit(op{fn: addImm32, d: t.slot, a: r.slot, imm: n})
	return t
}
