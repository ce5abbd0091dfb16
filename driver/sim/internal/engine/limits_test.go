package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string // of one more than n
	}{
		{".visible .entry k(.param .align 4 .b8 p[%d]) { ret; }", maxParams, "PTX line 4: kernel k has 32765 bytes of parameters, and there can be 32764"},
		{".func f(.param .align 4 .b8 p[%d]) { ret; }", maxParams - 4, "PTX line 4: function f has 32768 bytes of parameters and results of calls, and there can be 32764"},
		{".visible .entry k() { .shared .b8 s[%d]; .reg .b32 %%r; mov.u32 %%r, s; ret; }", maxShared, "PTX line 4: kernel k uses too much shared data (0xc001 bytes, 0xc000 max): what is more must be dynamic"},
		{".visible .entry k() { .local .b8 s[%d]; ret; }", maxLocal, "PTX line 4: kernel k has 524289 bytes of local memory a thread, and there can be 524288"},
		{".const .b8 c[%d]; .visible .entry k() { ret; }", maxConst, "the module has 65537 bytes of constants, and there can be 65536"},
	} {
		for i, want := range []string{"", c.want} {
			m, err := ptx.Parse(".version 8.1\n.target sm_90\n.address_size 64\n" + fmt.Sprintf(c.text, c.n+i))
			require.NoError(t, err)
			_, err = Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 20)})
			if want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, want)
			}
		}
	}
}

// TestSpaces refuses a variable that does not lie where the instruction looks.
func TestSpaces(t *testing.T) {
	for text, want := range map[string]string{
		"ld.param.u32 %r2, [global];":  "ld.param.u32: global lies in .global",
		"ld.global.u32 %r2, [shared];": "ld.global.u32: shared lies in .shared",
		"ld.shared.u32 %r2, [local];":  "ld.shared.u32: local lies in .local",
		"ld.local.u32 %r2, [in];":      "ld.local.u32: in lies in .param",
		"st.param.b32 [global], %r2;":  "st.param.b32: global lies in .global",
		"st.local.u32 [shared], %r2;":  "st.local.u32: shared lies in .shared",
		"ld.u32 %r2, [global];":        "",
		"ld.param.u32 %r2, [in];":      "",
	} {
		if err := loadSmall(t, text); want == "" {
			assert.NoError(t, err, text)
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
}
