// Command docs holds the doc comments of the packages against the house style and ends with 1 if one is missing: every
// exported type, function, method, constant and variable is explained, and a type says whether goroutines may share it.
//
//	go run ./ci/docs [directory]
package main

import (
	"fmt"
	"os"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	names, findings, err := check(os.DirFS(root))
	if err != nil {
		fmt.Fprintln(os.Stderr, "ci/docs:", err)
		os.Exit(1)
	}
	for _, finding := range findings {
		fmt.Fprintln(os.Stderr, finding)
	}
	if len(findings) > 0 {
		fmt.Fprintf(os.Stderr, "ci/docs: %d names lack what CONTRIBUTING.md asks of a doc comment\n", len(findings))
		os.Exit(1)
	}
	fmt.Printf("ci/docs: %d exported names are explained\n", names)
}
