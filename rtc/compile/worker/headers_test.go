//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// plant writes files below a folder.
func plant(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
}

// toolkit is c as it lies in a toolkit, with headers.
func toolkit(t *testing.T, c *nvrtc.Compiler) *nvrtc.Compiler {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	v := c.Version()
	plant(t, filepath.Join(top, "include"), map[string]string{
		"cuda.h":           "#define CUDA_VERSION " + strconv.Itoa(v.Major*1000+v.Minor*10) + "\n",
		"cuda_fp16.h":      "#include \"fp16/types.h\"\n#include <cuda_fp16.hpp>\n",
		"cuda_fp16.hpp":    "static __device__ float back(half16 h) { return h.x; }\n",
		"fp16/types.h":     "#pragma once\n#include \"layout.h\"\nstruct half16 { LAYOUT x; };\n",
		"fp16/layout.h":    "#define LAYOUT unsigned short\n",
		"other/cuda_fp.h":  "#include \"layout.h\"\n",
		"other/layout.h":   "#define OTHER 1\n",
		"unused/unused.h":  "#error unused\n",
		"broken/message.h": "\n#error told\n",
	})
	library := filepath.Join(top, "lib", filepath.Base(c.Path()))
	require.NoError(t, os.Mkdir(filepath.Dir(library), 0o700))
	text, err := os.ReadFile(c.Path())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(library, text, 0o700))
	builtins, err := filepath.Glob(filepath.Join(filepath.Dir(c.Path()), "libnvrtc-builtins*"))
	require.NoError(t, err)
	for _, b := range builtins {
		require.NoError(t, os.Symlink(b, filepath.Join(filepath.Dir(library), filepath.Base(b))))
	}
	own, err := nvrtc.Open(nvrtc.Config{Path: library})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, own.Close()) })
	return own
}

// TestHeadersWithoutLandlock has workers that can open no file compile what
// includes some.
func TestHeadersWithoutLandlock(t *testing.T) {
	if has := jail.Probe(); !has.Seccomp {
		missing(t, "seccomp", has.String())
	}
	defer worker.SetProbe(jail.Walls{Seccomp: true})()
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		c = toolkit(t, c)
		cuda, err := c.IncludeDirs()
		require.NoError(t, err)
		top, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		plant(t, top, map[string]string{
			"one/a.h": "#include \"deep/b.h\"\n", "one/deep/b.h": "#include \"c.h\"\n#include \"../d.h\"\n", "one/deep/c.h": "#define C 1\n", "one/d.h": "#define D 2\n",
			"two/d.h": "#define D 3\n", "two/out.h": "#include \"../secret.h\"\n", "secret.h": "#error s3cret\n",
		})
		require.NoError(t, os.Symlink("../secret.h", filepath.Join(top, "two/link.h")))
		one, two := "-I"+top+"/one", "-I"+top+"/two"
		for _, config := range []worker.Config{{Read: []string{top + "/one", top + "/two"}}, {Read: []string{top + "/one", top + "/two"}, Unsafe: true}} {
			config.Workers = 1
			p := newPool(t, config)
			for source, options := range map[string][]string{
				"#include <a.h>\nstatic_assert(C + D == 3, \"\");":                                {one, two},
				"#include \"d.h\"\nstatic_assert(D == 3, \"\");":                                  {two, one},
				"#include \"" + top + "/two/d.h\"\nstatic_assert(D == 3, \"\");":                  {one},
				"#include <cuda_fp16.h>\n#include <other/cuda_fp.h>\nstatic_assert(OTHER, \"\");": {"-I" + cuda[0]},
				"#if 0\n#include <out.h>\n#endif\n":                                               {two},
			} {
				_, err := run(p, c, source+"\n"+axpy, append(options, "--std=c++14")...)
				assert.NoError(t, err, source)
			}
			for source, reason := range map[string]string{
				"#include <link.h>":                    `cannot open source file "link.h"`,
				"#include <out.h>":                     "two/out.h(1)",
				"#include \"" + top + "/secret.h\"":    "cannot open source file",
				"#include \"../secret.h\"":             "cannot open source file",
				"#include <broken/message.h>":          cuda[0] + "/broken/message.h(2)",
				"#define M \"d.h\"\n#include M\nint x": "k.cu(2)",
			} {
				_, err := run(p, c, source+"\n"+axpy, two, "-I"+cuda[0])
				if assert.Error(t, err, source) {
					assert.Contains(t, err.Error(), reason, source)
					assert.NotContains(t, err.Error(), "s3cret", source)
				}
			}
			_, err := p.Run(context.Background(), &compile.Request{Compiler: c, Source: "#include <d.h>\nstatic_assert(D == 5, \"\");\n" + axpy, Options: []string{one, "--std=c++14"}, Headers: map[string]string{"d.h": "#define D 5\n"}})
			assert.NoError(t, err, "the caller's own")
			require.NoError(t, p.Close())
		}
	})
}
