package ptx

import "strconv"

// Print writes m as PTX: without comments, in one layout, so that equal trees give equal texts. For a tree that [Parse] made,
// parsing the text gives an equal tree (but for line numbers) and printing that gives the same text.
//
// What an assembler gets this way is what the tree says and nothing that only another lexer would see: a check of the tree is a
// check of the printed text, not of the text the tree was read from.
func (m *Module) Print() string {
	w := &writer{}
	w.s(".version ").int(int64(m.Version.Major)).s(".").int(int64(m.Version.Minor))
	w.s("\n.target ").s(m.Target.Arch)
	for _, o := range m.Target.Options {
		w.s(", ").s(o)
	}
	w.s("\n")
	if m.AddressSize != 0 {
		w.s(".address_size ").int(int64(m.AddressSize)).s("\n")
	}
	for _, it := range m.Items {
		w.item(it)
	}
	return string(w.b)
}

// String is Print.
func (m *Module) String() string { return m.Print() }

// A writer appends text.
type writer struct {
	b      []byte
	indent int
}

func (w *writer) s(s string) *writer {
	w.b = append(w.b, s...)
	return w
}

func (w *writer) int(n int64) *writer {
	w.b = strconv.AppendInt(w.b, n, 10)
	return w
}

func (w *writer) uint(n uint64) *writer {
	w.b = strconv.AppendUint(w.b, n, 10)
	return w
}

func (w *writer) tabs() *writer {
	for range w.indent {
		w.b = append(w.b, '\t')
	}
	return w
}

func (w *writer) item(it Item) {
	switch it := it.(type) {
	case *Variable:
		w.variable(it)
	case *Function:
		w.function(it)
	case *Alias:
		w.s(".alias ").s(it.Name).s(", ").s(it.Target).s(";\n")
	case *Pragma:
		w.pragma(it.Strings)
	case *File:
		w.s(".file ").int(it.Index).s(` "`).s(it.Path).s(`"`)
		if it.HasInfo {
			w.s(", ").uint(it.Time).s(", ").uint(it.Size)
		}
		w.s("\n")
	case *Section:
		w.section(it)
	}
}

func (w *writer) pragma(list []string) {
	w.tabs().s(".pragma ")
	for i, s := range list {
		if i > 0 {
			w.s(", ")
		}
		w.s(`"`).s(s).s(`"`)
	}
	w.s(";\n")
}

func (w *writer) section(s *Section) {
	w.s(".section .").s(s.Name).s("\n{\n")
	for _, d := range s.Data {
		if d.Label != "" {
			w.s(d.Label).s(":\n")
		}
		if d.Type == "" {
			continue
		}
		w.s(".").s(string(d.Type)).s(" ").operands(d.Values, ",").s("\n")
	}
	w.s("}\n")
}

func (w *writer) linkage(l Linkage) *writer {
	if l != LinkInternal {
		w.s(".").s(string(l)).s(" ")
	}
	return w
}

func (w *writer) attributes(list []Attribute) {
	for i, a := range list {
		if i == 0 {
			w.s(".attribute(")
		} else {
			w.s(", ")
		}
		w.s(".").s(a.Name)
		for j, n := range a.Args {
			if j == 0 {
				w.s("(")
			} else {
				w.s(", ")
			}
			w.uint(n)
		}
		if len(a.Args) > 0 {
			w.s(")")
		}
	}
	if len(list) > 0 {
		w.s(") ")
	}
}

// shape writes what a variable and a parameter have in front of the name.
func (w *writer) shape(alignment, vector int, t Type) {
	if alignment != 0 {
		w.s(".align ").int(int64(alignment)).s(" ")
	}
	if vector != 0 {
		w.s(".v").int(int64(vector)).s(" ")
	}
	w.s(".").s(string(t)).s(" ")
}

func (w *writer) dims(dims []int64) {
	for _, d := range dims {
		w.s("[")
		if d != Unsized {
			w.int(d)
		}
		w.s("]")
	}
}

func (w *writer) variable(v *Variable) {
	w.tabs().linkage(v.Linkage).s(".").s(string(v.Space)).s(" ")
	w.attributes(v.Attributes)
	w.shape(v.Alignment, v.Vector, v.Type)
	w.s(v.Name)
	if v.Range {
		w.s("<").int(int64(v.Count)).s(">")
	}
	w.dims(v.Dims)
	if v.Init != nil {
		w.s(" = ").operand(v.Init)
	}
	w.s(";\n")
}
