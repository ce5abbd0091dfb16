package nvrtc_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

func wide(s, bom string, big bool) string {
	var b strings.Builder
	b.WriteString(bom)
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b.WriteByte(byte(u >> 8))
		}
		b.WriteByte(byte(u))
		if !big {
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}

func TestTextsThatAreRefused(t *testing.T) {
	c, fake := bindTo(t, nvrtctest.Config{})
	for _, row := range []struct {
		source string
		config nvrtc.ProgramConfig
		want   string
		offset int
	}{
		{"a\nb\x00c", nvrtc.ProgramConfig{Name: "k.cu"}, "nvrtc: new program k.cu: source: NUL byte at offset 3 of 5 (line 2)", 3},
		{"", nvrtc.ProgramConfig{Name: "k\x00.cu"}, "name: NUL byte at offset 1 of 5", 1},
		{"", nvrtc.ProgramConfig{Headers: map[string]string{"a.h": "x\x00"}}, `nvrtc: new program: header "a.h": NUL byte at offset 1 of 2 (line 1)`, 1},
		{"", nvrtc.ProgramConfig{Headers: map[string]string{"a\x00.h": ""}}, `header name "a\x00.h": NUL byte at offset 1 of 4`, 1},
		{"", nvrtc.ProgramConfig{Exports: []string{"one", "t\x00wo"}}, "exports[1]: NUL byte at offset 1 of 4", 1},
		{"// caf\xe9\n// \xff", nvrtc.ProgramConfig{}, "source: byte 0xff at offset 11 of 12 (line 2), where NVRTC would stop reading", 11},
		{"", nvrtc.ProgramConfig{Headers: map[string]string{"a.h": "\xff"}}, `header "a.h": byte 0xff at offset 0 of 1 (line 1)`, 0},
		{wide("__global__", "\xff\xfe", false), nvrtc.ProgramConfig{}, "source: the text is UTF-16 (little-endian); NVRTC reads UTF-8", 0},
		{wide("__global__", "\xfe\xff", true), nvrtc.ProgramConfig{}, "source: the text is UTF-16 (big-endian); NVRTC reads UTF-8", 0},
		{wide("__global__", "", false), nvrtc.ProgramConfig{}, "source: the text is UTF-16 (little-endian, without a byte order mark)", 0},
		{wide("__global__", "", true), nvrtc.ProgramConfig{}, "source: the text is UTF-16 (big-endian, without a byte order mark)", 0},
		{"\xff\xfe\x00\x00a\x00\x00\x00", nvrtc.ProgramConfig{}, "source: the text is UTF-32 (little-endian)", 0},
		{"\x00\x00\xfe\xff\x00\x00\x00a", nvrtc.ProgramConfig{}, "source: the text is UTF-32 (big-endian)", 0},
		{"", nvrtc.ProgramConfig{Headers: map[string]string{"a.h": wide("int", "\xff\xfe", false)}}, `header "a.h": the text is UTF-16 (little-endian)`, 0},
	} {
		p, err := c.NewProgram(row.source, row.config)
		require.ErrorContains(t, err, row.want)
		assert.Nil(t, p)
		var text *nvrtc.TextError
		require.ErrorAs(t, err, &text)
		assert.Equal(t, row.offset, text.Offset)
	}
	assert.Zero(t, fake.Live())
	p, err := c.NewProgram("", nvrtc.ProgramConfig{Name: "k.cu"})
	require.NoError(t, err)
	assert.EqualError(t, p.Compile(context.Background(), "-w", "-D\x00"), "nvrtc: compile k.cu: options[1]: NUL byte at offset 2 of 3 (line 1)")
	_, err = p.LoweredName("a\x00")
	assert.EqualError(t, err, "nvrtc: lowered name of k.cu: export: NUL byte at offset 1 of 2 (line 1)")
}

func TestTextsReachNVRTCAsTheyAre(t *testing.T) {
	c, fake := bindTo(t, nvrtctest.Config{})
	const bom = "\xef\xbb\xbf"
	latin1 := "// caf\xe9 \xfe\xc0\n"
	options := []string{" -arch=sm_90 ", "-DX=\xff", "--std=c++17"}
	p, err := c.NewProgram(bom+bom+latin1, nvrtc.ProgramConfig{
		Name:    "kernel \xe9.cu",
		Headers: map[string]string{"b.h": bom + "b", "a.h": latin1, "../é.h": ""},
		Exports: []string{"two< float , 3 >", "ch<','>", "two< float , 3 >"},
	})
	require.NoError(t, err)
	require.NoError(t, p.Compile(context.Background(), options...))
	got := fake.Compiles()[0]
	assert.Equal(t, bom+latin1, got.Source, "one mark is left out")
	assert.Equal(t, "kernel \xe9.cu", got.Name)
	assert.Equal(t, map[string]string{"a.h": latin1, "b.h": "b", "../é.h": ""}, got.Headers)
	assert.Equal(t, []string{"two< float , 3 >", "ch<','>", "two< float , 3 >"}, got.Exports)
	assert.Equal(t, options, got.Options)
	assert.Equal(t, "kernel \xe9.cu", p.Name())
}

