package dl

import "sync/atomic"

// A Decl declares a function of a C API. Generated files hold tables of them.
//
// Safe for concurrent use after it is made; its fields must not change.
type Decl struct {
	Name  string  // the exported symbol, suffix included
	Since Version // the first CUDA version whose library exports it
	Proto string  // the C prototype, for the documentation
}

// A Table binds the declared functions to a Resolver, each when it is first
// asked for: a library without one of them is whole until that one is called.
//
// Safe for concurrent use.
type Table struct {
	resolver Resolver
	decls    []Decl
	funcs    []atomic.Pointer[Func]
}

// NewTable makes a Table over decls, which it keeps. Nothing is looked up yet.
func NewTable(r Resolver, decls []Decl) *Table {
	return &Table{resolver: r, decls: decls, funcs: make([]atomic.Pointer[Func], len(decls))}
}

// Resolver is the source of the functions.
func (t *Table) Resolver() Resolver { return t.resolver }

// Decl is the i-th declaration.
func (t *Table) Decl(i int) Decl { return t.decls[i] }

// Func finds the i-th function. A missing one gives an *UnsupportedError whose
// Have is not set: only the caller knows how to ask the library its version.
func (t *Table) Func(i int) (*Func, error) {
	if f := t.funcs[i].Load(); f != nil {
		return f, nil
	}
	return t.find(i)
}

// Has reports whether the i-th function exists.
func (t *Table) Has(i int) bool {
	_, err := t.Func(i)
	return err == nil
}

func (t *Table) find(i int) (*Func, error) {
	f, err := t.resolver.Lookup(t.decls[i].Name)
	if err != nil || f.IsZero() {
		return nil, &UnsupportedError{
			Feature: t.decls[i].Name,
			Since:   t.decls[i].Since,
			Path:    t.resolver.Path(),
		}
	}
	// Two goroutines may both get here; they store equal values.
	t.funcs[i].Store(&f)
	return &f, nil
}
