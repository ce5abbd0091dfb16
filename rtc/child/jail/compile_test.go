//go:build linux && (amd64 || arm64)

package jail_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// A compiled is what a compile came to.
type compiled struct {
	PTX, CUBIN int // sizes
	Log        string
	Text       string // the PTX, of sources that copy something
}

// sources are compiled by the compile role, with its arguments: NVRTC's file and
// the allowed folder.
var sources = map[string]struct {
	source  string
	options []string
}{
	"virtual": {`extern "C" __global__ void k(float *x) { x[threadIdx.x] = 1; }`, []string{"-arch=compute_80"}},
	"machine": {`extern "C" __global__ void k(double *x) { x[1] = sin(x[2]) + pow(x[3], x[4]); printf("%f", x[1]); }`, []string{"-arch=sm_80", "-lineinfo"}},
	"debug":   {`extern "C" __global__ void k(double *x) { x[1] = exp(x[2]); }`, []string{"-arch=sm_75", "-G"}},
	"header":  {"#include <sub/inner.h>\n#include <sub/inner.h>\nextern \"C\" __global__ void k(int *x) { *x = INNER + __has_include(\"sub/beside.h\"); }", []string{"-arch=sm_80", "--std=c++17"}},
	"split":   {`extern "C" __global__ void a(double *x) { *x = sin(*x); } extern "C" __global__ void b(double *x) { *x = exp(*x); }`, []string{"-arch=sm_80", "--split-compile=4"}},
	"lto":     {`extern "C" __global__ void k(double *x) { *x = sin(*x); }`, []string{"-arch=compute_80", "-dlto"}},
	"print":   {`extern "C" __global__ void k(double *x) { *x = sin(*x); }`, []string{"-arch=sm_80", "--ptxas-options=-v", "-rdc=true"}},
	"error":   {`__global__ void k() { y = 1; }`, nil},
	"outside": {"#include \"/etc/passwd\"\n", nil},
	"climb":   {"#include \"sub/../../outside\"\n", nil},
	"system":  {"#if __has_include(\"/etc/ld.so.cache\")\n#error it is there\n#endif\n", nil},
	"ask":     {"#if __has_include(\"/etc/passwd\")\n#error it is there\n#endif\n", nil},
}

func init() {
	roles["compile"] = func(o order) func() any {
		c, err := nvrtc.Open(nvrtc.Config{Path: o.Args[0], OnCaller: true})
		if err != nil {
			return func() any { return map[string]compiled{"open": {Log: err.Error()}} }
		}
		warm := compileOne(c, `extern "C" __global__ void k(double *x) { x[1] = sin(x[2]); }`, "-arch=sm_80")
		return func() any {
			runtime.GC()
			answer := map[string]compiled{"warm": warm}
			for name, s := range sources {
				answer[name] = compileOne(c, s.source, append(s.options, "-I"+o.Args[1])...)
			}
			return answer
		}
	}
}

func compileOne(c *nvrtc.Compiler, source string, options ...string) (r compiled) {
	p, err := c.NewProgram(source, nvrtc.ProgramConfig{Name: "k.cu"})
	if err != nil {
		return compiled{Log: err.Error()}
	}
	defer p.Close()
	err = p.Compile(context.Background(), options...)
	var refusal *nvrtc.CompileError
	if errors.As(err, &refusal) {
		return compiled{Log: refusal.Log}
	}
	if err != nil {
		return compiled{Log: err.Error()}
	}
	ptx, _ := p.PTX()
	cubin, _ := p.CUBIN()
	return compiled{PTX: len(ptx), CUBIN: len(cubin)}
}

// TestCompile has real compilers work behind both walls.
func TestCompile(t *testing.T) {
	reals := nvrtctest.Reals()
	if len(reals) == 0 {
		nvrtctest.Real(t, dl.Version{})
	}
	for _, c := range reals {
		t.Run(c.Version().String(), func(t *testing.T) {
			top := t.TempDir()
			folder := filepath.Join(top, "folder")
			require.NoError(t, os.MkdirAll(filepath.Join(folder, "sub"), 0o700))
			for name, text := range map[string]string{
				"folder/sub/inner.h": "#pragma once\n#include \"beside.h\"\n", "folder/sub/beside.h": "#define INNER 42\n", "outside": "#error it was read\n",
			} {
				require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
			}
			library := c.Path()
			o := order{Role: "compile", Args: []string{library, folder}}

			free := imprison[map[string]compiled](t, o)
			assert.Contains(t, free["ask"].Log, "it is there")
			assert.Contains(t, free["climb"].Log, "it was read")

			o.Landlock, o.Seccomp, o.Open = true, true, true
			o.Read = []string{filepath.Dir(library), folder}
			if c == reals[0] {
				assert.Contains(t, imprison[map[string]compiled](t, o)["system"].Log, "it is there")
			}
			o.Again = []string{folder} // system files are not for sources
			held := imprison[map[string]compiled](t, o)
			for _, name := range []string{"warm", "virtual", "machine", "debug", "header"} {
				assert.Positive(t, held[name].PTX, "%s: %s", name, held[name].Log)
				assert.Equal(t, free[name].CUBIN, held[name].CUBIN, name)
			}
			assert.Positive(t, held["machine"].CUBIN)
			for _, name := range []string{"split", "lto", "print"} { // not every version knows all
				assert.Equal(t, free[name], held[name], name)
			}
			assert.Equal(t, free["error"], held["error"])
			for _, name := range []string{"outside", "climb"} {
				assert.Contains(t, held[name].Log, "cannot open source file", name)
				assert.NotContains(t, held[name].Log, "root", name)
			}
			assert.Empty(t, held["ask"].Log, "what is outside seems not to be")
			assert.Empty(t, held["system"].Log)

			o.Again = nil
			o.Landlock, o.Open = false, false
			blind := imprison[map[string]compiled](t, o)
			for _, name := range []string{"virtual", "machine", "debug"} {
				assert.Equal(t, free[name].CUBIN, blind[name].CUBIN, name)
			}
			for _, name := range []string{"header", "outside", "climb"} {
				assert.Contains(t, blind[name].Log, "cannot open source file", name)
			}
			assert.Empty(t, blind["ask"].Log)
		})
	}
}
