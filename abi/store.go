package abi

import (
	"encoding/binary"
	"math"
)

// A reason says why a value was refused. The text is made only when it is asked for.
type reason uint8

const (
	accepted      reason = iota
	whyKind              // another kind of value
	whyRange             // an integer out of range
	whyFraction          // a float that is no integer
	whyOverflow          // a finite value that would become infinite
	whyNoInfinity        // an infinity for a type without one
	whyImaginary         // a complex number for a real one
	whyPlan              // a Go type that can't be packed
	whySize              // a Go value of another size
)

// setInt converts v to the parameter's type and stores it.
func (a *arg) setInt(v int64) reason {
	switch a.op {
	case opInt:
		if v != v<<a.unused()>>a.unused() {
			return whyRange
		}
	case opUint:
		if v < 0 || uint64(v) != uint64(v)<<a.unused()>>a.unused() {
			return whyRange
		}
	case opEnum:
		// Its sign is not known, so whatever has these bits is right.
		if u := uint64(v); v != v<<a.unused()>>a.unused() && (v < 0 || u != u<<a.unused()>>a.unused()) {
			return whyRange
		}
	case opBool:
		if v != 0 && v != 1 {
			return whyRange
		}
	case opFloat, opComplex:
		if v < 0 {
			return a.setBig(uint64(-v), true)
		}
		return a.setBig(uint64(v), false)
	default:
		return whyKind
	}
	a.put(uint64(v))
	return accepted
}

// setUint converts v to the parameter's type and stores it.
func (a *arg) setUint(v uint64) reason {
	if v <= math.MaxInt64 {
		return a.setInt(int64(v))
	}
	switch a.op {
	case opUint, opEnum:
		if a.size != 8 {
			return whyRange
		}
	case opInt, opBool:
		return whyRange
	case opFloat, opComplex:
		return a.setBig(v, false)
	default:
		return whyKind
	}
	a.put(v)
	return accepted
}

// setBig stores an integer as the nearest float.
func (a *arg) setBig(u uint64, negative bool) reason {
	var f float64
	switch a.dtype {
	case Float64, Complex128:
		f = float64(u)
	case Float32, Complex64:
		f = float64(float32(u))
	default:
		f = oddFloat(u)
	}
	if negative {
		f = -f
	}
	return a.setFloat(f)
}

// setFloat converts v to the parameter's type and stores it.
func (a *arg) setFloat(v float64) reason {
	switch a.op {
	case opFloat:
		bits, why := a.floatBits(v)
		if why == accepted {
			a.put(bits)
		}
		return why
	case opComplex:
		return a.setComplex(complex(v, 0), 0)
	case opInt, opUint, opEnum, opBool:
		switch {
		case v != math.Trunc(v): // NaN, too
			return whyFraction
		case v >= -1<<63 && v < 1<<63:
			return a.setInt(int64(v))
		case v >= 1<<63 && v < 1<<64:
			return a.setUint(uint64(v))
		}
		return whyRange
	}
	return whyKind
}

// floatBits rounds v to the parameter's type.
func (a *arg) floatBits(v float64) (uint64, reason) {
	var s *smallFloat
	switch a.dtype {
	case Float64:
		return math.Float64bits(v), accepted
	case Float32:
		f := narrow32(v)
		if math.IsInf(float64(f), 0) && !math.IsInf(v, 0) {
			return 0, whyOverflow
		}
		return uint64(math.Float32bits(f)), accepted
	case Float16:
		s = &half
	case BF16:
		s = &bf16
	case Float8E4M3:
		s = &e4m3
	case Float8E5M2:
		s = &e5m2
	default:
		return 0, whyKind
	}
	bits := s.round(v)
	if v == v && bits&(s.sign-1) > s.max {
		if !math.IsInf(v, 0) {
			return 0, whyOverflow
		}
		if s.inf == 0 {
			return 0, whyNoInfinity
		}
	}
	return uint64(bits), accepted
}

// setBits stores the bits of a value that is a d already, if that is what the
// parameter takes, and else the value v.
func (a *arg) setBits(d DType, bits uint64, v float64) reason {
	if a.dtype == d && a.op == opFloat || a.op == opBytes && a.kind != Vector && a.size == d.Size() {
		a.put(bits)
		return accepted
	}
	return a.setFloat(v)
}

// setComplex converts v to the parameter's type and stores it. n is the size of
// the Go value: a class that is not known to be complex takes no other.
func (a *arg) setComplex(v complex128, n int) reason {
	var width int
	switch {
	case a.op == opComplex,
		a.op == opBytes && a.kind == Vector && a.size == 2*a.dtype.Size() && (a.dtype == Float32 || a.dtype == Float64),
		a.op == opBytes && a.kind != Vector && a.size == n:
		width = a.size / 2
	case a.op == opBytes, a.op == opPointer:
		return whyKind
	default:
		return whyImaginary
	}
	if width == 8 {
		binary.LittleEndian.PutUint64(a.dst, math.Float64bits(real(v)))
		binary.LittleEndian.PutUint64(a.dst[8:], math.Float64bits(imag(v)))
		return accepted
	}
	re, im := narrow32(real(v)), narrow32(imag(v))
	if math.IsInf(float64(re), 0) && !math.IsInf(real(v), 0) || math.IsInf(float64(im), 0) && !math.IsInf(imag(v), 0) {
		return whyOverflow
	}
	binary.LittleEndian.PutUint32(a.dst, math.Float32bits(re))
	binary.LittleEndian.PutUint32(a.dst[4:], math.Float32bits(im))
	return accepted
}

// setSized stores an integer of n bytes in a parameter of which only the size is
// known. What else is asked of it goes to setInt.
func (a *arg) setSized(v int64, n int) reason {
	if a.kind != Opaque {
		return a.setInt(v)
	}
	if a.size != n {
		return whySize
	}
	a.put(uint64(v))
	return accepted
}

// unused is the number of bits of an int64 that the parameter doesn't have.
func (a *arg) unused() uint { return uint(64 - 8*a.size) }

// put stores the lower bytes of v: hosts of CUDA are little-endian.
func (a *arg) put(v uint64) {
	switch len(a.dst) {
	case 1:
		a.dst[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(a.dst, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(a.dst, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(a.dst, v)
	}
}
