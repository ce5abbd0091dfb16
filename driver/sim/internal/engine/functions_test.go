package engine

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Kernels of the corpus that call functions, by every NVRTC and option that made one, against what Go computes.

// start runs r's kernel with one block of n threads and returns what it printed and how it ended.
func (r corpusRun) start(n uint32, args ...any) (string, error) {
	var out bytes.Buffer
	l := &Launch{Kernel: r.k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{n, 1, 1}, Params: params(args...)}
	_, err := Run(context.Background(), l, &Config{Output: &out, MaxSteps: 1 << 22})
	return out.String(), err
}

func TestCalls(t *testing.T) {
	type s struct {
		A int32
		_ [4]byte
		B float64
		C [5]float32
		D int8
		_ [3]byte
	}
	eachKernel(t, "20_calls_noinline", "ck", func(t *testing.T, r corpusRun) {
		const n = 40
		var xs [n]float32
		var ss [n]s
		for i := range n {
			xs[i] = float32(i) / 2
			ss[i] = s{A: int32(i), B: float64(i) + 0.25, C: [5]float32{9, 9, 9, 9, 9}, D: int8(i)}
		}
		x, y := r.put(xs), r.put(ss)
		_, err := r.start(n, x.Base, y.Base)
		require.NoError(t, err)
		got := numbers[float32](r, x)
		for i, have := range numbers[s](r, y) {
			want := s{A: int32(2 * i), B: 2 * (float64(i) + 0.25), C: [5]float32{9, 9, 9, 9, 9}, D: int8(i)}
			want.C[i&3] = 1
			require.Equal(t, want, have, i)
			if i != 3 { // which others write
				want := float64(xs[i])*float64(i) + math.Sqrt(float64(xs[i]))
				require.InDelta(t, want, got[i], 1e-5*want, i)
			}
		}
		assert.Contains(t, []float32{103, 'a' + 39}, got[3])
	})
}

func TestRecursion(t *testing.T) {
	var fib func(n int32) int32
	fib = func(n int32) int32 {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	var odd, even func(n int32) int32
	even = func(n int32) int32 {
		if n == 0 {
			return 0
		}
		return odd(n-1) + 1
	}
	odd = func(n int32) int32 {
		if n == 0 {
			return 1
		}
		return even(n-1) * 2
	}
	eachKernel(t, "21_recursion", "rec", func(t *testing.T, r corpusRun) {
		var ps [32]int32
		for i := range ps {
			ps[i] = int32(i*7) % 13
		}
		ps[1] = 9 // which all read; its own thread may write it first
		p := r.put(ps)
		_, err := r.start(32, p.Base)
		require.NoError(t, err)
		for i, have := range numbers[int32](r, p) {
			require.Contains(t, []int32{fib(ps[i]) + even(9), fib(ps[i]) + even(fib(9)+even(9))}, have, i)
		}
	})
}

func TestFunctionPointers(t *testing.T) {
	tab := []func(a, b int32) int32{
		func(a, b int32) int32 { return a + b },
		func(a, b int32) int32 { return a * b },
		func(a, b int32) int32 { return a - b },
	}
	ctab := []func(a, b int32) int32{tab[2], tab[0]}
	eachKernel(t, "22_fnptr", "fk", func(t *testing.T, r corpusRun) {
		var ps [64]int32
		for i := range ps {
			ps[i] = int32(i*i) % 100
		}
		p := r.put(ps)
		_, err := r.start(64, p.Base)
		require.NoError(t, err)
		for i, have := range numbers[int32](r, p) {
			i32 := int32(i)
			require.Equal(t, tab[ps[i]%3](ps[i], i32)+ctab[i&1](i32, 3), have, i)
		}
	})
}

func TestPrintf(t *testing.T) {
	eachKernel(t, "24_printf", "pk", func(t *testing.T, r corpusRun) {
		p, d, s := r.put([]float32{1.5, -2}), r.put([]float64{1e10, 0.0001}), r.put([]byte("x\x00"))
		out, err := r.start(2, p.Base, d.Base, s.Base)
		require.NoError(t, err)
		line := func(t int, f, g string) string {
			return fmt.Sprintf("t=%d f=%s d=%s s=str c=c ll=%d x=%s p=%#x u=3 %%\n", t, f, g, t<<40, []string{"00000000", "0x000001"}[t], p.Base)
		}
		assert.Equal(t, line(0, "1.500000", "1e+10")+line(1, "-2.000000", "0.0001")+"plain\nplain\n"+" 1.50|0         |+0|1.000000e+10|0\n", out)
	})
}

func TestMallocAssertTrap(t *testing.T) {
	eachKernel(t, "25_malloc_assert", "mk", func(t *testing.T, r corpusRun) {
		for _, c := range []struct {
			threads uint32
			p5      int32
			kind    FaultKind
		}{{32, 0, 0}, {1, 0, Assert}, {5, 77, Trap}} {
			ps := make([]int32, 80)
			ps[5] = c.p5
			ps[3] = int32(map[FaultKind]int{Trap: 1}[c.kind])
			p := r.put(ps)
			out, err := r.start(c.threads, p.Base)
			if c.kind == 0 {
				require.NoError(t, err)
				have := numbers[int32](r, p)
				for i := range 32 {
					require.Equal(t, int32(i*(i+1)/2), have[i], i)
				}
				continue
			}
			var f *Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, c.kind, f.Kind, "%v", err)
			assert.NotZero(t, f.Line)
			if c.kind == Assert {
				assert.Contains(t, out, `thread: [0,0,0] Assertion `+"`")
				assert.Contains(t, out, `p[3]>0 && "message"`)
				assert.Contains(t, err.Error(), `p[3]>0 && "message"`)
			}
		}
		assert.Less(t, r.m.Used(), int64(1<<20), "what was malloced is freed")
	})
}

