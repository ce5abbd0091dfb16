package abi

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A compiled is one line of testdata/kernels.txt.
type compiled struct {
	expr, lowered string
	slots         []Slot
}

func readKernels(t testing.TB) []compiled {
	text, err := os.ReadFile("testdata/kernels.txt")
	require.NoError(t, err)
	var all []compiled
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "|")
		require.Len(t, cells, 3, line)
		k := compiled{expr: strings.TrimSpace(cells[0]), lowered: strings.TrimSpace(cells[1])}
		for f := range strings.FieldsSeq(cells[2]) {
			k.slots = append(k.slots, parseSlot(t, f))
		}
		all = append(all, k)
	}
	require.Greater(t, len(all), 100)
	return all
}

func parseSlot(t testing.TB, text string) Slot {
	var n [3]int
	for i, part := range strings.Split(text, ":") {
		for _, digit := range part {
			n[i] = n[i]*10 + int(digit-'0')
		}
	}
	require.NotZero(t, n[1], text)
	return Slot{n[0], n[1], n[2]}
}

// The names that NVRTC makes, and what the PTX says of the same kernels.
func TestFromMangledAgreesWithNVRTC(t *testing.T) {
	refused := map[string]string{
		"ref": "a reference holds an address",
		"fp":  "the host has no address of device code",
		"mp":  "a pointer to a member",
	}
	for _, k := range readKernels(t) {
		t.Run(k.expr, func(t *testing.T) {
			if HostModel() == LLP64 && (strings.Contains(k.expr, "long") || strings.Contains(k.expr, "wchar_t") || strings.Contains(k.expr, "size_t")) {
				t.Skip("the slots are those of Linux, where long has 8 bytes")
			}
			sig, err := FromMangled(k.lowered)
			if msg, ok := refused[k.expr]; ok {
				var e *SignatureError
				require.ErrorAs(t, err, &e)
				require.ErrorContains(t, err, msg)
				return
			}
			if k.expr == "ec" {
				require.ErrorIs(t, err, ErrNoSignature)
				return
			}
			require.NoError(t, err)
			require.NoError(t, sig.Check(k.expr, k.slots))
			if inner, ok := strings.CutPrefix(k.expr, "val<"); ok {
				// The same type as text has the same layout.
				inner = strings.TrimSuffix(inner, ">")
				if text, err := ParseSignature("char, " + inner + ", " + inner + " *"); err == nil {
					slots, err := text.Layout(Host)
					require.NoError(t, err)
					require.Equal(t, k.slots, slots)
				}
			}
		})
	}
}

func TestFromMangled(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"_Z4axpyIfEvPKT_PS0_S0_", "const float *, float *, float"},
		{"_Z4axpyI6__halfEvPKT_PS1_S1_", "const __half *, __half *, __half"},
		{"_Z5plainPKfPViPPiPvS3_iPKPfPKvPVKs", "const float *, volatile int *, int **, void *, int *, int, float *const *, const void *, const volatile short *"},
		{"_Z4packIJifdEEvDpT_", "int, float, double"},
		{"_Z4packIJEEvDpT_", "void"},
		{"_Z5packpIJifEEvPiDpPKT_", "int *, const int *, const float *"},
		{"_Z4cstrIPKfEvT_PKS2_Pi", "const float *, const float *const *, int *"},
		{"_Z3cls6ParamsN2ns3BoxENS0_3ArrIfLi3EEE4Mode3OldNS0_1EEPS_PKNS2_IiLi2EEEP6float4Pi", "Params, ns::Box, ns::Arr<float, 3>, Mode, Old, ns::E, Params *, const ns::Arr<int, 2> *, float4 *, int *"},
		{"_Z3depIfEvN6TraitsIT_E4typeENS2_7pointerE", "Traits<float>::type, Traits<float>::pointer"},
		{"_Z2ntIL4Mode1EiLi3EEvPT0_PAT1__S1_", "int *, int *"},
		{"_Z1kPA4_A5_KfPKA3_i", "const float *, const int *"},
		{"_Z4nonev", "void"},
		{"_ZN2ns2in1fIiEEvPT_", "int *"},
		{"_Z3oneIlEvPT_", "long *"},
		{"_Z3oneImEvPT_", "unsigned long *"},
		{"_Z2emIL4Mode7EEvPi", "int *"},
		{"_Z2chILc44EEvPi", "int *"},
		{"_Z2boILb1EEvPi", "int *"},
		{"_Z1kN4cuda3std3__47complexIfEEPKNS2_IdEE", "cuda::std::complex<float>, const cuda::std::complex<double> *"},
		{"_Z1kN6thrust20THRUST_200302_700_NS7complexIfEE", "thrust::complex<float>"},
		{"_Z1kTs6ParamsTe4Mode", "struct Params, enum Mode"},
		{"_Z1kPi.kernel.1", "int *"},
		{"_ZN12_GLOBAL__N_11kEPKiS1_", "const int *, const int *"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sig, err := FromMangled(c.name)
			require.NoError(t, err)
			require.Equal(t, c.want, sig.String())
		})
	}
}

