package number_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The package comment is the list by which a reader finds the function of an instruction.
func TestDocNamesEveryFunction(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	listed := map[string]bool{}
	for _, word := range regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`).FindAllString(string(text), -1) {
		listed[word] = true
	}
	n := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			n++
			assert.Truef(t, listed[f.Name.Name], "doc.go does not list %s of %s", f.Name.Name, name)
			require.NotNilf(t, f.Doc, "%s has no comment", f.Name.Name)
			comment := strings.Join(strings.Fields(f.Doc.Text()), " ")
			assert.Truef(t, strings.HasPrefix(comment, f.Name.Name+" "), "the comment of %s begins otherwise", f.Name.Name)
			assert.Regexpf(t, `Safe for concurrent use( on registers of its own)?\.$`, comment, "the comment of %s", f.Name.Name)
		}
	}
	assert.Greater(t, n, 300)
}
