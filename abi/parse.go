package abi

import (
	"fmt"
	"strconv"
	"strings"
)

// maxPointerDepth bounds "float ****x": nobody needs more, and what is printed
// stays readable.
const maxPointerDepth = 8

// ParseSignature reads a kernel's parameter list as it stands in the source:
//
//	const float *x, float *y, float alpha
//
// Names may be left out. "" and "void" are the list without parameters. The types
// are CUDA's own (the error for an unknown one lists them), struct X and enum X
// for the program's own types, and pointers to all of these. const may stand on either side;
// volatile, restrict, __grid_constant__, "T x[]" and comments are understood. Refused, with the reason:
// references, function pointers, "...", default arguments. The error is a *SignatureError.
func ParseSignature(text string) (Signature, error) {
	fail := func(msg string) (Signature, error) {
		return Signature{}, &SignatureError{Signature: text, Index: -1, Msg: msg}
	}
	tokens, err := lex(text)
	if err != nil {
		return fail(err.Error())
	}
	if len(tokens) == 0 || len(tokens) == 1 && tokens[0].text == "void" {
		return Signature{}, nil
	}
	if inner, ok := declaration(text, tokens); ok {
		const alone = "give the parameters alone, without the kernel's name, its parentheses or a semicolon"
		if inner == "" {
			return fail(alone)
		}
		return fail(alone + ": " + strconv.Quote(clip(inner)))
	}
	var sig Signature
	for i, part := range splitParams(tokens) {
		p := paramParser{tokens: part}
		param, err := p.parse()
		if err != nil {
			e := &SignatureError{Signature: text, Index: i, Name: p.name, Msg: err.Error()}
			if len(part) > 0 {
				e.Param = text[part[0].start:part[len(part)-1].end]
			}
			return Signature{}, e
		}
		sig.Params = append(sig.Params, param)
	}
	return sig, nil
}

// A paramParser reads the tokens of one parameter.
type paramParser struct {
	tokens []token
	pos    int
	name   string // of the parameter, as soon as it is known
}

// peek returns the next token's text, "" at the end.
func (p *paramParser) peek() string {
	if p.pos == len(p.tokens) {
		return ""
	}
	return p.tokens[p.pos].text
}

func (p *paramParser) accept(text string) bool {
	if p.pos == len(p.tokens) || p.tokens[p.pos].text != text {
		return false
	}
	p.pos++
	return true
}

func (p *paramParser) parse() (Param, error) {
	if len(p.tokens) == 0 {
		return Param{}, fmt.Errorf("it is empty: a comma too many")
	}
	p.guessName()
	for i, t := range p.tokens {
		// Say what is wrong with these before anything else is found odd.
		if i == 0 && t.text == "..." || t.text == "..." && i == len(p.tokens)-1 {
			return Param{}, fmt.Errorf("a kernel takes no variable arguments")
		}
	}
	if err := p.goOrder(); err != nil {
		return Param{}, err
	}
	base, err := p.base()
	if err != nil {
		return Param{}, err
	}
	t, err := p.stars(base)
	if err != nil {
		return Param{}, err
	}
	name := ""
	if p.pos < len(p.tokens) && p.tokens[p.pos].kind == identifier {
		name = p.tokens[p.pos].text
		p.pos++
	}
	if t, err = p.array(t); err != nil {
		return Param{}, err
	}
	if p.pos < len(p.tokens) {
		return Param{}, p.unexpected()
	}
	if t.Kind == Void {
		return Param{}, fmt.Errorf("void is no value; a pointer to anything is void *")
	}
	if name != "" && reserved[name] {
		return Param{}, fmt.Errorf("%s is no name for a parameter", name)
	}
	t.Const, t.Volatile = false, false // of the kernel's own copy
	return Param{Name: name, Type: t}, nil
}

// guessName finds the name for errors about the type: the last word of two or more.
func (p *paramParser) guessName() {
	n := len(p.tokens)
	for n > 0 && (p.tokens[n-1].kind != identifier) {
		n--
	}
	if n < 2 {
		return
	}
	last := p.tokens[n-1].text
	before := p.tokens[n-2].text
	if _, known := types[last]; known || reserved[last] || before == "::" || before == "struct" || before == "enum" {
		return
	}
	p.name = last
}

// stars reads the pointers after the base type.
func (p *paramParser) stars(t Type) (Type, error) {
	for depth := 0; p.accept("*"); {
		if depth++; depth > maxPointerDepth {
			return t, fmt.Errorf("more than %d levels of pointers", maxPointerDepth)
		}
		elem := t
		t = Type{Kind: Pointer, Elem: &elem}
		for p.qualifier(&t) {
		}
	}
	if p.peek() == "&" {
		return t, fmt.Errorf("a kernel can't take a reference: its address would be the host's; pass a pointer (%s) or the value", (&Type{Kind: Pointer, Elem: &t}).String())
	}
	return t, nil
}

// array reads "[]" or "[4]" after the name, which makes a pointer.
func (p *paramParser) array(t Type) (Type, error) {
	if !p.accept("[") {
		return t, nil
	}
	if p.pos < len(p.tokens) && p.tokens[p.pos].kind != punctuation {
		p.pos++
	}
	if !p.accept("]") {
		return t, fmt.Errorf("the length of an array must be one number or name")
	}
	if p.peek() == "[" {
		return t, fmt.Errorf("an array of arrays arrives as one pointer: write %s", t.declare("*"+p.name))
	}
	if t.Kind == Void {
		return t, fmt.Errorf("an array of void is nothing; a pointer to anything is void *")
	}
	elem := t
	return Type{Kind: Pointer, Elem: &elem}, nil
}

// qualifier reads one qualifier into t. What doesn't change the type is dropped.
func (p *paramParser) qualifier(t *Type) bool {
	switch p.peek() {
	case "const", "__const":
		t.Const = true
	case "volatile":
		t.Volatile = true
	case "restrict", "__restrict__", "__restrict", "__grid_constant__":
	default:
		return false
	}
	p.pos++
	return true
}

func (p *paramParser) unexpected() error {
	t := p.tokens[p.pos]
	switch t.text {
	case "(":
		return fmt.Errorf("a kernel can't take a function or a pointer to one from the host: the host has no address of device code; give the parameter list alone, and an address you have got as unsigned long long")
	case "=":
		return fmt.Errorf("a default argument means nothing to a launch: leave it out")
	case "&":
		return fmt.Errorf("a kernel can't take a reference: pass a pointer or the value")
	}
	before := make([]string, 0, p.pos)
	for _, b := range p.tokens[:p.pos] {
		before = append(before, b.text)
	}
	return fmt.Errorf("%q does not belong after %q", t.text, strings.Join(before, " "))
}
