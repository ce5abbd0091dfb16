// Benchmark compares purecuda's launches, graphs, copies between devices, compiles and start with those of C, cuda.core and CuPy on a machine with a
// GPU. The script ci/bench builds it and runs it:
//
//	benchmark run [-strict] [-o FOLDER] [-scripts FOLDER] FOLDER   everything; FOLDER has libpaths.so and first
//	benchmark compile [-strict] [-o FOLDER]                        the compile service alone, which needs no GPU
//	benchmark launches FOLDER ROUNDS [BYTES]                       what is measured in one process, as JSON; no copy has more BYTES
//	benchmark service ROUNDS                                       what is measured of the compile service in one process, as JSON
//	benchmark speed [-nvrtc PATH] ROUNDS                           the same of an NVRTC's own means to be fast
//	benchmark together [-nvrtc PATH] ROUNDS                        precompiled headers by several at once
//	benchmark first SEED                                           a program up to its first kernel's result
//	benchmark module SEED                                          a program up to its first module, without a GPU
//	benchmark nothing SEED                                         a program that does nothing
//
// Each of the processes that run starts has the GPU to itself; run itself never touches it.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

//go:embed axpy.cu
var axpy string

// source is the kernel's source, which no cache of a compiler has seen if seed is new.
func source(seed int) string { return fmt.Sprintf("#define SEED %d\n%s", seed, axpy) }

// The launch that is measured: a grid of 4 blocks.
const (
	elements  = 1000
	threads   = 256
	blocks    = (elements + threads - 1) / threads
	signature = "const float *x, float *y, float alpha, int n"
)

func main() {
	worker.Main() // the compile workers that are measured are this program
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command: %s", commands)
	}
	name, args := args[0], args[1:]
	switch name {
	case "run", "compile":
		return run(name, args)
	case "service", "speed", "together":
		return serviceCommand(name, args)
	case "launches":
		if len(args) != 2 && len(args) != 3 {
			return fmt.Errorf("launches FOLDER ROUNDS [BYTES]")
		}
		rounds, err := strconv.Atoi(args[1])
		if err != nil || rounds < 1 {
			return fmt.Errorf("launches: %q is no number of rounds", args[1])
		}
		most := math.MaxInt
		if len(args) == 3 {
			if most, err = strconv.Atoi(args[2]); err != nil || most < 4 {
				return fmt.Errorf("launches: %q is no number of bytes", args[2])
			}
		}
		return launches(args[0], rounds, most)
	case "first", "module", "nothing":
		if len(args) != 1 {
			return fmt.Errorf("%s SEED", name)
		}
		seed, err := strconv.Atoi(args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return map[string]func(int) error{"first": first, "module": firstModule, "nothing": nothing}[name](seed)
	}
	return fmt.Errorf("unknown command %q: %s", name, commands)
}

const commands = "run, compile, launches, service, speed, together, first, module or nothing"

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
		return fmt.Errorf("%s [flags] ROUNDS", name)
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
		return fmt.Errorf("run [flags] FOLDER")
	case name == "compile" && flags.NArg() != 0:
		return fmt.Errorf("compile [flags]")
	}
	p.folder = flags.Arg(0)
	return p.run()
}
