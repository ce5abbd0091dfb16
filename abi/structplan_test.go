package abi

import (
	"reflect"
	"structs"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	s1 struct { // struct S1 { char a; double b; char c; }
		A int8
		B float64
		C int8
	}
	s3     struct{ A, B uint64 }
	nested struct {
		_    structs.HostLayout
		Flag bool
		In   [2]struct {
			H Half
			N int32
		}
		Mode mode
		B    BFloat16
		P    Addr
	}
	padded struct {
		A int32
		_ [12]byte
		V [4]float32
	}
)

func TestSetStruct(t *testing.T) {
	for _, c := range []struct {
		name string
		slot Slot
		v    any
		want []byte
	}{
		{"k_s1", Slot{0, 24, 8}, s1{1, 2, 3}, le(int8(1), [7]byte{}, 2.0, int8(3), [7]byte{})},
		{"k_s3, aligned beyond Go", Slot{0, 16, 16}, s3{1, 2}, le(uint64(1), uint64(2))},
		{"k_empty", Slot{0, 1, 1}, struct{}{}, []byte{0}},
		{"k_pk, bytes for what is packed", Slot{0, 5, 1}, struct {
			A int8
			B [4]uint8
		}{1, [4]uint8{2, 0, 0, 0}}, le(int8(1), int32(2))},
		{"k_cplx as a struct", Slot{0, 8, 4}, struct{ Re, Im float32 }{1, 2}, le(float32(1), float32(2))},
		{"k_half", Slot{0, 2, 2}, Half(0x3c00), le(uint16(0x3c00))},
		{"k_half as a struct", Slot{0, 2, 2}, struct{ X uint16 }{7}, le(uint16(7))},
		{"nested", Slot{0, 32, 8}, nested{
			Flag: true,
			In: [2]struct {
				H Half
				N int32
			}{{1, 2}, {3, 4}}, Mode: 5, B: 6, P: 7},
			le(true, [3]byte{}, uint16(1), uint16(0), int32(2), uint16(3), uint16(0), int32(4), uint8(5), uint8(0), uint16(6), uint64(7))},
		{"padding as fields", Slot{0, 32, 16}, padded{A: 1, V: [4]float32{1, 2, 3, 4}}, le(int32(1), [12]byte{}, [4]float32{1, 2, 3, 4})},
		{"tail padding of a larger alignment", Slot{0, 16, 16}, [3]float32{1, 2, 3}, le([4]float32{1, 2, 3, 0})},
		{"array", Slot{0, 24, 8}, [3]float64{1, 2, 3}, le(1.0, 2.0, 3.0)},
		{"array of padded structs", Slot{0, 48, 8}, [2]s1{{1, 2, 3}, {4, 5, 6}}, le(int8(1), [7]byte{}, 2.0, int8(3), [7]byte{}, int8(4), [7]byte{}, 5.0, int8(6), [7]byte{})},
		{"complex at its own multiple", Slot{0, 16, 8}, struct {
			A, B float32
			Z    complex64
		}{1, 2, 3 + 4i}, le([4]float32{1, 2, 3, 4})},
		{"unknown alignment", Slot{0, 24, 0}, s1{1, 2, 3}, le(int8(1), [7]byte{}, 2.0, int8(3), [7]byte{})},
		{"unexported and blank fields", Slot{0, 12, 4}, struct {
			a int32
			_ int32
			b int32
		}{1, 2, 3}, le(int32(1), int32(0), int32(3))},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := NewBuffer("k", mustParse(t, "struct S v"), []Slot{{0, c.slot.Size, c.slot.Align}})
			require.NoError(t, err)
			for range 2 { // the second time by the cached plan
				for i := range b.Bytes() {
					b.Bytes()[i] = 0x5a
				}
				require.NoError(t, b.Set(0, c.v))
				require.Equal(t, c.want, b.Bytes())
			}
		})
	}
}

