package abi

import (
	"encoding/binary"
	"math"
	"reflect"
)

// Raw is an argument given as its bytes, for whatever is passed by value. There must be
// exactly as many as the compiled kernel takes.
// Safe for concurrent use after it is made; its fields must not change.
type Raw []byte

// Set converts v to argument i's type and stores it. If it fails, with an
// *ArgumentError, the argument stays as it was.
//
// Integers take Go integers and floats that have exactly the value; floats take
// any number and round to the nearest, ties to even, but nothing finite becomes
// infinite; bool takes bool, 0 and 1; complex numbers take complex and real ones.
// Vectors take an array, or a struct, of exactly their numbers. Structs take a Go
// struct or array with the layout that C would give it, without int, uint, uintptr and
// pointers; where the compiled struct is larger, being aligned beyond what Go can say, its
// padding is written as fields (_ [n]byte), unless the whole is no larger than its
// alignment. Enums take integers. A type known by its name only takes a Go struct, array or
// sized integer of its size. Pointers take a DevicePointer, an Addr or nil. Raw
// takes the place of any value. Named types count as the types they are made of.
//
// Set allocates nothing, but making an any of a number that is no constant may: the
// typed setters below avoid that.
func (b *Buffer) Set(i int, v any) error {
	a, err := b.at(i)
	if err != nil {
		return err
	}
	var why reason
	switch x := v.(type) {
	case float64:
		why = a.setFloat(x)
	case float32:
		why = a.setFloat32(x)
	case int:
		why = a.setInt(int64(x))
	case int32:
		why = a.setSized(int64(x), 4)
	case int64:
		why = a.setSized(x, 8)
	case uint32:
		why = a.setSized(int64(x), 4)
	case uint64:
		why = a.setSizedUint(x, 8)
	case uint8:
		why = a.setSized(int64(x), 1)
	case int8:
		why = a.setSized(int64(x), 1)
	case int16:
		why = a.setSized(int64(x), 2)
	case uint16:
		why = a.setSized(int64(x), 2)
	case uint:
		why = a.setUint(uint64(x))
	case bool:
		why = a.setBool(x)
	case Half:
		why = a.setBits(Float16, uint64(x), x.Float64())
	case BFloat16:
		why = a.setBits(BF16, uint64(x), x.Float64())
	case E4M3:
		why = a.setBits(Float8E4M3, uint64(x), x.Float64())
	case E5M2:
		why = a.setBits(Float8E5M2, uint64(x), x.Float64())
	case complex64:
		why = a.setComplex(complex(widen32(real(x)), widen32(imag(x))), 8)
	case complex128:
		why = a.setComplex(x, 16)
	case Raw:
		why = a.setRaw(x)
	case Addr:
		why = a.setPointer(uint64(x))
	case nil:
		why = a.setPointer(0)
	case DevicePointer:
		return b.setArray(i, x)
	default:
		why = a.setNamed(reflect.ValueOf(v))
	}
	if why != accepted {
		return b.fail(i, v, why)
	}
	return nil
}

// SetNumber is Set for the numbers that most launches are given, where they fit
// just as they are: it reports whether it has set argument i, and leaves all else,
// the refusing too, to Set. It is short, since it is run between two calls of C, which
// leave nothing of it in the processor's caches.
func (b *Buffer) SetNumber(i int, v any) bool {
	if uint(i) >= uint(len(b.args)) {
		return false
	}
	a := &b.args[i]
	switch a.op {
	case opFloat:
		if x, ok := v.(float32); ok && a.dtype == Float32 {
			binary.LittleEndian.PutUint32(a.dst, math.Float32bits(x))
			return true
		}
		if x, ok := v.(float64); ok && a.dtype == Float64 {
			binary.LittleEndian.PutUint64(a.dst, math.Float64bits(x))
			return true
		}
	case opInt:
		if len(a.dst) != 4 {
			return false
		}
		if x, ok := v.(int32); ok {
			binary.LittleEndian.PutUint32(a.dst, uint32(x))
			return true
		}
		if x, ok := v.(int); ok && x == int(int32(x)) {
			binary.LittleEndian.PutUint32(a.dst, uint32(x))
			return true
		}
	}
	return false
}

// SetAll sets every argument. The number of values must be that of the parameters,
// else it is a *CountError and nothing is set. If a value is refused, the
// arguments before it are set.
func (b *Buffer) SetAll(args []any) error {
	if len(args) != len(b.args) {
		return &CountError{Kernel: b.kernel, Want: len(b.args), Got: len(args), Signature: b.sig.String()}
	}
	for i, v := range args {
		if err := b.Set(i, v); err != nil {
			return err
		}
	}
	return nil
}

