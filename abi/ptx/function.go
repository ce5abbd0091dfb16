package ptx

import "iter"

// A Function is a kernel (".entry") or a device function (".func"). See the PTX ISA manual, "Specifying Kernel Entry Points and Functions".
// Safe for concurrent use after it is made; its fields must not change.
type Function struct {
	Linkage    Linkage
	Entry      bool // a kernel
	Attributes []Attribute
	Name       string
	Return     []Param
	Params     []Param
	Directives []Directive // between the parameters and the body
	Body       *Block      // nil for a declaration
	Line       int
}

// A Directive of a function, such as ".maxntid 128, 1, 1", ".minnctapersm 2", ".maxnreg 32", ".noreturn" or ".pragma". Parse takes any name
// there. See the PTX ISA manual, "Performance-Tuning Directives" and "Cluster Dimension Directives".
// Safe for concurrent use after it is made; its fields must not change.
type Directive struct {
	Name    string   // without its dot
	Args    []int64  // numbers
	Strings []string // of a ".pragma"
}

// Pos returns Line.
func (f *Function) Pos() int { return f.Line }

// Directive returns the arguments of the directive of that name and whether f has it.
func (f *Function) Directive(name string) ([]int64, bool) {
	for _, d := range f.Directives {
		if d.Name == name {
			return d.Args, true
		}
	}
	return nil, false
}

// Instructions returns the instructions of f in their order, those of nested blocks too.
func (f *Function) Instructions() iter.Seq[*Instruction] {
	return func(yield func(*Instruction) bool) {
		if f.Body != nil {
			f.Body.instructions(yield)
		}
	}
}

func (b *Block) instructions(yield func(*Instruction) bool) bool {
	for _, s := range b.Statements {
		switch s := s.(type) {
		case *Instruction:
			if !yield(s) {
				return false
			}
		case *Block:
			if !s.instructions(yield) {
				return false
			}
		}
	}
	return true
}