func TestFromMangledRefuses(t *testing.T) {
	for name, reason := range map[string]string{
		"axpy":                      `not mangled, as with extern "C"`,
		"":                          "not mangled",
		"_Z":                        "expected",
		"_Zk":                       "",
		"_ZN2ns1cE":                 "it is no function",
		"_Z4axpyIfEvPKT_PS9_":       "",
		"_Z1kT_":                    "",
		"_ZTV3foo":                  "it is no function",
		"_Z" + tooLong():            "it has over 32768 bytes",
		"_RNvC6_123foo3bar":         "not mangled",
		"_ZN1a17h0123456789abcdefE": "it is no function",
	} {
		_, err := FromMangled(name)
		require.ErrorIs(t, err, ErrNoSignature, clip(name))
		require.ErrorContains(t, err, reason, clip(name))
		require.Less(t, len(err.Error()), 1000)
	}
	for name, reason := range map[string]string{
		"_Z1kRKf":    "a reference",
		"_Z1kiOf":    "a reference",
		"_Z1kPFvvE":  "no address of device code",
		"_Z1kiz":     "no variable arguments",
		"_Z1kM1Ai":   "a pointer to a member",
		"_Z1kPPFiiE": "no address of device code",
	} {
		_, err := FromMangled(name)
		var e *SignatureError
		require.ErrorAs(t, err, &e, name)
		require.ErrorContains(t, err, reason)
		require.False(t, errors.Is(err, ErrNoSignature))
	}
}

func tooLong() string { return "1k" + strings.Repeat("P", maxMangledLen) + "f" }

// A short name can stand for a very long one, since each substitution can double it.
func TestFromMangledBombs(t *testing.T) {
	bomb := "_Z1k1AIiiE"
	for i := range 30 {
		sub := "S" + strings.ToUpper(string("0123456789abcdefghijklmnopqrstuvwxyz"[i])) + "_"
		bomb += "1AI" + sub + sub + "E"
	}
	sig, err := FromMangled(bomb)
	if err == nil {
		require.LessOrEqual(t, len(sig.String()), 40<<maxTypeText)
	}
	_, err = FromMangled("_Z1k" + strings.Repeat("P", maxMangledDepth+1) + "f")
	require.ErrorContains(t, err, "nested too deeply")
	_, err = FromMangled("_Z1k" + strings.Repeat("P", 5000) + "f")
	require.Error(t, err)
}

func TestDemangle(t *testing.T) {
	for name, want := range map[string]string{
		"_Z4axpyIfEvPKT_PS0_S0_": "void axpy<float>(float const*, float*, float)",
		"_ZN2ns1cE":              "ns::c",
		"axpy":                   "axpy",
		"_Z":                     "_Z",
		"":                       "",
		tooLong():                tooLong(),
	} {
		require.Equal(t, want, Demangle(name))
	}
	require.Len(t, Demangle("_Z1k"+strings.Repeat("P", 5000)+"f"), 4096)
}
