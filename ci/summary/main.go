// Command summary reads what go test -json writes and prints what a person wants of it: go test's own line for each
// package, the whole output of what failed, and at the end the counts and, by reason, what was skipped.
// It ends with 1 if something failed or nothing ran.
//
//	go test -json ./... | go run ./ci/summary
package main

import (
	"fmt"
	"os"
)

func main() {
	s := newSummary(os.Stdout)
	if err := s.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "ci/summary:", err)
		os.Exit(1)
	}
	if !s.finish() {
		os.Exit(1)
	}
}
