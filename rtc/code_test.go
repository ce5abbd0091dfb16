package rtc

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// codeSource has kernels of many parameters and few, a function that is no
// kernel, and variables of each kind.
const codeSource = `
__device__ int glob = 3;
__constant__ float tab[4];
namespace ns { __device__ int u; }
__device__ __noinline__ int f(int x) { return x * glob + ns::u; }
struct S { char c; double d; };
struct Big { char bytes[4000]; };
extern "C" __global__ void none() {}
extern "C" __global__ void k(char a, S s, int *p, short z) {
	extern __shared__ int q[];
	__shared__ int own[3];
	q[0] = own[a & 1] = a;
	p[0] = f(s.c) + z + tab[a & 3] + q[threadIdx.x] + own[1];
}
extern "C" __global__ void big(Big b, char *out) { *out = b.bytes[threadIdx.x]; }
template <typename T> __global__ void t(T a, const T *b, T *c) { c[0] = a + b[0]; }`

// A cubin tells what its PTX tells, but for the alignment.
func TestReadCubin(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		for _, option := range []string{"-lineinfo", "-G", "-rdc=true"} {
			t.Run(c.Version().String()+option, func(t *testing.T) {
				m, err := NewModule(codeSource, ModuleConfig{
					Compiler: c, Options: []string{"-arch=sm_80", option}, Exports: []string{"t<float>", "t<char>"}})
				require.NoError(t, err)
				want, got := readPTX(m.PTX()), readCubin(m.CUBIN())
				require.True(t, want.known)
				require.True(t, got.known)
				assert.Equal(t, "sm_80", want.target)
				for i := range want.entries {
					if len(want.entries[i].slots) == 0 {
						want.entries[i].slots = nil // a cubin says nothing of none
					}
					for j := range want.entries[i].slots {
						want.entries[i].slots[j].Align = 0
					}
				}
				assert.ElementsMatch(t, want.entries, got.entries)
				variables := []string{"glob", "tab", "_ZN2ns1uE"}
				assert.Subset(t, want.variables, variables)
				if option != "-rdc=true" { // there they are symbols of another kind
					assert.ElementsMatch(t, variables, got.variables)
				}
				assert.Equal(t, option == "-rdc=true", m.initial.relocatable)

				// Cut short, or with any byte of a kernel's attributes changed, it
				// may tell nothing, but nothing wrong about how many parameters.
				whole := m.CUBIN()
				for n := 0; n < len(whole); n += len(whole)/50 + 1 {
					readCubin(whole[:n])
				}
			})
		}
	}
}

func TestCubinParams(t *testing.T) {
	param := func(number, offset, size int) string {
		return "\x04\x17\x0c\x00\x00\x00\x00\x00" + string([]byte{byte(number), 0, byte(offset), 0, 0, 0xf0, byte(size<<2) | 1, byte(size >> 6)})
	}
	const six, sixteen = "\x03\x19\x06\x00", "\x03\x19\x10\x00"
	for _, c := range []struct {
		name, data string
		want       []abi.Slot
		refused    bool
	}{
		{"none", "\x03\x19\x00\x00", []abi.Slot{}, false},
		{"two, in the order of the numbers", param(1, 8, 8) + param(0, 0, 4) + sixteen, []abi.Slot{{Offset: 0, Size: 4}, {Offset: 8, Size: 8}}, false},
		{"others between", "\x04\x37\x04\x00\x7c\x00\x00\x00" + param(0, 0, 6) + "\x01\x2a\x00\x00" + six, []abi.Slot{{Size: 6}}, false},
		{"nothing", "", nil, false},
		{"nothing of parameters", "\x01\x35\x00\x00", nil, false},
		{"no sum", param(0, 0, 4), nil, true},
		{"a sum without parameters", sixteen, nil, true},
		{"another sum", param(0, 0, 4) + sixteen, nil, true},
		{"a number missing", param(1, 8, 8) + sixteen, nil, true},
		{"a number twice", param(0, 0, 4) + param(0, 8, 8) + sixteen, nil, true},
		{"cut", sixteen + param(0, 0, 4)[:9], nil, true},
		{"bytes at the end", "\x03\x19\x00\x00\x00", nil, true},
		{"another size", "\x04\x17\x04\x00\x00\x00\x00\x00" + "\x03\x19\x00\x00", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := cubinParams([]byte(c.data))
			if c.refused {
				assert.ErrorIs(t, err, errNotCubin)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

// Whatever the bytes are, what is told of parameters is within the file: nobody
// is made to pass more than 64 KiB for one.
func FuzzReadCubin(f *testing.F) {
	whole, err := os.ReadFile("testdata/kernels.cubin")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, b []byte) {
		c := readCubin(b)
		if !c.known && (c.entries != nil || c.variables != nil || c.err != nil) {
			t.Fatalf("nothing is known, but %+v", c)
		}
		for _, e := range c.entries {
			for _, s := range e.slots {
				if s.Offset < 0 || s.Offset >= 1<<16 || s.Size < 0 || s.Size >= 1<<14 || len(e.slots) > len(b)/12 {
					t.Fatalf("kernel %s: %+v", e.name, e.slots)
				}
			}
		}
	})
}

func TestReadableName(t *testing.T) {
	for mangled, want := range map[string]string{
		"axpy":                            "axpy",
		"_Z5scalePf":                      "scale",
		"_Z4axpyIfEvPKT_PS0_S0_":          "axpy<float>",
		"_ZN2ns4axpyIfLi3EEEvPKT_PS1_S1_": "ns::axpy<float,3>",
		"_ZN12_GLOBAL__N_14axpyEPf":       "(anonymousnamespace)::axpy",
		"_Z1kIN2ns1VIfEEEvT_":             "k<ns::V<float>>",
		"_Z1kIXadL_Z1fiEEEvv":             "k<&f>",
		"_Z8for_eachIPFvPfEEvT_":          "for_each<void(*)(float*)>",
		"_ZN2ns1cE":                       "ns::c",
	} {
		got := readableName(mangled)
		assert.Equal(t, want, got, mangled)
	}
}
