package rtc

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree is a library in memory.
var tree = map[string]string{
	"b.h": "", "lib/b.h": "", "lib/a.h": "", "lib/sub/c.h": "", "other/b.h": "", "./odd.h": "", "d/../up.h": "", "/abs/x.h": "", "/abs/y.h": "", "../out.h": "",
}

// Each place of a text is looked at a few times, whatever that is made of.
func TestQuotedIncludesOfHostileText(t *testing.T) {
	for _, part := range []string{"R ", "R\"", "#if __has_include(\"", "#/*", "'", "1'"} {
		began := time.Now()
		quotedIncludes(strings.Repeat(part, 1_000_000/len(part)))
		assert.Less(t, time.Since(began), 3*time.Second, part)
	}
}

func TestFindHeader(t *testing.T) {
	for _, c := range []struct{ from, name, want string }{
		{"lib/a.h", "b.h", "lib/b.h"},
		{"other/a.h", "b.h", "other/b.h"}, // no matter that lib has one
		{"third/a.h", "b.h", "b.h"},
		{"lib/a.h", "./b.h", "lib/b.h"},
		{"lib/a.h", "../b.h", "b.h"},
		{"lib/a.h", "../other/b.h", "other/b.h"},
		{"lib/a.h", "other/b.h", "other/b.h"},
		{"lib/a.h", "lib/b.h", "lib/b.h"},
		{"lib/a.h", "sub/../sub/c.h", "lib/sub/c.h"},
		{"lib/sub/c.h", "../b.h", "lib/b.h"},
		{"lib/sub/c.h", "../../b.h", "b.h"},
		{"k.cu", "./b.h", "b.h"},
		{"k.cu", "lib/./b.h", "lib/b.h"},
		{"lib/k.cu", "b.h", "lib/b.h"}, // a source has a folder, too
		{"", "./b.h", "b.h"},
		{"k.cu", "odd.h", "./odd.h"},
		{"k.cu", "./odd.h", "./odd.h"},
		{"k.cu", "up.h", "d/../up.h"},
		{"/abs/x.h", "y.h", "/abs/y.h"},
		{"k.cu", "/abs/y.h", "/abs/y.h"},
		{"k.cu", "../out.h", "../out.h"},
		{"lib/a.h", "../../out.h", "../out.h"},
		{"lib/a.h", "c.h", "c.h"}, // somewhere on disk, perhaps
		{"lib/a.h", "../c.h", "../c.h"},
		{"lib/a.h", `sub\c.h`, `sub\c.h`},
		{"lib/a.h", "", ""},
		{"lib/a.h", ".", "."},
	} {
		in := "#include \"" + c.name + "\"\n"
		got, _ := resolveIncludes(c.from, in, tree)
		assert.Equal(t, "#include \""+c.want+"\"\n", got, "%q in %s", c.name, c.from)
	}
	// One that is asked for by its very name is not another of the same path.
	both := map[string]string{"./a.h": "", "a.h": ""}
	for _, name := range []string{"a.h", "./a.h"} {
		in := "#include \"" + name + "\"\n"
		got, _ := resolveIncludes("k.cu", in, both)
		assert.Equal(t, in, got)
	}
}

