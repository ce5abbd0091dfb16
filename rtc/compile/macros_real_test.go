package compile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// TestKeySeesWhatIsRead has NVRTC read a file by what may look as if it was another's
// name: there is no key, or one that sees the file.
func TestKeySeesWhatIsRead(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	const known, here = "#if 0\n#define I <other.h>\n#endif\n", "#define I <lib/N/t.h>\n#include I\n"
	for _, row := range []struct {
		what, header, file string
		options, exports   []string
	}{
		{what: "a number of a character", header: "#define \\u00c1 lib\n#define X .\n#define I <X/\\u00c1/t.h>\n#include I\n", file: "lib/t.h"},
		{what: "pasted by a digraph", header: "#define I <li%:%:b/t.h>\n#include I\n", file: "lib/t.h"},
		{what: "a call by another name", header: "#define F(x) lib\n#define M F\n#define I <M(x)/t.h>\n#include I\n", file: "lib/t.h"},
		{what: "defined by NVRTC", header: "#ifndef __CUDACC_RTC__\n#define __CUDACC_RTC__ 0\n#endif\n#define I <lib/__CUDACC_RTC__/t.h>\n#include I\n", file: "lib/1/t.h"},
		{what: "an option without a value", header: here, file: "lib/1/t.h", options: []string{"-DN"}},
		{what: "an option without a value in two elements", header: here, file: "lib/1/t.h", options: []string{"-D", "N"}},
		{what: "an option with an empty value", header: here, file: "lib//t.h", options: []string{"-DN="}},
		{what: "an export", header: here, file: "lib/q/t.h", exports: []string{"k\n#define N q\n#include <in.h>\n"}},
		{what: "text behind a name in quotes", header: known + "#define I \"lib/t.h\"more\n#include I\n", file: "lib/t.h"},
		{what: "text behind a name in angles", header: known + "#define I <lib/t.h>more\n#include I\n", file: "lib/t.h"},
		{what: "two names", header: known + "#define I \"lib/t.h\"\"x\"\n#include I\n", file: "lib/t.h"},
		{what: "another blank", header: "#define I <lib\f/t.h>\n#include I\n", file: "lib /t.h"},
		{what: "CR in a name", header: "#define I \"li\rb/t.h\"\n#include I\n", file: "li\rb/t.h"},
		{what: "a dollar", header: "#define x lib\n#define I <x$/t.h>\n#include I\n", file: "lib$/t.h"},
		{what: "a letter beyond ASCII", header: "#define x lib\n#define I <xÁ/t.h>\n#include I\n", file: "libÁ/t.h"},
		{what: "punctuation", header: "#define x lib\n#define I <x.+-x=,@~/x/t.h>\n#include I\n", file: "lib.+-lib=,@~/lib/t.h"},
		{what: "a line that goes on behind more CR", header: "#inc\\\r\r\nlude <lib/t.h>\n", file: "lib/t.h"},
		{what: "trigraphs", header: "#include <lib??-/t.h>\n", file: "lib~/t.h", options: []string{"-std=c++14"}},
		{what: "trigraphs by a macro", header: "#define I <lib??-/t.h>\n#include I\n", file: "lib~/t.h", options: []string{"-std=c++14"}},
	} {
		for _, c := range nvrtctest.Reals() {
			what := fmt.Sprintf("%s %s", row.what, c.Version())
			dir := t.TempDir()
			put := func(name, text string) {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), what)
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600), what)
			}
			put("in.h", row.header)
			put("other.h", "")
			r := Request{Compiler: c, Name: "k.cu", Options: append([]string{"-I" + dir}, row.options...), Exports: row.exports, Source: "__global__ void k(int *x) {}\n"}
			if row.exports == nil {
				r.Source = "#include <in.h>\n" + r.Source
			}
			made := func() (key, outcome string) {
				k, unseen, err := keyOf(context.Background(), &files{}, &r, nil)
				require.NoError(t, err, what)
				if _, err = (InProcess{}).Run(context.Background(), &r); err != nil {
					outcome = err.Error()
				}
				if unseen != "" {
					return "", outcome
				}
				return k.String(), outcome
			}
			key, without := made()
			put(row.file, "#error FOUND\n")
			newKey, with := made()
			require.NotEqual(t, without, with, "%s: no compile reads it", what)
			if key != "" || newKey != "" {
				assert.NotEqual(t, key, newKey, what)
			}
		}
	}
}

// TestPredefined asks each NVRTC about every word in its own files, of which some are
// those that it defines.
func TestPredefined(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, word := range strings.Fields("__CUDACC__ _LP64 unix linux NULL assert va_start NV_IS_HOST cudaStreamDefault CUDART_CB CU_UUID_HAS_BEEN_DEFINED") {
		assert.True(t, predefined(word), word)
	}
	for _, word := range strings.Fields("a b c x h hpp cuh cuda cudax thrust cub system detail internal config common linux_ win32 device host omp tbb cpp std sys include lib src arch amd64 arm64 x86_64 nv nvidia generic sequential parallel version base core util math types __THRUST_HOST_SYSTEM_ROOT") {
		assert.False(t, predefined(word), word)
	}
	defined := regexp.MustCompile(`defined=(\w+)=`)
	for _, c := range nvrtctest.Reals() {
		library, err := os.ReadFile(c.Path())
		require.NoError(t, err)
		var source strings.Builder
		words := map[string]bool{}
		for _, w := range []string{"i386", "sun", "vax", "EOF", "INT_MAX", "CHAR_BIT", "INFINITY", "NAN", "offsetof", "min", "max", "x86_64", "amd64", "win32", "WIN32", "cuda", "nvrtc", "device", "host", "NULL"} {
			words[w] = true
		}
		for pos := 0; pos < len(library); pos++ {
			w := wordAt(library, pos, 64)
			if pos += len(w); len(w) > 1 && !isDigit(w[0]) && !words[string(w)] && !predefined(string(w)) {
				words[string(w)] = true
			}
		}
		for w := range words {
			fmt.Fprintf(&source, "#ifdef %s\n#warning defined=%s=\n#endif\n", w, w)
		}
		e, err := InProcess{}.Run(context.Background(), &Request{Compiler: c, Source: source.String() + "__global__ void k() {}\n"})
		require.NoError(t, err, c.Version())
		for _, found := range defined.FindAllStringSubmatch(e.Log, -1) {
			assert.True(t, predefined(found[1]), "%s defines %s", c.Version(), found[1])
		}
		assert.Contains(t, e.Log, "defined=NULL=", "%s: it is asked at all", c.Version())
	}
}
