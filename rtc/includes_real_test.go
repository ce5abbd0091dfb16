package rtc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// B27: headers in memory include each other by relative names.
func TestRelativeIncludes(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "disk.h"), []byte(`#include "b.h"`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "b.h"), []byte("#define DISK 1\n"), 0o600))
	kernel := "\nextern \"C\" __global__ void k() {}\n"
	for name, c := range map[string]struct {
		program, source string
		headers         map[string]string
		since           int      // NVRTC's major version
		want            []string // in the error; nil: it compiles
	}{
		"beside": {"", `#include "lib/a.h"`, map[string]string{"lib/a.h": `#include "b.h"`, "lib/b.h": "struct S {};"}, 0, nil},
		"up and down": {"", `#include "lib/x/a.h"`, map[string]string{
			"lib/x/a.h": "#include \"../b.h\"\n#include \"./c.h\"\n#include \"../y/d.h\"\nstatic_assert(sizeof(B) + sizeof(C) + sizeof(D) == 12, \"\");", "lib/b.h": "typedef int B;", "lib/x/c.h": "typedef int C;", "lib/y/d.h": "typedef int D;"}, 0, nil},
		"one name in two folders": {"", "#include \"one/a.h\"\n#include \"two/a.h\"\n#include \"b.h\"\nstatic_assert(B1 == 1 && B2 == 2 && B0 == 0, \"\");", map[string]string{
			"one/a.h": `#include "b.h"`, "one/b.h": "#define B1 1", "two/a.h": `#include "b.h"`, "two/b.h": "#define B2 2", "b.h": "#define B0 0"}, 0, nil},
		"once by every spelling": {"", "#include \"lib/b.h\"\n#include \"./lib/b.h\"\n#include \"lib/../lib/b.h\"\n#include <lib/b.h>\n#include \"lib/a.h\"", map[string]string{
			"lib/a.h": "#include \"b.h\"\n#include \"../lib/b.h\"\n#include \"lib/b.h\"", "lib/b.h": "#pragma once\nstruct S {};"}, 0, nil},
		"in a circle":                {"", `#include "lib/a.h"`, map[string]string{"lib/a.h": "#pragma once\n#include \"b.h\"", "lib/b.h": "#pragma once\n#include \"./a.h\"\n#include \"../lib/b.h\""}, 0, nil},
		"__FILE__":                   {"", `#include "lib/a.h"`, map[string]string{"lib/a.h": `#include "b.h"`, "lib/b.h": `static_assert(sizeof(__FILE__) == sizeof("lib/b.h"), "");`}, 0, nil},
		"of a source in a folder":    {"src/k.cu", "#include \"k.h\"\n#include \"../inc/i.h\"", map[string]string{"src/k.h": "", "inc/i.h": ""}, 0, nil},
		"an error is the header's":   {"", "#include \"lib/a.h\"", map[string]string{"lib/a.h": "\n#include \"b.h\"\n", "lib/b.h": "\n\nnope x;"}, 0, []string{"lib/b.h(3): error", "nope"}},
		"an error behind an include": {"", "#include \"./lib/b.h\"\nnope x;", map[string]string{"lib/b.h": ""}, 0, []string{"kernel.cu(2): error", "nope"}},
		// A file on disk that includes "b.h" means the one beside it or a header of that very name, as before.
		"files are not misled":        {"", "#include \"lib/a.h\"\n#include \"disk.h\"\nstatic_assert(DISK == 1, \"\");", map[string]string{"lib/a.h": `#include "b.h"`, "lib/b.h": "struct S {};"}, 0, nil},
		"disk, where memory has none": {"", "#include \"lib/a.h\"\nstatic_assert(DISK == 1, \"\");", map[string]string{"lib/a.h": `#include "b.h"`}, 0, nil},
		"left out and in comments":    {"", "#include \"lib/a.h\"", map[string]string{"lib/a.h": "#if 0\n#include \"b.h\"\n#include \"nope.h\"\n#endif\n// #include \"b.h\"\n", "lib/b.h": "#error b"}, 0, nil},
		"text in a raw string":        {"", "#include \"lib/a.h\"", map[string]string{"lib/a.h": "static_assert(sizeof(R\"(\n#include \"b.h\"\n)\") == 17, \"\");", "lib/b.h": ""}, 0, nil},
		"asked for":                   {"", "#include \"lib/a.h\"\nstatic_assert(B == 1, \"\");", map[string]string{"lib/a.h": "#if __has_include(\"b.h\")\n#include \"b.h\"\n#endif", "lib/b.h": "#define B 1"}, 12, nil},
		"none": {"", "#include \"lib/a.h\"", map[string]string{"lib/a.h": "\n#include \"sub/b.h\"", "lib/b.h": ""}, 0, []string{
			`lib/a.h(2): fatal error`, `cannot open source file "sub/b.h"`, `there is none "sub/b.h", but "lib/b.h"`}},
		"by angles":  {"", "#include \"lib/a.h\"", map[string]string{"lib/a.h": "#include <bb.h>", "lib/bb.h": ""}, 0, []string{`cannot open source file "bb.h"`, `there is none "bb.h", but`}},
		"by a macro": {"", "#include \"lib/a.h\"", map[string]string{"lib/a.h": "#define B \"bb.h\"\n#include B", "lib/bb.h": ""}, 0, []string{`there is none "bb.h", but`}},
	} {
		for _, comp := range nvrtctest.Reals() {
			if comp.Version().Major < c.since {
				continue
			}
			mod, err := rtc.NewModule(c.source+kernel, rtc.ModuleConfig{Name: c.program, Compiler: comp, Headers: c.headers, Options: []string{"-I" + folder}})
			if c.want == nil {
				assert.NoError(t, err, "%s, %s", name, comp.Version())
				assert.NoError(t, mod.Close())
				continue
			}
			var refused *nvrtc.CompileError
			if assert.ErrorAs(t, err, &refused, "%s, %s", name, comp.Version()) {
				for _, w := range c.want {
					assert.ErrorContains(t, err, w, "%s, %s", name, comp.Version())
				}
			}
		}
	}
}
