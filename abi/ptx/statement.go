package ptx

// A Statement stands in a function's body: an [*Instruction], [*Label], [*Variable], [*Block], [*Loc], [*Pragma],
// [*BranchTargets], [*CallTargets] or [*CallPrototype].
// Safe for concurrent use after it is made; its fields must not change.
type Statement interface {
	statement()
	// Pos is the statement's line in the text it was read from, 0 for one that was not read.
	Pos() int
}

// A Block is a body or a nested "{ }", which is a scope of names.
// Safe for concurrent use after it is made; its fields must not change.
type Block struct {
	Statements []Statement
	Line       int // of "{"
	End        int // line of "}"
}

// A Label is a place to branch to.
// Safe for concurrent use after it is made; its fields must not change.
type Label struct {
	Name string
	Line int
}

// BranchTargets lists where a brx.idx may go: "Name: .branchtargets L1, L2;".
// Safe for concurrent use after it is made; its fields must not change.
type BranchTargets struct {
	Name   string
	Labels []string
	Line   int
}

// CallTargets lists what an indirect call may call: "Name: .calltargets f, g;".
// Safe for concurrent use after it is made; its fields must not change.
type CallTargets struct {
	Name      string
	Functions []string
	Line      int
}

// A CallPrototype is the signature of an indirect call: "Name: .callprototype (ret) _ (params);".
// Safe for concurrent use after it is made; its fields must not change.
type CallPrototype struct {
	Name       string
	Return     []Param
	Params     []Param
	Directives []Directive // such as ".noreturn"
	Line       int
}

func (*Instruction) statement()   {}
func (*Label) statement()         {}
func (*Variable) statement()      {}
func (*Block) statement()         {}
func (*Loc) statement()           {}
func (*Pragma) statement()        {}
func (*BranchTargets) statement() {}
func (*CallTargets) statement()   {}
func (*CallPrototype) statement() {}

// Pos returns Line.
func (b *Block) Pos() int { return b.Line }

// Pos returns Line.
func (l *Label) Pos() int { return l.Line }

// Pos returns Line.
func (b *BranchTargets) Pos() int { return b.Line }

// Pos returns Line.
func (c *CallTargets) Pos() int { return c.Line }

// Pos returns Line.
func (c *CallPrototype) Pos() int { return c.Line }
