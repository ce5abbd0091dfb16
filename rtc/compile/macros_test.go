package compile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

func TestMacros(t *testing.T) {
	const cannot = "!"
	for _, row := range []struct{ text, expression, want string }{
		{"#define M <a.h>\n", "M", "<a.h>"},
		{"#define M \"a.h\" // why\n", "M", `"a.h"`},
		{"#define M A\n%: define A /* a */ <a.h>\n", "M", "<a.h>"},
		{"#define M \\\n <a.h>\n", "M", "<a.h>"},
		{"??=define M <a.h>\n", "M", "<a.h>"},
		{"#if 0\n#define M <a.h>\n#else\n#define M <b.h>\n#endif\n#undef M\n", "M", "<a.h> <b.h>"},
		{"#define TAG <ROOT/detail/policy.h>\n#define ROOT lib/system/SYSTEM\n#define SYSTEM cuda\n#define SYSTEM cpp\n", "TAG",
			"<ROOT/detail/policy.h> <lib/system/SYSTEM/detail/policy.h> <lib/system/cuda/detail/policy.h> <lib/system/cpp/detail/policy.h>"},
		{"#define EMPTY\n", "<aEMPTY/EMPTY>", "<aEMPTY/EMPTY> <aEMPTY/>"},
		{"#define M <M/N>\n#define N M\n", "M", "<M/N> <M/M>"},
		{"#define M \"N\"\n#define N x\n", "M", `"N"`},
		{"#define a x\n", "<1a/b>", "<1a/b>"},
		{"#define F(x) <x>\n#define M <F/a.h>\n", "M", "<F/a.h>"},
		{"#define F(x) <x>\n", "F(a.h)", cannot},
		{"#define F(x) <x>\n#define M <F(b)/a.h>\n", "M", cannot},
		{"#define F(x) <x>\n", "F (a.h)", cannot},
		{"", "M", cannot},
		{"#define M N\n", "M", cannot},
		{"#define M <__ROOT/a.h>\n", "M", cannot},
		{"#define M <unix/a.h>\n", "M", cannot},
		{"#define M <a ## b.h>\n", "M", cannot},
		{"#define M < a.h>\n", "M", cannot},
		{"#define M \"a\" \"b.h\"\n", "M", cannot},
		{"#define M \"a.h\n", "M", cannot},
		{"#define M <a.h> /* a */ /* b */\n", "M", "<a.h>"},
		{"#define M \"a/*b.h\" /* */\n", "M", cannot},
		{"#define M <a.h> /* a\n*/", "M", cannot},
		{"#define M <a/*b*/.h>\n", "M", cannot},
		{"#define M <" + strings.Repeat("a", mostDefinition) + ">\n", "M", cannot},
		{"#define A <B/B/B/B/B/B/B/B/B>\n#define B 1\n#define B 2\n", "A", cannot},
		{"#define M <a.h>\n#define M stdio.h\n", "M", "<a.h>"},
	} {
		got := cannot
		if all, ok := (macros{define([]byte(row.text))}).includes(row.expression, false); ok {
			got = strings.Join(names(findings{includes: all}), " ")
		}
		assert.Equal(t, row.want, got, "%q %s", row.text, row.expression)
	}
	all, ok := macros{nil, {"M": {"<a>"}}, {"M": {"<b>"}}}.includes(" M ", true)
	assert.True(t, ok)
	assert.Equal(t, []include{{"a", false, true}, {"b", false, true}}, all)
}

// TestWordsOfNVRTC: words of paths are no macros that NVRTC defines itself, as unix is for
// some compilers.
func TestWordsOfNVRTC(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	var source strings.Builder
	for _, word := range strings.Fields("a b c x h hpp cuh cuda thrust cub system detail internal config common linux_ win32 device host omp tbb cpp std sys include lib src arch amd64 arm64 x86_64 nv nvidia generic sequential parallel version base core util math types") {
		fmt.Fprintf(&source, "#ifdef %s\n#error %s\n#endif\n", word, word)
	}
	for _, c := range nvrtctest.Reals() {
		_, err := InProcess{}.Run(context.Background(), &Request{Compiler: c, Source: source.String() + "__global__ void k() {}\n", Options: []string{"-default-device"}})
		var refused *nvrtc.CompileError
		if err != nil {
			require.ErrorAs(t, err, &refused, c.Version())
			assert.NotContains(t, refused.Log, "#error", c.Version())
		}
	}
}

// TestMostComputed: a text can't have a search take long by includes of macros.
func TestMostComputed(t *testing.T) {
	f := scan([]byte(strings.Repeat("#include M\n", mostComputed)))
	assert.Empty(t, f.unseen)
	f = scan([]byte(strings.Repeat("#include M\n", mostComputed+1)))
	assert.Equal(t, "so many #include of macros", f.unseen)
}