func TestSwitch(t *testing.T) {
	eachKernel(t, "62_vla_switch_dense_str", "ss", func(t *testing.T, r corpusRun) {
		text := "abc def abca zz dfeb  cab\x00"
		o := make([]int32, 8)
		st := int32(0)
		n := int32(len(text) - 1)
		o[0] = n
		for _, c := range text[:n] {
			switch c {
			case 'a':
				st = st*2 + 1
			case 'b':
				st += 3
			case 'c':
				st ^= 5
			case 'd':
				st = 7
			case 'e':
				st--
			case 'f':
				o[st&7]++
			case ' ':
			default:
				st = ^st
			}
		}
		o[1] = st
		s, p := r.put([]byte(text)), r.put(make([]int32, 8))
		_, err := r.start(1, s.Base, p.Base)
		require.NoError(t, err)
		assert.Equal(t, o, numbers[int32](r, p))
	})
}

func TestLocalArrays(t *testing.T) {
	eachKernel(t, "32_local_array", "la", func(t *testing.T, r corpusRun) {
		ps := make([]int32, 64)
		for i := range ps {
			ps[i] = int32(i*37+11) % 101
		}
		const n = 50
		var a [64]int32
		for i := range a {
			a[i] = ps[i] * int32(i)
		}
		for i := range n {
			j := ps[i] & 63
			k := a[j]
			a[j] = a[(j+7)&63]
			a[(j+7)&63] = k
		}
		sum := int32(0)
		for i := range a {
			sum += a[i] * int32(i)
		}
		p := r.put(ps)
		_, err := r.start(1, p.Base, uint32(n))
		require.NoError(t, err)
		assert.Equal(t, sum, numbers[int32](r, p)[0])
	})
}

func TestGlobals(t *testing.T) {
	eachKernel(t, "33_constant_globals", "cg", func(t *testing.T, r corpusRun) {
		x := r.put([]float32{10, 1, 1, 1, 1, 1})
		_, err := r.start(1, x.Base)
		require.NoError(t, err)
		have := numbers[float32](r, x)
		assert.Equal(t, float32(10*(1+7)), have[0])
		sum := 1.5 + 'h' + 42 + 3 + 3 + 9 + 3.14
		assert.InDelta(t, sum, have[1], 1e-4)
		assert.Equal(t, float32('h'), have[5])
	})
}

// A stack that is too small for a recursion is a fault that says how deep it went.
func TestStackOverflow(t *testing.T) {
	eachKernel(t, "21_recursion", "rec", func(t *testing.T, r corpusRun) {
		p := r.put([]int32{1, 1 << 20})
		_, err := r.start(1, p.Base)
		var f *Fault
		require.ErrorAs(t, err, &f)
		assert.Equal(t, StackOverflow, f.Kind)
		assert.Contains(t, f.Detail, "calls deep")
	})
}

// A format that asks for more values than were given names itself; a null string is none.
func TestPrintfOfWhatIsNotThere(t *testing.T) {
	const text = `.version 7.0
.target sm_52
.address_size 64
.global .align 1 .b8 few[7] = {37, 100, 32, 37, 100, 10, 0};
.global .align 1 .b8 null[4] = {37, 115, 10, 0};
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.visible .entry few_values() {
	.local .align 8 .b8 values[4];
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	.param .b64 f; .param .b64 v; .param .b32 r;
	st.local.u32 [values], 5;
	mov.u64 %rd1, few;
	st.param.b64 [f], %rd1;
	mov.u64 %rd2, values;
	cvta.local.u64 %rd2, %rd2;
	st.param.b64 [v], %rd2;
	call.uni (r), vprintf, (f, v);
	ret;
}
.visible .entry null_string() {
	.local .align 8 .b8 values[8];
	.reg .b64 %rd<3>;
	.param .b64 f; .param .b64 v; .param .b32 r;
	st.local.u64 [values], 0;
	mov.u64 %rd1, null;
	st.param.b64 [f], %rd1;
	mov.u64 %rd2, values;
	cvta.local.u64 %rd2, %rd2;
	st.param.b64 [v], %rd2;
	call.uni (r), vprintf, (f, v);
	ret;
}`
	p, m := loadText(t, text)
	_, err := corpusRun{t, p.Kernel("few_values"), m}.start(1)
	require.ErrorContains(t, err, `printf: value 2 of the format "%d %d\n": outside the 4 bytes of local memory`)
	out, err := corpusRun{t, p.Kernel("null_string"), m}.start(1)
	require.NoError(t, err)
	assert.Equal(t, "(null)\n", out)
}
