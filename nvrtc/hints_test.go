package nvrtc_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// replay is the error of a program whose compile ends as the recorded one did.
func replay(t *testing.T, version, name string) *nvrtc.CompileError {
	log, ok := readLogs(t)[version][name]
	require.True(t, ok, "%s of %s", name, version)
	result := nvrtc.Compilation
	if strings.HasPrefix(log, "nvrtc: error: ") {
		result = nvrtc.InvalidOption
	}
	major, minor, _ := strings.Cut(version, ".")
	v := dl.Version{}
	v.Major, _ = strconv.Atoi(major)
	v.Minor, _ = strconv.Atoi(minor)
	fake := nvrtctest.New(nvrtctest.Config{Version: v, Compile: func(c *nvrtctest.Compile) { c.Result, c.Log = result, log }})
	c, err := nvrtc.Bind(fake)
	require.NoError(t, err)
	for _, row := range talkative {
		if row.name != name {
			continue
		}
		p, err := c.NewProgram(row.source, nvrtc.ProgramConfig{Name: "k.cu", Exports: row.exports})
		require.NoError(t, err)
		defer p.Close()
		var refused *nvrtc.CompileError
		require.ErrorAs(t, p.Compile(context.Background(), row.options...), &refused)
		return refused
	}
	t.Fatalf("no row %s", name)
	return nil
}

func TestErrorsInOneLine(t *testing.T) {
	for name, want := range map[string]string{
		"errors":          `nvrtc: compile: k.cu(2): error: identifier "y" is undefined`,
		"stdint":          `nvrtc: compile: k.cu(1): fatal error: could not open source file "stdint.h" (no directories in search list); hint: NVRTC has no headers of the C library: give a header of your own in memory`,
		"cascade":         `nvrtc: compile: k.cu(1): error: attribute "__global__" does not apply here; hint: the messages about __global__ come from a type that NVRTC does not know: uint32_t`,
		"fp16":            `hint: cuda_fp16.h is one of CUDA's headers, and those of CUDA `,
		"host":            `hint: NVRTC compiles for the device only: write __global__ before a kernel and __device__ before any other function`,
		"vector":          `nvrtc: compile: k.cu(1): error: namespace "std" has no member "vector"; hint: there is no C++ standard library in NVRTC`,
		"template":        `nvrtc: compile: k.cu(1): error: expression must have class type`,
		"at end":          `nvrtc: compile k.cu: at end of source: error: expected an expression`,
		"line":            `nvrtc: compile k.cu: my file (3).cu(7): error: `,
		"directive":       `nvrtc: compile: k.cu(1): fatal error: #error directive: this is wrong`,
		"bad arch":        `nvrtc: compile k.cu: options[1] "-arch" "sm_33": invalid value for --gpu-architecture (-arch); hint: NVRTC 1`,
		"nvcc option":     `nvrtc: compile k.cu: options[1] "-O3": unrecognized option -O3 found; hint: NVRTC always optimises`,
		"blank in option": `nvrtc: compile k.cu: options[0] "-arch compute_80": unrecognized option -arch compute_80 found; hint: options are elements of a list: "-arch", "compute_80" or "-arch=compute_80"`,
		"option twice":    `nvrtc: compile k.cu: options[2] "--gpu-architecture=compute_80": --gpu-architecture (-arch) defined more than once; hint: options[0] "-arch=compute_80" gave it already`,
		"option value":    `nvrtc: compile k.cu: options[0] "-fmad" "maybe": --fmad (-fmad) expects true or false`,
		"macro":           `nvrtc: compile k.cu: options[0] "-D": invalid macro definition; hint: -D wants a name`,
		"assembler":       `nvrtc: compile k.cu: ptxas: line 27: error: Not a name of any known instruction: 'bogus'`,
		"shared memory":   `hint: beyond 48 KiB shared memory must be extern __shared__`,
		"extern function": `nvrtc: compile k.cu: ptxas: fatal error: Unresolved extern function '_Z1fv'; hint: the function _Z1fv is declared but nowhere defined`,
		"bytes":           "nvrtc: compile: k.cu(1): fatal error: #error directive: caf\xe9",
	} {
		for _, version := range []string{"11.2", "11.8", "12.4"} {
			e := replay(t, version, name)
			assert.Contains(t, e.Error(), want, version)
			assert.Equal(t, e.Error(), fmt.Sprintf("%v", e))
			assert.Equal(t, e.Error(), fmt.Sprintf("%s", e))
			assert.Equal(t, strconv.Quote(e.Error()), fmt.Sprintf("%q", e))
			assert.NotContains(t, e.Error(), "\n")
			all := fmt.Sprintf("%+v", e)
			for _, part := range []string{e.Log, version, e.Path, "k.cu", e.Result.Name()} {
				assert.Contains(t, all, part)
			}
			for _, part := range append(e.Hints, e.Options...) {
				assert.Contains(t, all, part)
			}
		}
	}
}

