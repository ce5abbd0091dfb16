package abi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSetAllocatesNothing(t *testing.T) {
	b := newBuffer(t, "float *x, float alpha, int n, unsigned long long u, bool f, __half h, double d, float4 v, struct P p",
		Slot{0, 8, 8}, Slot{8, 4, 4}, Slot{12, 4, 4}, Slot{16, 8, 8}, Slot{24, 1, 1}, Slot{26, 2, 2}, Slot{32, 8, 8}, Slot{48, 16, 16}, Slot{64, 8, 4})
	args := []any{&fakeArray{0x1000, Float32, nil}, 3.25, 1 << 20, uint64(1 << 40), true, HalfFromFloat32(2), 1e300, [4]float32{1, 2, 3, 4}, pod{1, 2}}
	require.NoError(t, b.SetAll(args))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if b.SetAll(args) != nil {
			t.Fail()
		}
	}))
	for _, v := range []any{int8(1), int16(1), int32(1), int64(1), uint8(1), uint16(1), uint32(1), uint(1), float32(1), meters(1), mode(1), Half(0x3c00), BFloat16(0x3f80)} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if b.Set(1, v) != nil {
				t.Fail()
			}
		}), "%T", v)
	}
	f, i, u := 1.5, int64(1), uint64(2)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		f, i, u = f+1, i+1, u+1
		if b.SetFloat64(1, f) != nil || b.SetInt64(2, i) != nil || b.SetUint64(3, u) != nil || b.SetPointer(0, u) != nil {
			t.Fail()
		}
	}))
}

func BenchmarkSetAll(b *testing.B) {
	buf := newBuffer(b, "const float *x, float *y, float alpha, int n")
	x := &fakeArray{0x1000, Float32, nil}
	args := []any{x, x, 3.25, 1 << 20}
	b.ReportAllocs()
	for b.Loop() {
		if err := buf.SetAll(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetFloat64(b *testing.B) {
	buf := newBuffer(b, "float alpha")
	b.ReportAllocs()
	for i := range b.N {
		if err := buf.SetFloat64(0, float64(i)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetStruct(b *testing.B) {
	buf := newBuffer(b, "struct P p", Slot{0, 8, 4})
	var v any = pod{1, 2}
	b.ReportAllocs()
	for b.Loop() {
		if err := buf.Set(0, v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewBuffer(b *testing.B) {
	sig := mustParse(b, "const float *x, float *y, float alpha, int n")
	slots, _ := sig.Layout(Host)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewBuffer("k", sig, slots); err != nil {
			b.Fatal(err)
		}
	}
}
