package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		{"#define P (\n#define M <P/a.h>\n", "M", cannot},
		{"#define M L\"a.h\"\n#define M <b.h>\n", "M", cannot},
		{"#define M <a.h>b\n#define M <b.h>\n", "M", cannot},
		{"#define M \"a.h\"b\n#define M <b.h>\n", "M", cannot},
		{"#define M \"a\\\\b.h\"\n", "M", cannot},
		{"#define M <a\f.h>\n", "M", cannot},
		{"#define M <a??-.h>\n#define M <b.h>\n", "M", cannot},
		{"#define __ROOT a\n#define M <__ROOT/a.h>\n", "M", cannot},
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
		if all, ok := macrosOf(t, row.text).includes(row.expression, false); ok {
			got = strings.Join(names(findings{includes: all}), " ")
		}
		assert.Equal(t, row.want, got, "%q %s", row.text, row.expression)
	}
	all, ok := macrosOf(t, "", "#define M <a>\n", "#define M <b>\n").includes(" M ", true)
	assert.True(t, ok)
	assert.Equal(t, []include{{"a", false, true}, {"b", false, true}}, all)
}

// macrosOf are those of the texts.
func macrosOf(t *testing.T, texts ...string) *macros {
	m := &macros{left: mostWork}
	for _, text := range texts {
		d, ok := define([]byte(text))
		require.True(t, ok)
		m.known = append(m.known, d)
	}
	return m
}

// TestMostWork: neither values that lead to one another, nor many of them, nor many
// #define on a line, take long or much memory.
func TestMostWork(t *testing.T) {
	var circle, many, growing strings.Builder
	for i := range 100 {
		for j := range 100 {
			fmt.Fprintf(&circle, "#define M%d M%d\n", i, j)
		}
		fmt.Fprintf(&growing, "#define M%d M%d/M%d\n", i, i+1, i+1)
	}
	for range 1_000_000 {
		many.WriteString("#define M0 a\n")
	}
	for what, text := range map[string]string{
		"a circle": circle.String(), "many values": many.String(), "values that grow": growing.String(),
	} {
		began := time.Now()
		m := macrosOf(t, text)
		for range 100 {
			m.includes("M0", false)
		}
		assert.Less(t, time.Since(began), 20*time.Second, what)
	}
	_, ok := define([]byte(strings.Repeat(strings.Repeat("#define M ", 100)+"\n", 1000)))
	assert.False(t, ok)
	f := scan([]byte("#include <a.h>\n#define M __TIME__$\n"))
	assert.Equal(t, "__TIME__", f.clock)
}

// TestMostComputed: a text can't have a search take long by includes of macros.
func TestMostComputed(t *testing.T) {
	f := scan([]byte(strings.Repeat("#include M\n", mostComputed)))
	assert.Empty(t, f.unseen)
	f = scan([]byte(strings.Repeat("#include M\n", mostComputed+1)))
	assert.Equal(t, "so many #include of macros", f.unseen)
}
