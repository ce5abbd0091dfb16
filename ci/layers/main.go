// Command layers holds every import of the module against the table in table.go and ends with 1 if one does not fit.
// It reads the files of every platform, whatever their build constraints, and each finding names file, line, import and rule.
//
//	go run ./ci/layers [directory of go.mod]
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
	files, err := read(os.DirFS(root))
	if err != nil {
		fmt.Fprintln(os.Stderr, "ci/layers:", err)
		os.Exit(1)
	}
	findings := check(files, layers)
	for _, finding := range findings {
		fmt.Fprintln(os.Stderr, finding)
	}
	if len(findings) > 0 {
		fmt.Fprintf(os.Stderr, "ci/layers: %d imports against the table in ci/layers/table.go\n", len(findings))
		os.Exit(1)
	}
	fmt.Printf("ci/layers: %d files fit the table\n", len(files))
}
