package ptx

// A File gives a source file the number that [Loc] names it by: `.file 1 "k.cu"`.
// Safe for concurrent use after it is made; its fields must not change.
type File struct {
	Index   int64
	Path    string // as written between the quotes
	HasInfo bool   // whether Time and Size are written
	Time    uint64
	Size    uint64
	Line    int
}

// A Loc says which place of the source the instructions after it come from (NVRTC's -lineinfo and -G). See the PTX ISA manual,
// "Debugging Directives".
// Safe for concurrent use after it is made; its fields must not change.
type Loc struct {
	File   int64
	Source int64 // line in that file
	Column int64

	Inlined *Inlined // nil where the code was not inlined; since CUDA 11.2 (PTX 7.2)
	Line    int
}

// Inlined says into which place of the source the code at a [Loc] was inlined.
// Safe for concurrent use after it is made; its fields must not change.
type Inlined struct {
	Function       string // label in .debug_str at which the inlined function's name stands
	FunctionOffset int64
	File           int64
	Source         int64 // line in that file
	Column         int64
}

// A Section is a section of debugging data, such as ".debug_info".
// Safe for concurrent use after it is made; its fields must not change.
type Section struct {
	Name string // without its dot
	Data []SectionData
	Line int
}

// SectionData is a line of a [Section]: a label, or values, or a label in front of values.
// Safe for concurrent use after it is made; its fields must not change.
type SectionData struct {
	Label  string    // "" for none
	Type   Type      // "b8", "b16", "b32" or "b64"; "" for a label alone
	Values []Operand // [*Int], [*Symbol] or [*Difference]; the name of a section is a Symbol with its dot
}

// Pos returns Line.
func (f *File) Pos() int { return f.Line }

// Pos returns Line, the line in the PTX text.
func (l *Loc) Pos() int { return l.Line }

// Pos returns Line.
func (s *Section) Pos() int { return s.Line }
