package abi

import (
	"errors"
	"math"
	"testing"
	"unicode/utf8"
)

// What is read prints as text that is read as the same; what is refused says so
// by a *SignatureError.
func FuzzParseSignature(f *testing.F) {
	for _, s := range []string{
		"const float *x, float *y, float alpha", "float const*const __restrict__ x[]", "unsigned long long int n",
		"struct ns::Box<float, Arr<',', -1>>::In b", "enum class E e", "const float *const *pp", "void", "void *p /* c */ // d",
		"cuda::std::__4::complex<float> z", "float4 v, dim3 g", "int &r", "void (*f)(int)", "int n = 3", "...", "char 'c", "float x[][4]",
		"struct A<A<A<int>>> *volatile*const*p", "\xff", "a::b::c<d> e",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sig, err := ParseSignature(text)
		if err != nil {
			var e *SignatureError
			if !errors.As(err, &e) || e.Msg == "" || e.Signature != text || e.Index < -1 || e.Index > len(text) {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		printed := sig.String()
		again, err := ParseSignature(printed)
		if err != nil {
			t.Fatalf("%q printed as %q: %v", text, printed, err)
		}
		if again.String() != printed || len(again.Params) != len(sig.Params) {
			t.Fatalf("%q printed as %q, then as %q", text, printed, again.String())
		}
		for i := range sig.Params {
			if !same(&sig.Params[i].Type, &again.Params[i].Type) || sig.Params[i].Name != again.Params[i].Name {
				t.Fatalf("%q printed as %q: parameter %d differs", text, printed, i)
			}
		}
		useSignature(t, sig)
	})
}

// No name makes FromMangled panic, and what it returns can be used.
func FuzzFromMangled(f *testing.F) {
	for _, k := range readKernels(f) {
		f.Add(k.lowered)
	}
	for _, s := range []string{"_Z1kN4cuda3std3__47complexIfEE", "_Z1kTs1A", "_Z1kPA4_A5_Kf", "_Z1kIJEJiEEvDpP1AIT_T0_E", "_ZN12_GLOBAL__N_11kEPKi", "_Z1kIXsrT_1xEEvT_"} {
		f.Add(s)
	}
	stated := Signature{Params: []Param{{Type: Type{Kind: Pointer, Elem: lookup("float4")}}}}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 2000 {
			return
		}
		var differ *LayoutError
		if err := stated.CheckMangled("k", name, Host); err != nil && !errors.As(err, &differ) {
			t.Fatalf("%q: %v", name, err)
		}
		sig, err := FromMangled(name)
		if err != nil {
			var e *SignatureError
			if !errors.Is(err, ErrNoSignature) && !errors.As(err, &e) {
				t.Fatalf("%q: %v", name, err)
			}
			return
		}
		if err := sig.CheckMangled("k", name, Host); err != nil {
			t.Fatalf("%q does not fit itself: %v", name, err)
		}
		useSignature(t, sig)
	})
}

// useSignature does with a signature what a caller would.
func useSignature(t *testing.T, sig Signature) {
	for i := range sig.Params {
		typ := &sig.Params[i].Type
		if typ.Kind == Void || typ.Const || typ.Volatile || (typ.Kind == Pointer) != (typ.Elem != nil) {
			t.Fatalf("parameter %d is %+v", i, typ)
		}
	}
	if len(sig.Reads())+len(sig.Writes()) > len(sig.Params) {
		t.Fatal("too many pointers")
	}
	if _, err := sig.Layout(Host); err != nil {
		return
	}
	b, err := NewBuffer("k", sig, nil)
	if err != nil {
		t.Fatalf("%s: laid out, but %v", sig, err)
	}
	for i := range sig.Params {
		if err := b.Set(i, Raw(make([]byte, sig.Params[i].Type.Size(Host)))); (err == nil) == (sig.Params[i].Type.Kind == Pointer) {
			t.Fatalf("%s: parameter %d: %v", sig, i, err)
		}
	}
	if !utf8.ValidString(sig.String()) {
		t.Fatalf("%q", sig.String())
	}
}

func same(a, b *Type) bool {
	for a.Elem != nil && b.Elem != nil {
		if a.Const != b.Const || a.Volatile != b.Volatile {
			return false
		}
		a, b = a.Elem, b.Elem
	}
	return a.Elem == b.Elem && *a == *b
}

// A number that Set takes for an integer is that number; one it takes for a float is
// the nearest.
func FuzzSetNumber(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 0.5, 127, 128, 255, 256, 65504, 65520, 1 << 31, 1 << 53, 1 << 63, 1 << 64, 1e300, math.Inf(1), math.NaN()} {
		f.Add(v, int64(v))
	}
	sig, err := ParseSignature("int8_t a, uint8_t b, short c, unsigned short d, int e, unsigned f, long long g, unsigned long long h, bool i, float j, double k, __half l, __nv_bfloat16 m, __nv_fp8_e4m3 n, __nv_fp8_e5m2 o")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, v float64, n int64) {
		b, err := NewBuffer("k", sig, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sig.Params {
			a := &b.args[i]
			if b.Set(i, v) == nil {
				checkNumber(t, a, v)
			}
			errInt, errUint := b.Set(i, n), b.Set(i, uint64(n))
			if n >= 0 && (errInt == nil) != (errUint == nil) {
				t.Fatalf("%v: %d as int64: %v, as uint64: %v", sig.Params[i].Type.String(), n, errInt, errUint)
			}
			if b.Set(i, n) == nil && (n < 1<<53 && n > -1<<53) {
				checkNumber(t, a, float64(n))
			}
		}
	})
}

func checkNumber(t *testing.T, a *arg, v float64) {
	var u uint64
	for i, x := range a.dst {
		u |= uint64(x) << (8 * i)
	}
	shift := uint(64 - 8*len(a.dst))
	var got float64
	switch a.dtype {
	case Float64:
		got = math.Float64frombits(u)
	case Float32:
		got = float64(math.Float32frombits(uint32(u)))
	case Float16:
		got = Half(u).Float64()
	case BF16:
		got = BFloat16(u).Float64()
	case Float8E4M3:
		got = E4M3(u).Float64()
	case Float8E5M2:
		got = E5M2(u).Float64()
	default:
		got = float64(u)
		if a.op == opInt {
			got = float64(int64(u<<shift) >> shift)
		}
		if got != v {
			t.Fatalf("%s: %v became %v", a.dtype, v, got)
		}
		return
	}
	if v != v {
		if got == got {
			t.Fatalf("%s: NaN became %v", a.dtype, got)
		}
		return
	}
	if math.IsInf(got, 0) != math.IsInf(v, 0) || math.Signbit(got) != math.Signbit(v) {
		t.Fatalf("%s: %v became %v", a.dtype, v, got)
	}
}
