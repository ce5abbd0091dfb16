package forms

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A Case is a kernel for a form of instruction.
//
// Safe for concurrent use after it is made; its fields must not change.
type Case struct {
	Name   string   // the form, and behind a blank what is special: "ld.global.s8 to b64"
	Form   string   // the form as the engine knows it: "ld.global.s8"
	Family string   // the file of its answers
	Body   string   // the instruction: %a, %b, %c, %e … are the operands, %d, %q, %r … the results, %pa and so on where they lie in memory
	In     []string // kinds of the operands
	Out    []string // kinds of the results; behind a * those that Body writes to memory itself
	Count  int      // tuples of operands, a multiple of 128
}

// The names of operands and results.
const (
	inNames  = "abcefghijklmnopt"
	outNames = "dqrsuvxy"
)

// Kernel is the name of the case's kernel.
func (c *Case) Kernel() string {
	return "k_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, c.Name)
}

// Cases lists all cases in the order of family and name.
//
// Safe for concurrent use.
func Cases() []*Case { return allCases() }

var allCases = sync.OnceValue(func() []*Case {
	var l list
	for _, add := range []func(*list){table, comparisons, logic, carries, videos, moves, warps, blocks, loads, stores, atomics, matrices, flushes} {
		add(&l)
	}
	slices.SortFunc(l, func(a, b *Case) int {
		return cmp.Or(strings.Compare(a.Family, b.Family), strings.Compare(a.Name, b.Name))
	})
	return l
})

type list []*Case

// add appends a case. body begins with its form, unless form is given; in and out are kinds with blanks between them.
func (l *list) add(family, name, body, in, out string) *Case {
	form, _, _ := strings.Cut(name, " ")
	c := &Case{Name: name, Form: form, Family: family, Body: body, In: strings.Fields(in), Out: strings.Fields(out)}
	c.Count = count(c)
	*l = append(*l, c)
	return c
}

// Families lists the families.
//
// Safe for concurrent use.
func Families() []string {
	var all []string
	for _, c := range Cases() {
		if len(all) == 0 || all[len(all)-1] != c.Family {
			all = append(all, c.Family)
		}
	}
	return all
}
