package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// names are what a scan finds, "name" or <name>, with a + for those whose
// search does not stop.
func names(f findings) (all []string) {
	for _, i := range f.includes {
		name := "<" + i.name + ">"
		if i.quoted {
			name = `"` + i.name + `"`
		}
		if i.next {
			name += "+"
		}
		all = append(all, name)
	}
	return all
}

// TestScan holds the scan to every spelling that NVRTC 11.2, 11.8 and 12.4 were
// seen to read a file by.
func TestScan(t *testing.T) {
	for text, want := range map[string]string{
		``:                                                       ``,
		`__global__ void k() {}`:                                 ``,
		`#include "a.h"`:                                         `"a.h"`,
		`#include <a.h>`:                                         `<a.h>`,
		" \t#\t include\v \"a b.h\" x":                           `"a b.h"`,
		"#\v\finclude\v\"a.h\"":                                  `"a.h"`,
		"#/*x*/include/*y\n*/\"a.h\"":                            `"a.h"`,
		`/* */ # include <a.h>`:                                  `<a.h>`,
		"#include \\\n\"a.h\"":                                   `"a.h"`,
		"#\\\ninc\\\nlude \"a.h\"":                               `"a.h"`,
		"#inc\\\r\nlude \"a\\\r\n.h\"":                           `"a.h"`,
		`%:include "a.h"`:                                        `"a.h"`,
		"%\\\n:include \"a.h\"":                                  `"a.h"`,
		`??=include "a.h"`:                                       `"a.h"`,
		"#inc??/\nlude \"a.h\"":                                  `"a.h"`,
		`#include_next <a.h>`:                                    `<a.h>+`,
		`#import "a.h"`:                                          `"a.h"`,
		`#include <sub//../a.h>`:                                 `<sub//../a.h>`,
		`#include <a/**/.h>`:                                     `<a/**/.h>`,
		`#include "a.h "`:                                        `"a.h "`,
		"R\"(\"\n#include \"a.h\"\n)\"":                          `"a.h"`,
		"x = R\"/*(\n)/*\";\n#include \"a.h\"\n":                 `"a.h"`,
		"#if 0\n#include <a.h>\n#endif\n":                        `<a.h>`,
		"#include <a.h>\n#include \"b.h\"\n#include <a.h>":       `<a.h> "b.h"`,
		`#if __has_include(<a.h>)`:                               `<a.h>`,
		`#if __has_include  ( /*c*/ "a.h" )`:                     `"a.h"`,
		"#if __has_\\\ninclude(<a.h>)":                           `<a.h>`,
		`#elif !__has_include_next(<a.h>)`:                       `<a.h>+`,
		`#define mydef __has_include(<a.h>)`:                     `<a.h>`,
		"#ifdef __has_include\n#if defined __has_include\n":      ``,
		"#if defined( __has_include ) && defined(__has_include)": ``,
		`#include MACRO`:                                         `!#include of a macro`,
		`#include MACRO(a) "b.h"`:                                `!#include of a macro`,
		`#include L"a.h"`:                                        `!#include of a macro`,
		"#inc\\\nlude MACRO":                                     `!#include of a macro`,
		`%:include MACRO`:                                        `!#include of a macro`,
		"x = 1'0;\n#include M // '":                              `!#include of a macro`,
		"R\"(\n#include M\n)\"":                                  `!#include of a macro`, // it is code in C++03
		"#ifdef __has_include\n# define LIB_HAS_INCLUDE(_X) __has_include(_X)\n#else\n# define LIB_HAS_INCLUDE(_X) 0\n#endif": ``,
		"#ifndef __has_include\n#define __has_include(x) 0\n#endif":                                                           ``,
		"#if LIB_HAS_INCLUDE(<a.h>) && lib_has_include_next(\"b.h\")":                                                         `"b.h"+ <a.h>`,
		`#if LIB_HAS_INCLUDE(X)`:                                    `!LIB_HAS_INCLUDE of a macro`,
		`#define OTHER(x) LIB_HAS_INCLUDE(x)`:                       `!LIB_HAS_INCLUDE of a macro`,
		`#define LIB_HAS_INCLUDE(x) __has_include(y)`:               `!__has_include of a macro`,
		`#define LIB_HAS_INCLUDE __has_include`:                     `!__has_include of a macro`,
		`#define LIB_HAS_INCLUDE(x) __has_include(x y)`:             `!__has_include of a macro`,
		`#define HAS(x) __has_include(x)`:                           `!__has_include of a macro`,
		`#define HAS __has_include`:                                 `!__has_include of a macro`,
		`#define undef __has_include`:                               `!__has_include of a macro`,
		`s = __TIME__;`:                                             `!__TIME__`,
		"s = __DA\\\nTE__;":                                         `!__DATE__`,
		`s = __TIMESTAMP__;`:                                        `!__TIMESTAMP__`,
		"s = \"it's\" __TIME__;":                                    `!__TIME__`,
		"a\x00b":                                                    `!bytes that are no text`,
		"// __TIME__ and #include MACRO, __has_include too\nint x;": ``,
		"/* __DATE__\n * #include of a macro\n */":                  ``,
		`puts("__TIME__ #include X");`:                              ``,
		"// a comment \\\n#include MACRO":                           ``,
		"#define STR(x) #x\n#error #including\n#includes \"a.h\"":   ``,
		// What hid the rest of a text while literals and comments were told from code.
		"#define X R\"x()\\\nx\" /* )x\"\n#include M\n//*/":         `!#include of a macro`,
		"#define X 1.a'b' /* '\n#include M\n//*/":                   `!#include of a macro`,
		"#define X R\"x(\" /* )x\"\n#define Y 1.R\"(\"\n#include M": `!#include of a macro`,
		"#if 0\n\"\\\\\n\n\" /*\n#endif\n#include M\n//*/":          `!#include of a macro`,
		"#if __has_include(</*>)\n#endif\n#include M\n//*/":         `!#include of a macro`,
		"/*\n*/ #include M":                                    `!#include of a macro`,
		"/* */ %:if /*\n*/ __has_include(M)":                   `!__has_include of a macro`,
		"#define Has_Include(x) __has_include(x)":              `!__has_include of a macro`,
		"#define define\n#if define __has_include(M)":          `!__has_include of a macro`,
		"# define QT_HAS_INCLUDE(x) 0\n# ifdef QT_HAS_INCLUDE": ``,
		"x /* #include M */":                                   ``,
		"/* of __has_include\n * and #if __has_include(x) */":  ``,
		"#include":     `!#include of a macro`,
		"#include <a":  `!#include of a macro`,
		"#include \"a": `!#include of a macro`,
		"#":            ``,
		"__has_":       ``,
	} {
		f := scan([]byte(text))
		got := strings.Join(names(f), " ")
		switch hidden := cmp.Or(f.unseen, f.clock); {
		case hidden != "":
			got = "!" + hidden
		case len(f.computed) > 0:
			got = "!" + byMacro
		}
		assert.Equal(t, want, got, "%q", text)
	}
}

