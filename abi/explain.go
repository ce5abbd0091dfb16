package abi

import (
	"fmt"
	"math"
	"reflect"
)

// explain makes the text that says why v was refused.
func (a *arg) explain(v any, why reason) string {
	switch why {
	case whyRange:
		return fmt.Sprintf("%v is outside %s", v, a.rangeText())
	case whyFraction:
		return fmt.Sprintf("%v is no integer", v)
	case whyOverflow:
		return fmt.Sprintf("%v is too large, and would become infinite; the largest is %v", v, a.largest())
	case whyNoInfinity:
		return "the type has no infinity"
	case whyImaginary:
		return fmt.Sprintf("%v has an imaginary part, the parameter none; give the real one", v)
	case whyPlan:
		plan := planFor(reflect.TypeOf(v))
		if plan.err != nil {
			return plan.err.Error()
		}
		return a.misfit(plan)
	case whySize:
		size := len(rawBytes(v))
		if _, raw := v.(Raw); !raw {
			size = int(reflect.TypeOf(v).Size())
		}
		return fmt.Sprintf("it has %s, the compiled kernel takes %d", counted(size, "byte"), a.size)
	}
	return a.kindText(v)
}

func rawBytes(v any) []byte {
	b, _ := v.(Raw)
	return b
}

var devicePointer = reflect.TypeFor[DevicePointer]()

// kindText says what to do about a value of another kind.
func (a *arg) kindText(v any) string {
	_, array := v.(DevicePointer)
	var kind reflect.Kind
	if v != nil {
		kind = reflect.TypeOf(v).Kind()
	}
	if a.op == opPointer {
		switch t := reflect.TypeOf(v); {
		case kind == reflect.Pointer && t.Elem().Implements(devicePointer):
			return "that points to an array's own pointer: pass what it points to"
		case v != nil && reflect.PointerTo(t).Implements(devicePointer):
			return "pass its address, which is the array: not x but &x"
		}
		switch kind {
		case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.Array:
			return "that is host memory, which the kernel can't reach: copy it into an array on the device (rtc.FromSlice) and pass that"
		case reflect.String:
			return "text is host memory, which the kernel can't reach: copy its bytes into an array on the device (rtc.FromSlice) and pass that"
		case reflect.Uintptr:
			return "a uintptr is an address of the host; write abi.Addr(x) if it is one of the device"
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			return "a number is no pointer: pass an array on the device, or abi.Addr for an address of device memory"
		}
		return "a pointer takes an array on the device, an abi.Addr or nil"
	}
	switch {
	case array, v == nil:
		return "the parameter is a value, not a pointer: pass " + a.takes()
	case kind == reflect.Pointer:
		return "the parameter is a value, not a pointer: pass what the pointer points to"
	}
	if _, addr := v.(Addr); addr {
		return "the parameter is a value, not a pointer: pass " + a.takes()
	}
	return "the parameter takes " + a.takes()
}

// takes names the Go values that the parameter takes.
func (a *arg) takes() string {
	switch a.op {
	case opBool:
		return "a bool, 0 or 1"
	case opInt, opUint, opEnum:
		return "an integer"
	case opFloat:
		return "a number"
	case opComplex:
		return "a complex number"
	}
	switch a.kind {
	case Vector:
		return fmt.Sprintf("an array of %d numbers of type %s", a.size/a.dtype.Size(), a.dtype)
	case Struct:
		return fmt.Sprintf("a Go struct of %s, or abi.Raw", counted(a.size, "byte"))
	}
	return fmt.Sprintf("a Go struct or sized integer of %s, or abi.Raw; if its type is an alias of a number, state the signature", counted(a.size, "byte"))
}

// rangeText writes the integers that the parameter takes.
func (a *arg) rangeText() string {
	bits := uint(8 * a.size)
	low, high := int64(math.MinInt64)>>(64-bits), uint64(math.MaxUint64)>>(64-bits)
	switch a.op {
	case opBool:
		return "0 and 1"
	case opInt:
		high /= 2
	case opUint:
		low = 0
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// largest returns the largest finite value of the parameter's type.
func (a *arg) largest() float64 {
	switch a.dtype {
	case Float16:
		return half.widen(half.max)
	case BF16:
		return bf16.widen(bf16.max)
	case Float8E4M3:
		return e4m3.widen(e4m3.max)
	case Float8E5M2:
		return e5m2.widen(e5m2.max)
	case Float32, Complex64:
		return math.MaxFloat32
	}
	return math.MaxFloat64
}
