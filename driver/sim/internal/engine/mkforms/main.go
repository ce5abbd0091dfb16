// Command mkforms makes zforms.go, the operations of a warp, of forms.txt.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := generate("forms.txt", "zforms.go"); err != nil {
		fmt.Fprintln(os.Stderr, "mkforms:", err)
		os.Exit(1)
	}
}

func generate(in, out string) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	forms, err := read(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	code, err := write(forms)
	if err != nil {
		return err
	}
	return os.WriteFile(out, code, 0o644)
}

// A form is an instruction form with what its operation does.
type form struct {
	name  string
	kinds []string // destination, sources
	expr  string
	lanes string // a function that does all lanes, or ""
	fn    string // the operation, where that is no loop over an expression; else ""
	line  int
}

var lineText = regexp.MustCompile(`^(\S+)\s+([a-z0-9$ ]+?)\s*= (.+)$`)

// read expands the lines of the table.
func read(text string) ([]form, error) {
	var forms []form
	seen := map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := lineText.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d: not FORM DEST SOURCE... = EXPRESSION", i+1)
		}
		for _, x := range expand(m[1]) {
			f := form{name: x.text, kinds: strings.Fields(x.fill(m[2])), line: i + 1}
			if fn, ok := strings.CutPrefix(x.fill(m[3]), "func "); ok {
				f.fn = fn
			} else {
				f.expr, f.lanes, _ = strings.Cut(x.fill(m[3]), " ; ")
			}
			for _, k := range f.kinds {
				if kinds[k].goType == "" {
					return nil, fmt.Errorf("line %d: no kind %s", i+1, k)
				}
			}
			if at, ok := seen[f.name]; ok {
				return nil, fmt.Errorf("line %d: %s stands on line %d already", i+1, f.name, at)
			}
			if len(f.kinds) > 5 {
				return nil, fmt.Errorf("line %d: more than four sources", i+1)
			}
			seen[f.name] = i + 1
			forms = append(forms, f)
		}
	}
	return forms, nil
}

// An expansion is a form with what its braces stood for.
type expansion struct {
	text    string
	choices []string
}

// fill puts the choices in the places of $1 and $2, their Go types in those of $g1 and $g2, and the endings of number's functions in those of
// $N1 and $N2.
func (x expansion) fill(s string) string {
	for i, c := range x.choices {
		s = strings.ReplaceAll(s, fmt.Sprintf("$N%d", i+1), ending(c))
		s = strings.ReplaceAll(s, fmt.Sprintf("$g%d", i+1), kinds[c].goType)
		s = strings.ReplaceAll(s, fmt.Sprintf("$%d", i+1), c)
	}
	return s
}

// expand lists the forms that a pattern stands for.
func expand(pattern string) []expansion {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []expansion{{text: pattern}}
	}
	end := open + strings.IndexByte(pattern[open:], '}')
	var all []expansion
	for _, choice := range strings.Split(pattern[open+1:end], ",") {
		for _, rest := range expand(pattern[end+1:]) {
			head := pattern[:open] + choice
			if choice == "" {
				head = strings.TrimSuffix(head, ".")
			}
			all = append(all, expansion{head + rest.text, append([]string{choice}, rest.choices...)})
		}
	}
	return all
}

// ending is how the package number writes a modifier: S32, BF16x2, RZ, and nothing for rn.
func ending(c string) string {
	if c == "rn" {
		return ""
	}
	name := []byte(strings.ToUpper(c))
	if at := strings.IndexByte(c, 'x'); at > 0 {
		name[at] = 'x'
	}
	return string(name)
}

// A kind is how an operation looks at a register.
type kind struct {
	bank   string // the field of a warp
	goType string
	load   string // of the register's word %s
	store  string
}

var kinds = map[string]kind{
	"u8": {"r32", "uint8", "uint8(%s)", "uint32(%s)"}, "b8": {"r32", "uint8", "uint8(%s)", "uint32(%s)"},
	"s8":  {"r32", "int8", "int8(%s)", "uint32(uint8(%s))"},
	"u16": {"r32", "uint16", "uint16(%s)", "uint32(%s)"}, "b16": {"r32", "uint16", "uint16(%s)", "uint32(%s)"},
	"f16": {"r32", "uint16", "uint16(%s)", "uint32(%s)"}, "bf16": {"r32", "uint16", "uint16(%s)", "uint32(%s)"},
	"f16x2": {"r32", "uint32", "%s", "%s"}, "bf16x2": {"r32", "uint32", "%s", "%s"},
	"u16x2": {"r32", "uint32", "%s", "%s"}, "s16x2": {"r32", "uint32", "%s", "%s"},
	"s16": {"r32", "int16", "int16(%s)", "uint32(uint16(%s))"},
	"u32": {"r32", "uint32", "%s", "%s"}, "b32": {"r32", "uint32", "%s", "%s"},
	"s32": {"r32", "int32", "int32(%s)", "uint32(%s)"},
	"f32": {"r32", "float32", "math.Float32frombits(%s)", "math.Float32bits(%s)"},
	"u64": {"r64", "uint64", "%s", "%s"}, "b64": {"r64", "uint64", "%s", "%s"},
	"s64":  {"r64", "int64", "int64(%s)", "uint64(%s)"},
	"f64":  {"r64", "float64", "math.Float64frombits(%s)", "math.Float64bits(%s)"},
	"pred": {"p", "bool", "%s>>(i&31)&1 != 0", ""},
}