// TestScanOfHostileText: a scan, which nothing stops, takes time by the length of a
// text and not by its square. Of 200 KB such as these some took ten seconds.
func TestScanOfHostileText(t *testing.T) {
	const size = 500_000
	var many strings.Builder
	for i := 0; many.Len() < size; i++ {
		fmt.Fprintf(&many, "#include <%d>\n", i)
	}
	texts := []string{many.String(), "#include M\n" + strings.Repeat("1,", size/2), strings.Repeat("#/*", size/6) + "*/include <" + strings.Repeat("a", size/2)}
	for _, part := range []string{
		"#include <", "#include \"", "#/*", "__has_include(/*", "__has_include(<", "has_include", "__has_include ", "__TIME",
		"#define has_include(x) has_include/*\n", "M R\"(", "M R\"", "a'", "\\\n", "/*#/*x*/", "/*has_include/*x*/", "??/\n", "# ", "defined(has_include ",
	} {
		texts = append(texts, strings.Repeat(part, size/len(part)), "#include M\n"+strings.Repeat(part, size/len(part))+"*/(x)")
	}
	for _, text := range texts {
		began := time.Now()
		scan([]byte(text))
		redirect(text, include{name: "a", quoted: true}, "b")
		assert.Less(t, time.Since(began), 5*time.Second, "%.50q", text)
	}
}

// A name that no file can have is one that can't be told.
func TestScanOfALongName(t *testing.T) {
	for n, want := range map[int][]computed{mostName - 1: nil, mostName: {{expression: " "}}} {
		f := scan([]byte("#include <" + strings.Repeat("a", n) + ">\n"))
		assert.Equal(t, want, f.computed)
	}
	_, ok := macrosOf(t).includes(" ", false)
	assert.False(t, ok)
}

func FuzzScan(f *testing.F) {
	f.Add("#include \"a.h\"\n", "R\"(")
	f.Add("#include M\n", "\"/*")
	f.Add("??=include <b>", "1'0")
	f.Add("#if __has_include(<a.h>)", "%:")
	f.Fuzz(func(t *testing.T, a, b string) {
		// What a line of its own includes is found whatever stands around it, if
		// only no splice takes the line away.
		const line = "\n#include \"found.h\"\n"
		found := scan([]byte(a + line + b))
		if found.unseen == "bytes that are no text" || strings.HasSuffix(a, `\`) || strings.HasSuffix(a, "??/") || strings.HasSuffix(a, "\r") {
			return
		}
		if !slices.Contains(names(found), `"found.h"`) {
			t.Fatalf("%q hides it", a)
		}
		// And so is that it includes by a macro.
		computed := scan([]byte(a + "\n#include M\n" + b))
		if computed.unseen == "" && len(computed.computed) == 0 || scan([]byte(a+"\n%:if __has_include(M)\n"+b)).unseen == "" {
			t.Fatalf("%q hides a macro", a)
		}
	})
}
