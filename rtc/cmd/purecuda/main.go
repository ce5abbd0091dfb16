// Command purecuda compiles CUDA C++ as package rtc does, keeps the cache of
// what was compiled, and says what a machine can do.
//
//	purecuda compile [flags] FILE.cu…   to PTX, machine code or LTO IR, or only into the cache
//	purecuda cache stats|verify|clear|export|import
//	purecuda worker                     compiles for a program that started it so
//	purecuda doctor                     what was found, how, and whether it works
//	purecuda version                    which version this is
//
// "purecuda help COMMAND" says more. It ends with 0 if all went well, 1 if what it
// was given is at fault (a source, a damaged cache), 2 if the command line is, and
// 3 if the machine lacks something.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A command is one of the command line's first words.
type command struct {
	name    string
	summary string
	help    string
	run     func(ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"compile", "compile CUDA C++ to PTX, machine code or LTO IR, or only into the cache", compileHelp, compileCommand},
		{"cache", "look at, check, empty, export and import what was compiled", cacheHelp, cacheCommand},
		{"worker", "compile for a program that has this command be its compile worker", workerHelp, workerCommand},
		{"doctor", "say what is on this machine, how it was found, and whether it works", doctorHelp, doctorCommand},
		{"version", "say which version this is", versionHelp, versionCommand},
	}
}

func main() {
	worker.Main() // first of all: a worker goes no further
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it the hard way
	err := dispatch(ctx, os.Args[1:])
	os.Exit(report(ctx, err))
}

// dispatch runs the command that args begin with.
func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageError("", "no command is given; there are %s", names(commands()))
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(rest)
	}
	c, err := find("", commands(), name)
	if err != nil {
		return err
	}
	err = c.run(ctx, rest)
	if errors.Is(err, errHelp) {
		fmt.Print(c.help)
		return nil
	}
	return err
}

// find is the command called name; path is what stands before it.
func find(path string, list []command, name string) (command, error) {
	var known []string
	for _, c := range list {
		if c.name == name {
			return c, nil
		}
		known = append(known, c.name)
	}
	return command{}, usageError(path, "there is no command %q%s; there are %s", name, didYouMean(name, known), names(list))
}

func names(list []command) string {
	var all []string
	for _, c := range list {
		all = append(all, c.name)
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " and " + all[last]
}

// help prints the help of a command, or what commands there are.
func help(args []string) error {
	if len(args) > 0 {
		c, err := find("", commands(), args[0])
		if err != nil {
			return err
		}
		fmt.Print(c.help)
		return nil
	}
	fmt.Println("purecuda: CUDA kernels at run time, without cgo\n\nUsage: purecuda COMMAND …")
	fmt.Println()
	for _, c := range commands() {
		fmt.Printf("  %-9s %s\n", c.name, c.summary)
	}
	fmt.Print("\npurecuda help COMMAND says more.\n", exitHelp)
	return nil
}
