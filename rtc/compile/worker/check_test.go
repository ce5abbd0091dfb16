package worker

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// TestCheck has workers answer what they were not asked for.
func TestCheck(t *testing.T) {
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 12, Minor: 4}}))
	require.NoError(t, err)
	const ptx, elf = "//\n.version 8.4\n.target sm_80\n.entry _Z1kIfEvPT_(", "\x7fELF with _Z1kIfEvPT_"
	exports, lowered := []string{"k<float>"}, map[string]string{"k<float>": "_Z1kIfEvPT_"}
	for name, x := range map[string]struct {
		options []string
		entry   cache.Entry
		bad     string
	}{
		"PTX":                {nil, cache.Entry{Kind: cache.PTX, Image: []byte(ptx), Lowered: lowered}, ""},
		"cubin":              {[]string{"-arch=sm_80"}, cache.Entry{Kind: cache.CUBIN, Image: []byte(elf), PTX: []byte(ptx), Lowered: lowered}, ""},
		"a tail":             {[]string{"-arch=sm_80"}, cache.Entry{Kind: cache.CUBIN, Image: []byte("\x7fELF with another_Z1kIfEvPT_"), Lowered: lowered}, ""},
		"PTX for a cubin":    {[]string{"-arch=sm_80"}, cache.Entry{Kind: cache.PTX, Image: []byte(ptx), Lowered: lowered}, "where the options ask for"},
		"cubin for PTX":      {nil, cache.Entry{Kind: cache.CUBIN, Image: []byte(elf), Lowered: lowered}, "where the options ask for"},
		"no PTX":             {nil, cache.Entry{Kind: cache.PTX, Image: []byte("_Z1kIfEvPT_"), Lowered: lowered}, "PTX that is none"},
		"PTX with NUL":       {nil, cache.Entry{Kind: cache.PTX, Image: []byte(ptx + "\x00"), Lowered: lowered}, "PTX that is none"},
		"no ELF":             {[]string{"-arch=sm_80"}, cache.Entry{Kind: cache.CUBIN, Image: []byte("_Z1kIfEvPT_"), Lowered: lowered}, "a cubin that is none"},
		"other PTX beside":   {[]string{"-arch=sm_80"}, cache.Entry{Kind: cache.CUBIN, Image: []byte(elf), PTX: []byte("x"), Lowered: lowered}, "PTX that is none"},
		"no names":           {nil, cache.Entry{Kind: cache.PTX, Image: []byte(ptx)}, "too few"},
		"another name":       {nil, cache.Entry{Kind: cache.PTX, Image: []byte(ptx), Lowered: map[string]string{"other": "_Z1kIfEvPT_"}}, "is called"},
		"a name that is not": {nil, cache.Entry{Kind: cache.PTX, Image: []byte(ptx), Lowered: map[string]string{"k<float>": "_Z1kIdEvPT_"}}, "is called"},
		"a name that is PTX": {nil, cache.Entry{Kind: cache.PTX, Image: []byte(ptx), Lowered: map[string]string{"k<float>": ".entry"}}, "is called"},
	} {
		e := x.entry
		e.Signatures, e.Arch, e.Compiler = map[string]string{"k<float>": "evil"}, "sm_1", "NVRTC 99"
		err := check(&e, &compile.Request{Compiler: c, Options: x.options, Exports: exports})
		if x.bad != "" {
			assert.ErrorIs(t, err, errNonsense, name)
			assert.ErrorContains(t, err, x.bad, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, map[string]string{"k<float>": "float *"}, e.Signatures, name)
		assert.Equal(t, "NVRTC 12.4", e.Compiler)
		assert.Equal(t, x.options != nil, e.Arch == "sm_80", name)
	}
}

// TestCheckIsLinear: what was made is looked through once, not for each export.
func TestCheckIsLinear(t *testing.T) {
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 12, Minor: 4}}))
	require.NoError(t, err)
	const exports = 10_000
	r := &compile.Request{Compiler: c}
	image := bytes.NewBufferString("//\n.version 8.4\n.target sm_80\n")
	image.WriteString(strings.Repeat("_Z1k ", 2<<20))
	lowered := map[string]string{}
	for i := range exports {
		x, name := fmt.Sprintf("k<%d>", i), fmt.Sprintf("_Z1kILi%dEEvv", i)
		r.Exports = append(r.Exports, x)
		lowered[x] = name
		fmt.Fprintf(image, ".entry %s()\n", name)
	}
	start := time.Now()
	require.NoError(t, check(&cache.Entry{Kind: cache.PTX, Image: image.Bytes(), Lowered: lowered}, r))
	t.Logf("%v for %d exports", time.Since(start), exports)
	assert.Less(t, time.Since(start), 5*time.Second)
	start = time.Now()
	lacking := bytes.ReplaceAll(image.Bytes(), []byte("_Z1kILi"), []byte("_Z1kILj"))
	assert.ErrorIs(t, check(&cache.Entry{Kind: cache.PTX, Image: lacking, Lowered: lowered}, r), errNonsense)
	assert.Less(t, time.Since(start), 5*time.Second)
}
