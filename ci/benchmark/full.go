//go:build !rtcalone

package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func init() {
	begin = worker.Main // the compile workers that are measured are this program
	for name, f := range map[string]func(string, []string) error{"run": run, "compile": run, "service": serviceCommand, "speed": serviceCommand, "together": serviceCommand} {
		commands[name] = func(args []string) error { return f(name, args) }
	}
}

// serviceCommand is the command service, speed or together.
func serviceCommand(name string, args []string) error {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	var s serviceSetting
	s.flags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	rounds, err := strconv.Atoi(flags.Arg(0))
	if err != nil || rounds < 1 || flags.NArg() != 1 {
		return fmt.Errorf("want [flags] ROUNDS")
	}
	switch name {
	case "speed":
		return speed(strings.Join(s.nvrtcs, ""), rounds)
	case "together":
		return together(strings.Join(s.nvrtcs, ""), rounds)
	}
	return service(s, rounds)
}

// run is the command run, or compile, which has no folder and needs no GPU.
func run(name string, args []string) error {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	var p plan
	p.service.flags(flags)
	flags.BoolVar(&p.strict, "strict", false, "a bound that is not held is an error")
	flags.BoolVar(&p.inside, "inside", true, "also an NVRTC's own means to be fast, which takes minutes")
	flags.StringVar(&p.out, "o", "", "folder to write bench.txt, bench.md and bench.json to")
	flags.Func("note", "a line for the head of the report, more than once", func(line string) error {
		p.notes = append(p.notes, line)
		return nil
	})
	flags.StringVar(&p.scripts, "scripts", "ci/benchmark", "folder of the Python scripts; empty: leave Python out")
	flags.StringVar(&p.python, "python", "python3", "the Python that has cuda.core and CuPy")
	flags.IntVar(&p.rounds, "rounds", 600, "how many blocks of launches are timed of each way")
	flags.IntVar(&p.starts, "starts", 31, "how often C and Go start")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case name == "run" && flags.NArg() != 1:
		return fmt.Errorf("want [flags] FOLDER")
	case name == "compile" && flags.NArg() != 0:
		return fmt.Errorf("want [flags]")
	}
	p.folder = flags.Arg(0)
	return p.run()
}
