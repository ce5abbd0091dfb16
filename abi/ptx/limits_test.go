package ptx_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

func TestDepth(t *testing.T) {
	nest := func(pre, open, close, post string) func(n int) string {
		return func(n int) string {
			return head + pre + strings.Repeat(open, n) + strings.Repeat(close, n) + post
		}
	}
	for name, text := range map[string]func(int) string{
		"blocks":       nest(".entry k() ", "{", "}", ""),
		"initialisers": nest(".global .u32 x = ", "{", "}", ";"),
		"vectors":      nest(".entry k() { op ", "{", "}", "; }"),
		"minus":        nest(".global .u32 x = ", "- ", "", "1;"),
		"complement":   nest(".global .u32 x = ", "~", "", "1;"),
		"parentheses":  nest(".global .u32 x = 1+", "(1+", "1)", "+1;"),
		"casts":        nest(".global .u32 x = ", "(.u64)", "", "1;"),
		"conditions":   nest(".global .u32 x = ", "1?1:", "", "1;"),
		"conditions 2": nest(".global .u32 x = ", "1?", "1:1", ";"),
		"offsets":      nest(".entry k() { op [a+", "(", "1)", "]; }"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ptx.Parse(text(10))
			if name != "parentheses" && name != "conditions 2" && name != "offsets" {
				require.NoError(t, err)
			}
			for _, n := range []int{ptx.MaxDepth + 2, 100_000, 3_000_000} {
				_, err = ptx.Parse(text(n))
				require.ErrorContains(t, err, "nested more than 64 deep")
			}
		})
	}
}

func TestSize(t *testing.T) {
	_, err := ptx.Parse(head + strings.Repeat(" ", ptx.MaxSize-len(head)))
	require.NoError(t, err)
	_, err = ptx.Parse(head + strings.Repeat(" ", ptx.MaxSize-len(head)+1))
	require.ErrorContains(t, err, "33554433 bytes of text, more than 33554432")
}

// hostile are pieces that, repeated, would show a loop over what was read before. Each # is another number, as a name may be defined once.
var hostile = map[string][3]string{
	"empty blocks":        {".entry k() {", "{}", "}"},
	"labels":              {".entry k() {", "a#:", "}"},
	"instructions":        {".entry k() {", "a;", "}"},
	"operands":            {".entry k() { a 1", ",1", "; }"},
	"modifiers":           {".entry k() { a", ".b", "; }"},
	"one modifier":        {".entry k() { a.a", "::b", "; }"},
	"sum":                 {".global .u32 x = 1", "+1", ";"},
	"product and sum":     {".global .u32 x = 1", "*1+1", ";"},
	"values":              {".global .b8 x[] = {1", ",1", "};"},
	"variables":           {"", ".reg .b32 a#;", ""},
	"names":               {".entry k() { .reg .b32 a", ",a#_<1>", "; }"},
	"scopes":              {".entry k() {", "{.reg .b32 a,b<9>;}", "}"},
	"names and a range":   {".entry k() { .reg .b32 a<1>", ",b#", "; }"},
	"small functions":     {".entry k() {" + repeat("a#:", 1<<19) + "}", ".func f#(){a:}", ""},
	"look-ups":            {".entry k() { .reg .b32 a<9>; op a11111111", ",a11111111111111", "; }"},
	"comments":            {"", "/**/", ""},
	"open comments":       {"", "/*", ""},
	"line comments":       {"", "//\n", ""},
	"blanks after minus":  {".entry k() { op 1", ",-                             1", "; }"},
	"parameters":          {".entry k(.param .u8 a", ",.param .u8 a#", ") {}"},
	"data":                {".section .debug_x {", ".b8 1 ", "}"},
	"declarations":        {"", ".func f();", ""},
	"strings":             {".pragma \"\"", ",\"\"", ";"},
	"long string":         {".file 1 \"", "a", "\""},
	"long name":           {".global .u32 ", "a", ";"},
	"long number":         {".global .u32 x = 0", "0", ";"},
	"long float":          {".global .f32 x = 0.", "0", ";"},
	"directives":          {".entry k()", ".maxnreg 1", "{}"},
	"dimensions":          {".global .u32 x", "[1]", ";"},
	"newlines then error": {"", "\n", "?"},
}

// repeat returns about size bytes of pieces.
func repeat(piece string, size int) string {
	before, after, numbered := strings.Cut(piece, "#")
	if !numbered {
		return strings.Repeat(piece, size/len(piece))
	}
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		b.WriteString(before + strconv.Itoa(n) + after)
	}
	return b.String()
}

// A million pieces take no longer than a million, and memory stays within the bound that MaxSize promises.
func TestHostileTextIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, h := range hostile {
		t.Run(name, func(t *testing.T) {
			big := head + h[0] + repeat(h[1], 1<<20) + h[2]
			start := time.Now()
			_, _ = ptx.Parse(big)
			assert.Less(t, time.Since(start), time.Minute) // some 20 ms; many minutes if it were not linear

			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, _ := ptx.Parse(big)
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(m)
			assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(60*len(big)), "bytes of tree")
		})
	}
}
