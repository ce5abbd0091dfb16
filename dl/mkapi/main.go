// Mkapi writes the Go side of a C API from a list of its prototypes.
//
//	go run github.com/purecuda/purecuda/dl/mkapi [-in api.txt] [-go zapi.go] [-md FUNCTIONS.md]
//
// It writes a table of dl.Decl, a constant for each function's place in it, a
// typed method for each function on the package's own type api, and a page
// that says which CUDA version brought which function. The package defines
//
//	type api struct { table *dl.Table … }
//	func (a *api) result(fn int, r uintptr) error // the C result, as an error
//	func (a *api) missing(err error) error        // adds the version in use to an UnsupportedError
//
// See the comment on parse for the language of the list.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
)

func main() {
	in := flag.String("in", "api.txt", "the list of prototypes")
	goOut := flag.String("go", "zapi.go", "the Go file to write")
	mdOut := flag.String("md", "FUNCTIONS.md", "the page to write")
	flag.Parse()
	if err := run(*in, *goOut, *mdOut); err != nil {
		fmt.Fprintln(os.Stderr, "mkapi:", err)
		os.Exit(1)
	}
}

func run(in, goOut, mdOut string) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	list, err := parse(in, string(text))
	if err != nil {
		return err
	}
	var code bytes.Buffer
	list.writeGo(&code)
	src, err := format.Source(code.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", goOut, err, code.Bytes())
	}
	if err := os.WriteFile(goOut, src, 0o644); err != nil {
		return err
	}
	var page bytes.Buffer
	list.writePage(&page)
	return os.WriteFile(mdOut, page.Bytes(), 0o644)
}