func TestLogsKeepTheirBytes(t *testing.T) {
	log := "k.cu(1): warning #1-D: caf\xe9\n\x00\x00"
	c, _ := bindTo(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) { c.Default(); c.Log = log }})
	p, err := c.NewProgram("", nvrtc.ProgramConfig{})
	require.NoError(t, err)
	require.NoError(t, p.Compile(context.Background()))
	assert.Equal(t, "k.cu(1): warning #1-D: caf\xe9\n", p.Log(), "without any of the NULs at its end")
	assert.Equal(t, []nvrtc.Diagnostic{{File: "k.cu", Line: 1, Severity: nvrtc.Warning, Number: 1, Text: "caf\xe9"}}, p.Diagnostics())
	require.NoError(t, p.Close())
	assert.NotEmpty(t, p.Log(), "a log outlives its program")
}

func TestOutputs(t *testing.T) {
	c, _ := bindTo(t, nvrtctest.Config{Version: dlVersion(12, 9)})
	p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
	require.NoError(t, err)
	outputs := map[string]func() ([]byte, error){
		"PTX":      func() ([]byte, error) { s, err := p.PTX(); return []byte(s), err },
		"CUBIN":    p.CUBIN,
		"LTO IR":   p.LTOIR,
		"OptiX IR": p.OptiXIR,
		"NVVM IR":  p.NVVM,
	}
	for name, output := range outputs {
		_, err := output()
		assert.EqualError(t, err, "nvrtc: "+name+" of k.cu: the program has not been compiled")
	}
	for _, row := range []struct {
		options []string
		made    []string
	}{
		{[]string{"-arch=compute_90"}, []string{"PTX"}},
		{[]string{"-arch=sm_90"}, []string{"PTX", "CUBIN"}},
		{[]string{"-arch=sm_90", "-dlto"}, []string{"LTO IR", "NVVM IR"}},
		{[]string{"-arch=sm_90", "--optix-ir"}, []string{"PTX", "CUBIN", "OptiX IR"}},
	} {
		require.NoError(t, p.Compile(context.Background(), row.options...))
		for name, output := range outputs {
			b, err := output()
			if slices.Contains(row.made, name) {
				require.NoError(t, err)
				assert.Contains(t, string(b), ".visible .entry k()")
				assert.Equal(t, name == "CUBIN", strings.Contains(string(b), "\x00"))
				continue
			}
			assert.ErrorIs(t, err, nvrtc.ErrNoOutput, "%s after %q", name, row.options)
			assert.Empty(t, b)
		}
	}
	// A compile that fails leaves nothing of the one before.
	require.Error(t, p.Compile(context.Background(), "-O3"))
	_, err = p.PTX()
	assert.ErrorIs(t, err, nvrtc.ErrNotCompiled)
	require.NoError(t, p.Close())
	_, err = p.PTX()
	assert.EqualError(t, err, "nvrtc: PTX of k.cu: closed")
	assert.ErrorIs(t, err, nvrtc.ErrClosed)
}

func TestLoweredNames(t *testing.T) {
	empty := false
	c, _ := bindTo(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) {
		c.Default()
		if empty {
			c.Lowered["one<int>"] = ""
		}
	}})
	p, err := c.NewProgram("", nvrtc.ProgramConfig{Name: "k.cu", Exports: []string{"one<int>", "&cc"}})
	require.NoError(t, err)
	_, err = p.LoweredName("one<int>")
	assert.ErrorIs(t, err, nvrtc.ErrNotCompiled)
	require.NoError(t, p.Compile(context.Background()))
	name, err := p.LoweredName("one<int>")
	require.NoError(t, err)
	assert.Equal(t, "_Z3oneIiE", name)
	_, err = p.LoweredName("one< int >")
	assert.ErrorIs(t, err, nvrtc.NameExpressionNotValid)
	assert.EqualError(t, err, `nvrtc: lowered name of "one< int >" of k.cu: it is not among the exports ["one<int>" "&cc"]: name expression not valid`)
	empty = true
	require.NoError(t, p.Compile(context.Background()))
	_, err = p.LoweredName("one<int>")
	assert.ErrorContains(t, err, "NVRTC gave an empty name")
}

func TestResults(t *testing.T) {
	assert.Equal(t, "NVRTC_ERROR_BUSY", nvrtc.Busy.Name())
	assert.Equal(t, "cancelled", nvrtc.Cancelled.Error())
	assert.Equal(t, "result 77", nvrtc.Result(77).String())
	assert.Equal(t, "nvrtcResult 77", nvrtc.Result(77).Name())
	for r := nvrtc.Success; r <= nvrtc.Busy; r++ {
		assert.True(t, strings.HasPrefix(r.Name(), "NVRTC_"), "%d", r)
	}
}