// write makes the file. Forms that do the same share a function. The table is in the order of names, and all data: there is nothing to do when a
// program starts, so that the linker can leave it out of programs that never load a module for a simulated device.
func write(forms []form) ([]byte, error) {
	var b, table bytes.Buffer
	b.WriteString("// Code generated by mkforms from forms.txt. DO NOT EDIT.\n\npackage engine\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n")
	for _, f := range forms {
		if strings.Contains(f.expr, "number.") {
			b.WriteString("\n\t\"github.com/purecuda/purecuda/driver/sim/internal/number\"\n")
			break
		}
	}
	b.WriteString(")\n")
	funcs := map[string]string{}
	for i, f := range forms {
		if f.fn != "" {
			continue
		}
		text := body(f)
		name := funcs[text]
		if name == "" {
			name = funcName(f.name)
			funcs[text] = name
			fmt.Fprintf(&b, "\n// %s\nfunc %s(w *warp, o *op) {\n%s}\n", f.name, name, text)
		}
		forms[i].fn = name
	}
	slices.SortFunc(forms, func(a, b form) int { return strings.Compare(a.name, b.name) })
	for _, f := range forms {
		fmt.Fprintf(&table, "\t{%q, %s, []kind{", f.name, f.fn)
		for i, k := range f.kinds {
			if i > 0 {
				table.WriteString(", ")
			}
			fmt.Fprintf(&table, "%q", k)
		}
		fmt.Fprintf(&table, "}},\n")
	}
	fmt.Fprintf(&b, "\nvar formTable = [...]form{\n%s}\n", table.String())
	return format.Source(b.Bytes())
}

func funcName(form string) string {
	s := "op"
	for _, part := range strings.FieldsFunc(form, func(r rune) bool { return r == '.' || r == ':' || r == '_' }) {
		s += strings.ToUpper(part[:1]) + part[1:]
	}
	return s
}

// body is the function's text: a loop over all lanes, and one over those of the mask.
func body(f form) string {
	var b strings.Builder
	dest := kinds[f.kinds[0]]
	expr := f.expr
	var loads strings.Builder
	for i, k := range f.kinds[1:] {
		name := "abce"[i : i+1]
		used := regexp.MustCompile(`\b` + name + `\b`).MatchString(expr)
		if !used {
			continue
		}
		word := name + "s[i]"
		if k == "pred" {
			word = name + "s"
			fmt.Fprintf(&b, "%ss := w.p[o.%s]\n", name, name)
		} else {
			fmt.Fprintf(&b, "%ss := &w.%s[o.%s]\n", name, kinds[k].bank, name)
		}
		fmt.Fprintf(&loads, "%s := %s\n", name, fmt.Sprintf(kinds[k].load, word))
	}
	if f.kinds[0] == "pred" {
		step := loads.String() + fmt.Sprintf("if %s {\nr |= 1 << (i&31)\n}\n", expr)
		fmt.Fprintf(&b, "r := uint32(0)\nif w.all {\nfor i := range 32 {\n%s}\n} else {\nfor m := w.mask; m != 0; m &= m - 1 {\ni := bits.TrailingZeros32(m) & 31\n%s}\n}\n", step, step)
		b.WriteString("w.p[o.d] = w.p[o.d]&^w.mask | r&w.mask\n")
		return b.String()
	}
	fmt.Fprintf(&b, "d := &w.%s[o.d]\n", dest.bank)
	step := loads.String() + "d[i] = " + fmt.Sprintf(dest.store, "("+expr+")") + "\n"
	if f.lanes != "" {
		fmt.Fprintf(&b, "if w.all {\n%s(d", f.lanes)
		for i := range f.kinds[1:] {
			fmt.Fprintf(&b, ", %cs", "abce"[i])
		}
		fmt.Fprintf(&b, ")\nreturn\n}\nfor m := w.mask; m != 0; m &= m - 1 {\ni := bits.TrailingZeros32(m) & 31\n%s}\n", step)
		return b.String()
	}
	fmt.Fprintf(&b, "if w.all {\nfor i := range 32 {\n%s}\nreturn\n}\nfor m := w.mask; m != 0; m &= m - 1 {\ni := bits.TrailingZeros32(m) & 31\n%s}\n", step, step)
	return b.String()
}