func TestDialectIsHintedAtWhereItIsOld(t *testing.T) {
	for _, version := range []string{"11.2", "11.8"} {
		e := replay(t, version, "dialect")
		assert.Equal(t, []string{"NVRTC " + version + " compiles C++03 unless told otherwise: give -std=c++17"}, e.Hints)
	}
}

func TestBadExportsAreNamed(t *testing.T) {
	for _, version := range []string{"11.2", "11.8", "12.4"} {
		e := replay(t, version, "exports")
		var bad *nvrtc.ExportError
		require.ErrorAs(t, e, &bad)
		assert.Equal(t, []string{"nope<int>", "one", "cc", "one<float>;", "over", ""}, bad.Exports)
		assert.Equal(t, `identifier "nope" is undefined`, bad.Reasons[0])
		assert.Contains(t, e.Error(), `export "cc": expression must have a constant value`)
		assert.ErrorIs(t, e, nvrtc.Compilation)
		hints := strings.Join(e.Hints, "\n")
		assert.Contains(t, hints, "write & before the variable")
		assert.Contains(t, hints, "static_cast<void(*)(float*)>(k)")
		assert.Contains(t, hints, "without a semicolon")
		assert.Contains(t, hints, "give every template argument")
		assert.Contains(t, hints, "by its full name")
	}
}

// refuse is the error of a compile that ends with result and log.
func refuse(t *testing.T, config nvrtc.ProgramConfig, result nvrtc.Result, log string, options ...string) *nvrtc.CompileError {
	fake := nvrtctest.New(nvrtctest.Config{Version: dlVersion(11, 8), Compile: func(c *nvrtctest.Compile) { c.Result, c.Log = result, log }})
	c, err := nvrtc.Bind(fake)
	require.NoError(t, err)
	p, err := c.NewProgram("", config)
	require.NoError(t, err)
	defer p.Close()
	var refused *nvrtc.CompileError
	require.ErrorAs(t, p.Compile(context.Background(), options...), &refused)
	return refused
}

func TestMissingBuiltins(t *testing.T) {
	log := "nvrtc: error: failed to open libnvrtc-builtins.so.11.8.\n  Make sure that libnvrtc-builtins.so.11.8 is installed correctly.\n"
	e := refuse(t, nvrtc.ProgramConfig{Name: "k.cu"}, nvrtc.BuiltinOperationFailure, log)
	var builtins *nvrtc.BuiltinsError
	require.ErrorAs(t, e, &builtins)
	assert.Equal(t, nvrtc.BuiltinsError{File: "libnvrtc-builtins.so.11.8", Path: "/nvrtctest/libnvrtc.so.11.8"}, *builtins)
	assert.ErrorIs(t, e, nvrtc.BuiltinOperationFailure)
	assert.Equal(t, "nvrtc: compile k.cu: /nvrtctest/libnvrtc.so.11.8 could not open libnvrtc-builtins.so.11.8, which belongs beside it; hint: install the builtins library of exactly this NVRTC in the folder of /nvrtctest/libnvrtc.so.11.8", e.Error())
	assert.Equal(t, log, e.Log)
	assert.Contains(t, refuse(t, nvrtc.ProgramConfig{}, nvrtc.BuiltinOperationFailure, "").Error(), "could not open its builtins library")
}

