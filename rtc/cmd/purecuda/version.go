package main

import (
	"context"
	"fmt"
)

const versionHelp = `Usage: purecuda version

Says which version of purecuda this is, with which Go it was built, and for which system.

Exit status: 0 it was said; 2 the command line is wrong.
`

func versionCommand(_ context.Context, args []string) error {
	rest, behind, err := newFlags("version").parse(args)
	if err != nil {
		return err
	}
	if rest = append(rest, behind...); len(rest) > 0 {
		return usageError("version", "%q is one too many", rest[0])
	}
	p := thisProgram()
	fmt.Printf("purecuda %s, %s, %s\n", p.Version, p.Go, p.System)
	return nil
}
