package compile

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPreamble(t *testing.T) {
	for source, want := range map[string]string{
		"":                                  "",
		"int x;\n#include \"a.h\"\n":        "",
		"#define A 1\nint x;":               "",
		"#include \"a.h\"":                  "#include \"a.h\"",
		"#include \"a.h\"\nint x;":          "#include \"a.h\"\n",
		" \t#  include <a.h>\r\nint x;\r\n": " \t#  include <a.h>\r\n",
		"// one\n/* two\nthree */ #include \"a.h\"\n\n// four\nint x;\n":      "// one\n/* two\nthree */ #include \"a.h\"\n",
		"#include \"a.h\"\n#define N 5 \\\n  + 6\n\nint x;":                   "#include \"a.h\"\n#define N 5 \\\n  + 6\n",
		"#if A\n#include \"a.h\"\n#endif\nint x;":                             "#if A\n#include \"a.h\"\n#endif\n",
		"#include \"a.h\"\n#ifdef B\nint x;\n#include \"b.h\"\n#endif\n":      "#include \"a.h\"\n",
		"#ifndef GUARD\n#define GUARD\n#include \"a.h\"\nint x;\n#endif\n":    "",
		"#include \"a.h\"\n#ifdef B\n#if C\n#endif\nint x;\n#endif\n":         "#include \"a.h\"\n",
		"#include \"a.h\" /* never closed\nint x;":                            "#include \"a.h\" /* never closed\n",
		"#include \"a.h\"\n#endif\n#include \"b.h\"\n":                        "#include \"a.h\"\n",
		"#define F \"/*\"\n#include \"a.h\"\n__global__ void k() {}\n// */\n": "#define F \"/*\"\n#include \"a.h\"\n",
	} {
		assert.Equal(t, want, preamble(source), "%q", source)
	}
}
