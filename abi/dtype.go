package abi

import (
	"fmt"
	"reflect"
)

// A DType is the type of an array's elements, or of one lane of a vector.
//
// The zero value, Invalid, is no type; as the element type of a DevicePointer it
// stands for memory whose content is not known, which fits every pointer.
type DType uint8

const (
	Invalid    DType = iota // no type
	Bool                    // one byte, 0 or 1
	Int8                    // signed char
	Int16                   // short
	Int32                   // int
	Int64                   // long long
	Uint8                   // unsigned char
	Uint16                  // unsigned short
	Uint32                  // unsigned int
	Uint64                  // unsigned long long
	Float8E4M3              // __nv_fp8_e4m3; the Go type is E4M3
	Float8E5M2              // __nv_fp8_e5m2; the Go type is E5M2
	Float16                 // __half; the Go type is Half
	BF16                    // __nv_bfloat16; the Go type is BFloat16
	Float32                 // float
	Float64                 // double
	Complex64               // two floats
	Complex128              // two doubles
)

// dtypes holds what is known of each DType, by number.
var dtypes = [...]struct {
	name  string
	c     string
	size  int
	class class
}{
	Invalid:    {"invalid", "void", 0, classNone},
	Bool:       {"bool", "bool", 1, classBool},
	Int8:       {"int8", "int8_t", 1, classInt},
	Int16:      {"int16", "int16_t", 2, classInt},
	Int32:      {"int32", "int32_t", 4, classInt},
	Int64:      {"int64", "int64_t", 8, classInt},
	Uint8:      {"uint8", "uint8_t", 1, classUint},
	Uint16:     {"uint16", "uint16_t", 2, classUint},
	Uint32:     {"uint32", "uint32_t", 4, classUint},
	Uint64:     {"uint64", "uint64_t", 8, classUint},
	Float8E4M3: {"float8_e4m3", "__nv_fp8_e4m3", 1, classFloat},
	Float8E5M2: {"float8_e5m2", "__nv_fp8_e5m2", 1, classFloat},
	Float16:    {"float16", "__half", 2, classFloat},
	BF16:       {"bfloat16", "__nv_bfloat16", 2, classFloat},
	Float32:    {"float32", "float", 4, classFloat},
	Float64:    {"float64", "double", 8, classFloat},
	Complex64:  {"complex64", "cuFloatComplex", 8, classComplex},
	Complex128: {"complex128", "cuDoubleComplex", 16, classComplex},
}

// A class is the kind of numbers a DType holds.
type class uint8

const (
	classNone class = iota
	classBool
	classInt
	classUint
	classFloat
	classComplex
)

// Valid reports whether d is one of the types above, Invalid not among them.
func (d DType) Valid() bool { return d > Invalid && int(d) < len(dtypes) }

// Size returns the size of one element in bytes, 0 for Invalid.
func (d DType) Size() int {
	if !d.Valid() {
		return 0
	}
	return dtypes[d].size
}

// String returns the name as array libraries write it: "float32", "bfloat16".
func (d DType) String() string {
	if int(d) >= len(dtypes) {
		return fmt.Sprintf("DType(%d)", uint8(d))
	}
	return dtypes[d].name
}

// CName returns a CUDA C++ name of the type: "float", "__half", "int64_t". It is
// "void" for Invalid.
func (d DType) CName() string {
	if !d.Valid() {
		return dtypes[Invalid].c
	}
	return dtypes[d].c
}

// ParseDType finds a DType by the name that String gives it.
func ParseDType(name string) (DType, error) {
	for d := Bool; d.Valid(); d++ {
		if dtypes[d].name == name {
			return d, nil
		}
	}
	return Invalid, fmt.Errorf("abi: parse dtype: unknown element type %q", name)
}

// DTypeOf returns the element type for arrays of the Go type T, or Invalid where
// there is none. A named type counts as the type it is made of, but Half, BFloat16,
// E4M3 and E5M2 are floats; int, uint and uintptr have the width that they have on
// this machine.
func DTypeOf[T any]() DType { return DTypeOfType(reflect.TypeFor[T]()) }

// DTypeOfType is DTypeOf for a type known only at run time; nil gives Invalid.
func DTypeOfType(t reflect.Type) DType {
	if t == nil {
		return Invalid
	}
	switch t {
	case typeHalf:
		return Float16
	case typeBFloat:
		return BF16
	case typeE4M3:
		return Float8E4M3
	case typeE5M2:
		return Float8E5M2
	}
	switch t.Kind() {
	case reflect.Bool:
		return Bool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return bySize(t, Int8, Int16, Int32, Int64)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return bySize(t, Uint8, Uint16, Uint32, Uint64)
	case reflect.Float32:
		return Float32
	case reflect.Float64:
		return Float64
	case reflect.Complex64:
		return Complex64
	case reflect.Complex128:
		return Complex128
	}
	return Invalid
}

func bySize(t reflect.Type, one, two, four, eight DType) DType {
	switch t.Size() {
	case 1:
		return one
	case 2:
		return two
	case 4:
		return four
	}
	return eight
}

var (
	typeHalf   = reflect.TypeFor[Half]()
	typeBFloat = reflect.TypeFor[BFloat16]()
	typeE4M3   = reflect.TypeFor[E4M3]()
	typeE5M2   = reflect.TypeFor[E5M2]()
)
