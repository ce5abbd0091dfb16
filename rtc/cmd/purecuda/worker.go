package main

import (
	"context"
	"os"
)

const workerHelp = `Usage: purecuda worker

Compiles for a program that started it, in a process that can crash or be killed without that one.
It is not for a shell: a program whose own main doesn't call worker.Main, as that of a plugin's host
or of a test, finds it in the PATH or names it to package rtc/compile/worker,

  pool, err := worker.NewPool(worker.Config{Path: "/usr/bin/purecuda", Args: []string{"worker"}})
  service := compile.NewService(compile.Config{Runner: pool})

Both must be of one version. Linux on amd64 and arm64, Windows on amd64.

Exit status: 0 the program wanted no more; 2 nobody started it so; 3 it could not begin.
`

// workerCommand is reached by those alone whom no Pool started: see main.
func workerCommand(_ context.Context, args []string) error {
	if _, _, err := newFlags("worker").parse(args); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		self = "purecuda"
	}
	return usageError("worker", "it is started by a program, with worker.Config{Path: %q, Args: []string{\"worker\"}}", self)
}
