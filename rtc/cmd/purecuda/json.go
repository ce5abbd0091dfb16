package main

import (
	"encoding/json"
	"os"
)

// writeJSON writes v to standard output, for programs.
func writeJSON(v any) error {
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false) // axpy<float> stays so
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return exit(lacking, err)
	}
	return nil
}
