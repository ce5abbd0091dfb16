package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

var generatedName = regexp.MustCompile(`^z[a-z0-9_]*\.go$`)

// check returns how many exported names the packages below fsys have, those of modules further down too, and one line for each that lacks
// something, in the order of the files. Commands, internal packages, tests, generated files and what the go command skips are left out.
func check(fsys fs.FS) (names int, findings []string, err error) {
	positions := token.NewFileSet()
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		skipped := name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
		if entry.IsDir() {
			if skipped || base == "testdata" || base == "internal" {
				return fs.SkipDir
			}
			return nil
		}
		if skipped || path.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go") || generatedName.MatchString(base) {
			return nil
		}
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(positions, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if tree.Name.Name == "main" {
			return nil
		}
		for _, n := range exported(tree) {
			names++
			if lack := n.lacks(); lack != "" {
				at := positions.Position(n.pos)
				findings = append(findings, fmt.Sprintf("%s:%d: %s: %s", at.Filename, at.Line, n.text, lack))
			}
		}
		return nil
	})
	return names, findings, err
}

// A name is an exported one, and what is said of it.
type name struct {
	text string // "type T", "(*T).M"
	pos  token.Pos
	doc  string   // its own comment, or its group's
	typ  ast.Expr // of a type that is no other's second name
}

// exported lists the exported names that a file declares at its top level, and the methods of its exported types.
func exported(tree *ast.File) (list []name) {
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			text := d.Name.Name
			if d.Recv != nil {
				receiver := receiverOf(d)
				if !ast.IsExported(strings.TrimPrefix(receiver, "*")) {
					continue
				}
				text = "(" + receiver + ")." + text
			}
			if d.Name.IsExported() {
				list = append(list, name{text: text, pos: d.Pos(), doc: d.Doc.Text()})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						n := name{"type " + s.Name.Name, s.Pos(), said(s.Doc, single(d), s.Comment), s.Type}
						if s.Assign.IsValid() {
							n.typ = nil // it says so where it is made
						}
						list = append(list, n)
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.IsExported() {
							list = append(list, name{text: d.Tok.String() + " " + n.Name, pos: n.Pos(), doc: said(s.Doc, d.Doc, s.Comment)})
						}
					}
				}
			}
		}
	}
	return list
}

// single is the comment of a declaration that declares one thing.
func single(d *ast.GenDecl) *ast.CommentGroup {
	if len(d.Specs) == 1 {
		return d.Doc
	}
	return nil
}

func said(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		if text := c.Text(); text != "" {
			return text
		}
	}
	return ""
}

func receiverOf(d *ast.FuncDecl) string {
	star, t := "", d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			star, t = "*", x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return star + x.Name
		default:
			return ""
		}
	}
}