func TestRewriteOnlyIncludes(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"two":               {"#include \"b.h\"\nint x;\n#include \"./b.h\"", "#include \"lib/b.h\"\nint x;\n#include \"lib/b.h\""},
		"blanks":            {"  #\t include\"b.h\" // b.h", "  #\t include\"lib/b.h\" // b.h"},
		"comments":          {"/* \n */ # /**/ include /*\n*/ \"b.h\"", "/* \n */ # /**/ include /*\n*/ \"lib/b.h\""},
		"joined lines":      {"#include \\\n \"b.h\"\n#include \\\r\n\"b.h\"", "#include \\\n \"lib/b.h\"\n#include \\\r\n\"lib/b.h\""},
		"CRLF":              {"#include \"b.h\"\r\n#include \"b.h\"\r\n", "#include \"lib/b.h\"\r\n#include \"lib/b.h\"\r\n"},
		"byte order mark":   {"\ufeff#include \"b.h\"\n", "\ufeff#include \"lib/b.h\"\n"},
		"has_include":       {"#if defined(X) && __has_include( \"b.h\" ) // \"\n#elif __has_include(\"./b.h\")\n#endif", "#if defined(X) && __has_include( \"lib/b.h\" ) // \"\n#elif __has_include(\"lib/b.h\")\n#endif"},
		"left out":          {"#if 0\n#include \"b.h\"\n#endif", "#if 0\n#include \"lib/b.h\"\n#endif"},
		"after a number":    {"int n = 1'000'0; // '\n#include \"b.h\"", "int n = 1'000'0; // '\n#include \"lib/b.h\""},
		"after a character": {"char c = '\"', d = '\\'', e = u8'\"';\n#include \"b.h\"", "char c = '\"', d = '\\'', e = u8'\"';\n#include \"lib/b.h\""},
		"after a string":    {"auto s = \"/* \\\" \\\\\";\n#include \"b.h\"", "auto s = \"/* \\\" \\\\\";\n#include \"lib/b.h\""},
		"after a raw one":   {"auto s = R\"(\")\" + R\"x(/* )\")x\";\n#include \"b.h\"", "auto s = R\"(\")\" + R\"x(/* )\")x\";\n#include \"lib/b.h\""},
		"after an error":    {"#error don't \"\n#include \"b.h\"", "#error don't \"\n#include \"lib/b.h\""},
		// These are no includes, or not of a header in memory by a path.
		"angles":             {"#include <b.h>", ""},
		"a macro":            {"#define B \"b.h\"\n#include B", ""},
		"next":               {"#include_next \"b.h\"", ""},
		"not first":          {"x #include \"b.h\"", ""},
		"comment":            {"// #include \"b.h\" \\\n#include \"b.h\"\n/*\n#include \"b.h\"\n*/", ""},
		"string":             {"auto s = \"\\\n#include \\\"b.h\\\"\";", ""},
		"raw string":         {"auto s = R\"x(\n#include \"b.h\"\n)\" )x\", t = u8R\"(\n#include \"b.h\"\n)\";", ""},
		"unterminated":       {"#include \"b.h", ""},
		"over the line":      {"#include \"b.h\n\"", ""},
		"a comment no end":   {"/* #include \"b.h\"", ""},
		"raw string, no end": {"auto s = R\"(\n#include \"b.h\"\n", ""},
		"nothing":            {"#include", ""},
		"no has_include":     {"#if has_include(\"b.h\") __has_include(<b.h>) __has_include", ""},
		"empty":              {"", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		headers := map[string]string{"lib/a.h": c.text, "lib/b.h": "x"}
		_, got := resolveIncludes("k.cu", "", headers)
		assert.Equal(t, c.want, got["lib/a.h"], name)
		assert.Equal(t, c.text, headers["lib/a.h"], "the user's own stay")
		assert.Equal(t, "x", got["lib/b.h"])
	}
	source, headers := resolveIncludes("k.cu", "#include \"./k.h\"", nil)
	assert.Equal(t, "#include \"./k.h\"", source)
	assert.Nil(t, headers)
}

// Whatever the text is, only names change, and no line moves.
func FuzzResolveIncludes(f *testing.F) {
	for _, seed := range []string{
		"#include \"uniq.h\"\n", "/*\"*/#include \"uniq.h\"", "R\"x(\n#include \"uniq.h\")x\"", "#if __has_include(\"uniq.h\")\n", "'\\\n#include \"uniq.h\"",
		"1'0#include \"uniq.h\"", "\ufeff#include\\\r\n\"../w/uniq.h\"", "#include \"", "R\"", "//\\", "\"\\", "#if '", "#include \"uniq.h\"#include \"uniq.h\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		headers := map[string]string{"w/a.h": text, "w/uniq.h": ""}
		_, got := resolveIncludes("k.cu", "", headers)
		names, around := apart(text)
		newNames, newAround := apart(got["w/a.h"])
		require.Equal(t, around, newAround)
		r := includer{headers, map[string]string{"w/a.h": "w/a.h", "w/uniq.h": "w/uniq.h"}}
		for i, name := range names {
			require.NotContains(t, name, "\n")
			require.Equal(t, r.find("w", name), newNames[i])
		}
	})
}

// apart is the names of quoted includes, and the text around them.
func apart(text string) (names, around []string) {
	done := 0
	if mayInclude(text) {
		for _, q := range quotedIncludes(text) {
			names, around = append(names, text[q.start:q.end]), append(around, text[done:q.start])
			done = q.end
		}
	}
	return names, append(around, text[done:])
}
