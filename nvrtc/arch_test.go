package nvrtc_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
)

func TestParseArch(t *testing.T) {
	for text, want := range map[string]nvrtc.Arch{
		"compute_52":   nvrtc.Virtual(5, 2),
		"sm_90":        nvrtc.Real(9, 0),
		"sm_90a":       {Kind: nvrtc.RealArch, Major: 9, Suffix: "a"},
		"compute_100f": {Kind: nvrtc.VirtualArch, Major: 10, Suffix: "f"},
		"sm_121":       nvrtc.Real(12, 1),
		"sm_103a":      {Kind: nvrtc.RealArch, Major: 10, Minor: 3, Suffix: "a"},
	} {
		got, err := nvrtc.ParseArch(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, text, got.String())
	}
	for _, text := range []string{"", "86", "SM_86", "sm86", "native", "all", "compute_70,compute_80", "sm_", "sm_9", "sm_070", "sm_90b", "sm_90aa", "compute_a", " sm_70", "sm_70 ", "sm_٧٠", "sm_+70", "sm_90000", "lto_70"} {
		_, err := nvrtc.ParseArch(text)
		assert.ErrorContains(t, err, "nvrtc: parse architecture", text)
	}
}

func TestArchsAreOrdered(t *testing.T) {
	want := []string{"compute_52", "compute_90", "sm_90", "compute_90a", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_121"}
	var archs []nvrtc.Arch
	for _, s := range want {
		a, err := nvrtc.ParseArch(s)
		require.NoError(t, err)
		archs = append(archs, a)
	}
	slices.Reverse(archs)
	slices.SortFunc(archs, nvrtc.Arch.Compare)
	var got []string
	for _, a := range archs {
		got = append(got, a.String())
	}
	assert.Equal(t, want, got)
	assert.Zero(t, archs[3].Compare(archs[3]))
	assert.True(t, nvrtc.Arch{}.IsZero())
	assert.Empty(t, nvrtc.Arch{}.String())
	assert.Equal(t, 121, archs[8].Number())
}
