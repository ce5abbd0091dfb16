package ptx

// A Module is a PTX text as a tree. See the PTX ISA manual, "PTX Module Directives".
//
// [Parse] makes one; a node that a caller makes is printed as it is, without a check.
// Safe for concurrent use after it is made; its fields must not change.
type Module struct {
	Version     Version
	Target      Target
	AddressSize int    // 32 or 64; 0 where the text doesn't say
	Items       []Item // in the order of the text
}

// A Version is the version of the PTX language, as in ".version 8.4".
// Safe for concurrent use after it is made; its fields must not change.
type Version struct{ Major, Minor int }

// A Target is what ".target" names: "sm_90a", and platform options such as "debug" or "texmode_independent".
// Safe for concurrent use after it is made; its fields must not change.
type Target struct {
	Arch    string
	Options []string
}

// Debug reports whether the module is compiled for debugging (NVRTC's -G).
func (t Target) Debug() bool {
	for _, o := range t.Options {
		if o == "debug" {
			return true
		}
	}
	return false
}

// An Item stands at the top level of a module: a [*Variable], [*Function], [*Alias], [*Pragma], [*File] or [*Section].
// Safe for concurrent use after it is made; its fields must not change.
type Item interface {
	item()
	// Pos is the item's line in the text it was read from, 0 for one that was not read.
	Pos() int
}

// An Alias gives a function a second name: ".alias Name, Target;". Since CUDA 10.0 (PTX 6.3).
// Safe for concurrent use after it is made; its fields must not change.
type Alias struct {
	Name, Target string
	Line         int
}

// A Pragma holds the strings of a ".pragma" directive, without their quotes.
// Safe for concurrent use after it is made; its fields must not change.
type Pragma struct {
	Strings []string
	Line    int
}

func (*Variable) item() {}
func (*Function) item() {}
func (*Alias) item()    {}
func (*Pragma) item()   {}
func (*File) item()     {}
func (*Section) item()  {}

// Pos returns Line.
func (a *Alias) Pos() int { return a.Line }

// Pos returns Line.
func (p *Pragma) Pos() int { return p.Line }

// Entries returns the kernels that m defines, in their order in the text.
func (m *Module) Entries() []*Function {
	var found []*Function
	for _, it := range m.Items {
		if f, ok := it.(*Function); ok && f.Entry && f.Body != nil {
			found = append(found, f)
		}
	}
	return found
}

// Entry returns the kernel of that (mangled) name, nil if m defines none.
func (m *Module) Entry(name string) *Function {
	if f := m.Function(name); f != nil && f.Entry && f.Body != nil {
		return f
	}
	return nil
}

// Functions returns every function of m, declared or defined, in their order in the text. A function that is declared first and
// defined later is there twice.
func (m *Module) Functions() []*Function {
	var found []*Function
	for _, it := range m.Items {
		if f, ok := it.(*Function); ok {
			found = append(found, f)
		}
	}
	return found
}

// Function returns the kernel or function of that name, its definition rather than a declaration, nil if there is neither.
func (m *Module) Function(name string) *Function {
	var declared *Function
	for _, it := range m.Items {
		if f, ok := it.(*Function); ok && f.Name == name {
			if f.Body != nil {
				return f
			}
			declared = f
		}
	}
	return declared
}

// Variable returns the variable at the top level that has that name, its definition rather than an extern declaration, nil
// if there is neither.
func (m *Module) Variable(name string) *Variable {
	var declared *Variable
	for _, it := range m.Items {
		if v, ok := it.(*Variable); ok && v.Name == name {
			if v.Linkage != LinkExtern {
				return v
			}
			declared = v
		}
	}
	return declared
}