func TestSetStructRefuses(t *testing.T) {
	type inner struct{ P *int }
	for _, c := range []struct {
		slot Slot
		v    any
		want string
	}{
		{Slot{0, 16, 8}, struct {
			A int32
			N int
		}{}, "field N: the size of int depends on the platform; use a sized type such as int32"},
		{Slot{0, 16, 8}, struct{ U uint }{}, "field U: the size of uint depends on the platform; use a sized type such as uint32"},
		{Slot{0, 16, 8}, struct{ U uintptr }{}, "field U: the size of uintptr depends"},
		{Slot{0, 8, 8}, struct{ In [2]inner }{}, "field In[0].P: *int is host memory, which the device can't read; use abi.Addr"},
		{Slot{0, 8, 8}, struct{ S string }{}, "field S: string has no counterpart in C++"},
		{Slot{0, 8, 8}, struct{ S []int32 }{}, "field S: []int32 has no counterpart"},
		{Slot{0, 8, 8}, struct{ M map[int]int }{}, "field M: map[int]int has no counterpart"},
		{Slot{0, 8, 8}, struct{ F func() }{}, "field F: func() has no counterpart"},
		{Slot{0, 8, 8}, struct{ C chan int }{}, "field C"},
		{Slot{0, 8, 8}, struct{ E any }{}, "field E"},
		{Slot{0, 8, 8}, [2]int{}, "the size of int depends"},
		{Slot{0, 8, 8}, struct {
			A int32
			Z [0]int32
		}{}, "field Z: [0]int32 has no size in Go"},
		{Slot{0, 8, 8}, struct {
			A int32
			E struct{}
		}{}, "field E: struct {} has no size in Go, and one byte in C++"},
		{Slot{0, 16, 4}, struct {
			A float32
			Z complex64
			B float32
		}{}, "field Z: a complex64 at byte 4, where C++ libraries differ"},
		{Slot{0, 24, 4}, [2]struct {
			Z complex64
			A float32
		}{}, "has 12 bytes, or more where C++ libraries align its complex numbers otherwise; pad it to a multiple of 8"},
		{Slot{0, 5, 1}, struct {
			A int8
			B int32
		}{}, "it has 8 bytes by C's rules, but the compiled kernel takes 5 (aligned to 1)"},
		{Slot{0, 32, 16}, struct {
			A float32
			V [4]float32
		}{}, "it has 20 bytes by C's rules, but the compiled kernel takes 32 (aligned to 16); Go has no alignment beyond the natural one, so write the padding as fields: _ [n]byte"},
		{Slot{0, 16, 8}, struct {
			Z complex64
			A float32
		}{}, "it has 12 bytes by C's rules, but the compiled kernel takes 16"},
		{Slot{0, 32, 16}, s1{}, "it has 24 bytes by C's rules, but the compiled kernel takes 32 (aligned to 16)"},
		{Slot{0, 8, 4}, struct{ D float64 }{}, "it is aligned to 8 by C's rules, but the compiled kernel's type only to 4"},
		{Slot{0, 32, 0}, s1{}, "it has 24 bytes by C's rules, but the compiled kernel takes 32 (aligned to 0)"},
		{Slot{0, 16, 8}, s1{}, "it has 24 bytes"},
		{Slot{0, 2, 1}, struct{}{}, "it has 0 bytes"},
		{Slot{0, 24, 8}, &s1{}, "pass what the pointer points to"},
		{Slot{0, 8, 8}, 1.0, "the parameter takes a Go struct of 8 bytes, or abi.Raw"},
		{Slot{0, 4, 4}, int32(1), "the parameter takes a Go struct of 4 bytes"},
		{Slot{0, 4, 4}, nil, "the parameter is a value, not a pointer: pass a Go struct of 4 bytes"},
	} {
		b := newBuffer(t, "struct S v", c.slot)
		for range 2 {
			err := b.Set(0, c.v)
			require.ErrorContains(t, err, c.want, "%T", c.v)
			require.ErrorContains(t, err, "abi: kernel k: argument 0 (v): want struct S, got ")
		}
	}
	require.ErrorContains(t, newBuffer(t, "int n").Set(0, s1{}), "takes an integer")
}

// On 64-bit machines Go's own layout of a struct is C's.
func TestPlanAgreesWithGo(t *testing.T) {
	if reflect.TypeFor[uintptr]().Size() != 8 {
		t.Skip("Go aligns 8-byte numbers to 4 here")
	}
	for _, v := range []any{s1{}, s3{}, nested{}, padded{}, [7]s1{}, struct {
		A [3]bool
		B E4M3
		C int16
		D [2]nested
	}{}} {
		typ := reflect.TypeOf(v)
		p := planFor(typ)
		require.NoError(t, p.err)
		require.Equal(t, int(typ.Size()), p.size, typ)
		require.Equal(t, typ.Align(), p.align, typ)
		for _, r := range p.runs {
			require.Equal(t, r.src, r.dst)
		}
	}
	require.Len(t, planFor(reflect.TypeFor[[1000]float32]()).runs, 1)
}

// Plans are made once for a type, whatever the goroutines do.
func TestPlansAreShared(t *testing.T) {
	type local struct{ A, B int32 }
	got := make([]*structPlan, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			got[i] = planFor(reflect.TypeFor[local]())
			b := newBuffer(t, "struct L l", Slot{0, 8, 4})
			for n := range int32(100) {
				if b.Set(0, local{n, int32(i)}) != nil || b.Bytes()[0] != byte(n) || b.Bytes()[4] != byte(i) {
					t.Error("mixed up")
				}
			}
		})
	}
	wg.Wait()
	for _, p := range got {
		require.Same(t, got[0], p)
	}
}