func TestHeaderHints(t *testing.T) {
	headers := map[string]string{"sub/x.h": "", "sub/y.h": "", "z.h": ""}
	for name, want := range map[string]string{
		"y.h":                       `there is none "y.h", but "sub/y.h"`,
		"../z.h":                    `there is none "../z.h"`,
		"bits/libc-header-start.h":  "take their folder (-I/usr/include) out",
		"math.h":                    "leave the #include out",
		"vector":                    "<vector> is for code of the host: leave the #include out",
		"iostream":                  "printf and the mathematical functions are built in",
		"type_traits":               "<cuda/std/type_traits>",
		"cublas_v2.h":               "for code of the host, and NVRTC compiles for the device only",
		"cmath":                     "<cuda/std/cmath>",
		"cstdint":                   "typedefs",
		"cuda_runtime.h":            "is built into NVRTC",
		"cooperative_groups.h":      "is one of CUDA's headers",
		"cuda/std/cstdint":          "is one of CUDA's headers",
		"mine.h":                    `a header is looked for in memory ("sub/x.h" "sub/y.h" "z.h"), then`,
		"sub/mine with blanks ü.h+": "a header is looked for in memory",
	} {
		for _, words := range []string{"could not", "cannot"} {
			e := refuse(t, nvrtc.ProgramConfig{Headers: headers}, nvrtc.Compilation, fmt.Sprintf("k.cu(1): catastrophic error: %s open source file \"%s\"\n", words, name))
			require.Len(t, e.Hints, 1, name)
			assert.Contains(t, e.Hints[0], want, name)
		}
	}
}

func TestOptionHints(t *testing.T) {
	for option, want := range map[string]string{
		"": "empty", "-": "no option", "-O0": "always optimises", "-g": "-G (--device-debug)", "-v": "--ptxas-options=-v",
		"--expt-relaxed-constexpr": "leave it out", "--extended-lambda": "leave it out", "-gencode=arch=compute_70,code=sm_70": "one architecture",
		"-std": "same element", "-std c++17": `"-std=c++17"`, "-Xcompiler": "no host compiler", "-c": "to memory", "-lcudart": "to memory", "-Wall": "host compiler",
		"c++17": "begins with -", "--arch=sm_70": "one architecture", "--minimal": "this NVRTC is 11.8", "-fmad true": `"-fmad=true"`,
	} {
		e := refuse(t, nvrtc.ProgramConfig{}, nvrtc.InvalidOption, "nvrtc: error: unrecognized option "+option+" found\n", "-DX=1", option)
		var bad *nvrtc.OptionError
		require.ErrorAs(t, e, &bad, option)
		assert.Equal(t, 1, bad.Index, option)
		assert.Equal(t, []string{option}, bad.Args)
		require.Len(t, e.Hints, 1, option)
		assert.Contains(t, e.Hints[0], want, option)
		assert.Contains(t, e.Error(), fmt.Sprintf("options[1] %q", option))
	}
	assert.Empty(t, refuse(t, nvrtc.ProgramConfig{}, nvrtc.InvalidOption, "nvrtc: error: unrecognized option --new found\n", "--new").Hints, "nothing is known, nothing is said")
}

func TestErrorWithoutALog(t *testing.T) {
	assert.Equal(t, "nvrtc: compile: out of memory", refuse(t, nvrtc.ProgramConfig{}, nvrtc.OutOfMemory, "").Error())
	assert.Equal(t, "nvrtc: compile k.cu: internal error: something", refuse(t, nvrtc.ProgramConfig{Name: "k.cu"}, nvrtc.InternalError, "\nsomething\nelse\n").Error())
	assert.Equal(t, "nvrtc: compile: result 99", refuse(t, nvrtc.ProgramConfig{}, 99, "").Error())
}