// SetPointer sets a pointer argument to an address of device memory, 0 for null.
func (b *Buffer) SetPointer(i int, addr uint64) error {
	a, err := b.at(i)
	if err != nil {
		return err
	}
	if why := a.setPointer(addr); why != accepted {
		return b.fail(i, Addr(addr), why)
	}
	return nil
}

// SetArray is SetPointer to an array of elem, which must fit as that of a
// DevicePointer must.
func (b *Buffer) SetArray(i int, addr uint64, elem DType) error {
	if b.SetAddress(i, addr, elem) {
		return nil
	}
	a, err := b.at(i)
	switch {
	case err != nil:
		return err
	case a.op != opPointer:
		return b.fail(i, Addr(addr), whyKind)
	}
	e := b.refused(i, Addr(addr))
	e.Msg = b.unfit(i, addr, elem)
	return e
}

// SetAddress is SetArray, but does not say why it has not set the argument.
func (b *Buffer) SetAddress(i int, addr uint64, elem DType) bool {
	if uint(i) >= uint(len(b.args)) {
		return false
	}
	a := &b.args[i]
	if a.op != opPointer || !a.points.fits(addr, elem) || len(a.dst) != 8 {
		return false
	}
	binary.LittleEndian.PutUint64(a.dst, addr)
	return true
}

// SetFloat64 is Set for a float64 and does not make it an any.
func (b *Buffer) SetFloat64(i int, v float64) error {
	a, err := b.at(i)
	if err != nil {
		return err
	}
	if why := a.setFloat(v); why != accepted {
		return b.fail(i, v, why)
	}
	return nil
}

// SetInt64 is Set for an int64 and does not make it an any.
func (b *Buffer) SetInt64(i int, v int64) error {
	a, err := b.at(i)
	if err != nil {
		return err
	}
	if why := a.setSized(v, 8); why != accepted {
		return b.fail(i, v, why)
	}
	return nil
}

// SetUint64 is Set for a uint64 and does not make it an any.
func (b *Buffer) SetUint64(i int, v uint64) error {
	a, err := b.at(i)
	if err != nil {
		return err
	}
	if why := a.setSizedUint(v, 8); why != accepted {
		return b.fail(i, v, why)
	}
	return nil
}

// SetBytes is Set for a Raw.
func (b *Buffer) SetBytes(i int, v []byte) error {
	a, err := b.at(i)
	if err != nil {
		return err
	}
	if why := a.setRaw(v); why != accepted {
		return b.fail(i, Raw(v), why)
	}
	return nil
}

func (a *arg) setFloat32(v float32) reason {
	if a.op == opFloat && a.dtype == Float32 {
		a.put(uint64(math.Float32bits(v)))
		return accepted
	}
	return a.setFloat(widen32(v))
}

func (a *arg) setBool(v bool) reason {
	if a.op != opBool {
		return whyKind
	}
	a.dst[0] = 0
	if v {
		a.dst[0] = 1
	}
	return accepted
}

func (a *arg) setPointer(addr uint64) reason {
	if a.op != opPointer {
		return whyKind
	}
	a.put(addr)
	return accepted
}

func (a *arg) setRaw(v []byte) reason {
	switch {
	case a.op == opPointer:
		return whyKind
	case len(v) != a.size:
		return whySize
	case a.op == opBool && v[0] > 1:
		return whyRange
	}
	copy(a.dst, v)
	return accepted
}

func (a *arg) setSizedUint(v uint64, n int) reason {
	if a.kind == Opaque {
		return a.setSized(int64(v), n)
	}
	return a.setUint(v)
}

// setNamed stores values of types that Set's list does not name.
func (a *arg) setNamed(v reflect.Value) reason {
	switch v.Kind() {
	case reflect.Int:
		return a.setInt(v.Int())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.setSized(v.Int(), int(v.Type().Size()))
	case reflect.Uint:
		return a.setUint(v.Uint())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return a.setSizedUint(v.Uint(), int(v.Type().Size()))
	case reflect.Float32:
		return a.setFloat(widen32(float32(v.Float())))
	case reflect.Float64:
		return a.setFloat(v.Float())
	case reflect.Bool:
		return a.setBool(v.Bool())
	case reflect.Complex64:
		return a.setComplex(v.Complex(), 8)
	case reflect.Complex128:
		return a.setComplex(v.Complex(), 16)
	case reflect.Struct, reflect.Array:
		return a.setStruct(v)
	}
	return whyKind
}
