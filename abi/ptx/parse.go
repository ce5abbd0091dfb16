package ptx

import (
	"fmt"
	"strings"
)

// A parser reads a text in one pass with one token of look-ahead. The first error ends it: fail leaves the parser at eof.
type parser struct {
	src        string
	tok        kind
	start, end int // of the token
	line       int // of the token
	depth      int
	err        *SyntaxError
	names      names
	defined    defined
	branch     bool // in a bra, whose operand is a label even where a register has that name

	instructions slab[Instruction]
	predicates   slab[Predicate]
	strings      slab[string]
	operands     slab[Operand]
	registers    slab[Register]
	ints         slab[Int]
	floats       slab[Float]
	symbols      slab[Symbol]
	addresses    slab[Address]
	vectors      slab[Vector]
	labels       slab[Label]
	locs         slab[Loc]
	statements   slab[Statement]

	operandStack   []Operand
	statementStack []Statement
	modifierStack  []string
}

// Parse reads a PTX module. NUL bytes at the end, which nvrtcGetPTX gives, are ignored; anywhere else they are an error.
//
// Parse is linear in the length of the text, whatever the text, and reads the language, not its meaning: whether a register is declared
// or an instruction exists is for whoever uses the tree. What defines a name twice in one scope is refused, as ptxas does. The error is a [*SyntaxError]. See the PTX ISA manual,
// "Syntax" and "Directives". Safe for concurrent use.
func Parse(text string) (*Module, error) {
	p := &parser{src: strings.TrimRight(text, "\x00"), line: 1}
	if len(p.src) > MaxSize {
		return nil, &SyntaxError{Line: 1, Column: 1, Msg: fmt.Sprintf("%d bytes of text, more than %d", len(p.src), MaxSize)}
	}
	p.next()
	m := p.module()
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

// fail records the first error, at the current token.
func (p *parser) fail(format string, args ...any) { p.failAt(p.start, p.line, format, args...) }

func (p *parser) failAt(at, line int, format string, args ...any) {
	if p.err == nil {
		column := at - strings.LastIndexByte(p.src[:at], '\n')
		p.err = &SyntaxError{Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
	}
	p.tok, p.start, p.end = eof, len(p.src), len(p.src)
}

// expected fails with what was wanted and what is there.
func (p *parser) expected(what string) {
	if p.tok == eof {
		p.fail("expected %s, found the end of the text", what)
		return
	}
	p.fail("expected %s, found %q", what, clip(p.text()))
}

func (p *parser) text() string { return p.src[p.start:p.end] }

// got moves on if the token is k.
func (p *parser) got(k kind) bool {
	if p.tok != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(k kind) {
	if p.tok != k {
		p.expected("\"" + string(rune(k)) + "\"")
		return
	}
	p.next()
}

// name takes an identifier.
func (p *parser) name(what string) string {
	if p.tok != ident {
		p.expected(what)
		return ""
	}
	s := p.text()
	p.next()
	return s
}

// directive takes a dotted name, without its dot.
func (p *parser) directive(what string) string {
	if p.tok != dotted {
		p.expected(what)
		return ""
	}
	s := p.src[p.start+1 : p.end]
	p.next()
	return s
}

// isDirective reports whether the token is the dotted name s.
func (p *parser) isDirective(s string) bool {
	return p.tok == dotted && p.src[p.start+1:p.end] == s
}

func (p *parser) gotDirective(s string) bool {
	if !p.isDirective(s) {
		return false
	}
	p.next()
	return true
}

// quotedText takes a string, without its quotes and with its escapes as they are.
func (p *parser) quotedText() string {
	if p.tok != quoted {
		p.expected("a string")
		return ""
	}
	s := p.src[p.start+1 : p.end-1]
	p.next()
	return s
}

func (p *parser) enter() bool {
	if p.depth++; p.depth > MaxDepth {
		p.fail("nested more than %d deep", MaxDepth)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }
