package ptx

import (
	"strconv"
	"strings"
)

// defined knows what is defined where, so that no name stands for two things in one scope. A label, a variable and a parameter share
// the scope's names; the registers of a range stand beside them.
type defined struct {
	items  map[string]item
	local  map[localName]definition
	undo   []hidden   // what the definitions of the open scopes hide
	depth  int32      // of the open scope
	params []position // of the names of the function's parameters
}

// An item is what a name stands for at the top level.
type item struct {
	line     int
	function bool
	complete bool // defined, not declared only
}

// A localName is a name in a function, or the prefix of a range of registers.
type localName struct {
	name    string
	isRange bool
}

type definition struct {
	position
	depth int32 // of its scope
	count int32 // of a range
	label bool
}

type position struct{ at, line int32 }

type hidden struct {
	name localName
	old  definition
}

// defineItem notes a function, alias or variable of the top level. A name may be declared often and defined once.
func (p *parser) defineItem(name string, function, complete bool, at, line int) {
	old, known := p.defined.items[name]
	switch {
	case p.err != nil:
		return
	case known && old.function != function:
		p.failAt(at, line, "%q is a variable and a function: the other is on line %d", clip(name), old.line)
		return
	case known && old.complete && complete:
		p.failAt(at, line, "%q is defined on line %d already", clip(name), old.line)
		return
	case known && old.complete:
		return
	}
	if p.defined.items == nil {
		p.defined.items = map[string]item{}
	}
	p.defined.items[name] = item{line, function, complete}
}

// open begins a scope and returns what close wants.
func (d *defined) open() int {
	d.depth++
	return len(d.undo)
}

// define notes what a name, or a range's prefix, stands for in the open scope.
func (p *parser) define(name localName, at, line, count int, label bool) {
	d := &p.defined
	if p.err != nil || d.depth == 0 {
		return
	}
	old := d.local[name]
	if old.depth == d.depth {
		p.failAt(at, line, "%q is defined on line %d already", clip(name.name), old.line)
		return
	}
	if d.local == nil {
		d.local = map[localName]definition{}
	}
	d.undo = append(d.undo, hidden{name, old})
	d.local[name] = definition{position{int32(at), int32(line)}, d.depth, int32(count), label}
}

// closeScope ends the scope that began at mark.
func (p *parser) closeScope(mark int) {
	d := &p.defined
	p.namesInRanges(d.undo[mark:])
	for _, h := range d.undo[mark:] {
		if h.old.depth == 0 {
			delete(d.local, h.name)
		} else {
			d.local[h.name] = h.old
		}
	}
	d.undo = d.undo[:mark]
	d.depth--
}

// namesInRanges refuses a variable that is also a register of one of the scope's ranges. As to ptxas, a name that comes before the
// range may be its register 0.
func (p *parser) namesInRanges(scope []hidden) {
	ranges := false
	for _, h := range scope {
		ranges = ranges || h.name.isRange
	}
	if !ranges {
		return
	}
	for _, h := range scope {
		v := p.defined.local[h.name]
		if h.name.isRange || v.label || p.err != nil {
			continue
		}
		name := h.name.name
		prefix := strings.TrimRight(name, "0123456789")
		r := p.defined.local[localName{prefix, true}]
		number, err := strconv.Atoi(name[len(prefix):])
		if r.depth != v.depth || err != nil || number >= int(r.count) || v.at < r.at && name[len(prefix)] == '0' {
			continue
		}
		p.failAt(int(v.at), int(v.line), "%q is also one of the registers %s<%d> of line %d", clip(name), clip(prefix), r.count, r.line)
	}
}
