package main

import (
	"go/ast"
	"strings"
)

// sentences are those of which a type's comment has one: may goroutines share it?
var sentences = []string{
	"Safe for concurrent use.",
	"Not safe for concurrent use.",
	"Safe for concurrent use after it is made; its fields must not change.",
}

// lacks says what is missing, or "".
func (n name) lacks() string {
	switch {
	case strings.TrimSpace(n.doc) == "":
		return "no doc comment"
	case n.typ == nil || isValue(n.typ):
		return ""
	}
	words, found := " "+strings.Join(strings.Fields(n.doc), " "), 0
	for _, s := range sentences {
		found += strings.Count(words, " "+s)
	}
	switch found {
	case 0:
		return `none of the sentences "` + strings.Join(sentences, `", "`) + `"`
	case 1:
		return ""
	}
	return "more than one sentence on concurrent use"
}

// isValue reports whether a type needs no such sentence: its values are like constants, as those of codes, enumerations and other numbers
// and strings, of arrays of these, and of functions, or it has none, being a constraint. Errors that are structs need it.
func isValue(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "bool", "string", "byte", "rune", "uintptr", "int", "int8", "int16", "int32", "int64",
			"uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128":
			return true
		}
	case *ast.ArrayType:
		return t.Len != nil && isValue(t.Elt)
	case *ast.FuncType:
		return true
	case *ast.InterfaceType:
		for _, f := range t.Methods.List {
			switch f.Type.(type) {
			case *ast.BinaryExpr, *ast.UnaryExpr:
				return true
			}
		}
	}
	return false
}
