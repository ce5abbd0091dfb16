package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearestType(t *testing.T) {
	for name, want := range map[string]string{
		"flot": "float", "flaot": "float", "Float": "float", "FLOAT": "float", "floatt": "float", "fluat": "float", "dobule": "double", "doubel": "double",
		"itn": "int", "unsinged": "unsigned", "singed": "signed", "uint_8t": "uint8_t", "unit32_t": "uint32_t", "int65_t": "int64_t", "sizet": "size_t",
		"flaot4": "float4", "viod": "void", "__nv_bfloat": "__nv_bfloat16", "chr": "char",
		"foo": "", "T": "", "x": "", "params": "", "ns::foo": "", "Vector": "", "": "",
	} {
		require.Equal(t, want, nearestType(name), name)
	}
	for known := range types {
		require.Equal(t, known, nearestType(known), "no name is nearer to one than itself")
	}
}

func TestSlips(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "acb", "bca", "abcd", "badc", "float", "flaot", "folat", "double"}
	for _, a := range words {
		for _, b := range words {
			d := slips(a, b, 100)
			require.Equal(t, d, slips(b, a, 100), "%q and %q", a, b)
			require.Equal(t, a == b, d == 0)
			require.LessOrEqual(t, d, max(len(a), len(b)))
			for most := range 8 {
				require.Equal(t, min(d, most), slips(a, b, most), "%q and %q, up to %d", a, b, most)
			}
		}
	}
	require.Equal(t, 1, slips("ab", "ba", 9))
	require.Equal(t, 2, slips("abcd", "badc", 9))
	require.Equal(t, 3, slips("kitten", "sitting", 9))
}

func TestUnknownTypeSaysWhatIsMeant(t *testing.T) {
	_, err := ParseSignature("const flaot *x")
	require.ErrorContains(t, err, "unknown type flaot: did you mean float? Else write struct flaot or enum flaot for one of the program's own; the known types are ")
	_, err = ParseSignature("quux x")
	require.ErrorContains(t, err, "unknown type quux: write struct quux or enum quux for")
	_, err = ParseSignature(strings.Repeat("x", 5000) + " x")
	require.ErrorContains(t, err, "unknown type x")
}
