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
//
// With the tag rtcalone it is a program that has of the library what package rtc needs, as most have, and of the commands launches, first, module and
// nothing: run has it beside itself, as rtcalone. What else is in a binary moves the code of a launch about, and its cost by a twentieth.
package main

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
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
	begin()
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

// begin is what comes first; the commands have the arguments behind their names.
var (
	begin    = func() {}
	commands = map[string]func(args []string) error{
		"launches": launchesCommand,
		"first":    seeded(first),
		"module":   seeded(firstModule),
		"nothing":  seeded(nothing),
	}
)

func command(args []string) error {
	known := strings.Join(slices.Sorted(maps.Keys(commands)), ", ")
	if len(args) == 0 {
		return fmt.Errorf("no command: %s", known)
	}
	c, ok := commands[args[0]]
	if !ok {
		return fmt.Errorf("unknown command %q: %s", args[0], known)
	}
	if err := c(args[1:]); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

func launchesCommand(args []string) error {
	if len(args) != 2 && len(args) != 3 {
		return fmt.Errorf("want FOLDER ROUNDS [BYTES]")
	}
	rounds, err := strconv.Atoi(args[1])
	if err != nil || rounds < 1 {
		return fmt.Errorf("%q is no number of rounds", args[1])
	}
	most := math.MaxInt
	if len(args) == 3 {
		if most, err = strconv.Atoi(args[2]); err != nil || most < 4 {
			return fmt.Errorf("%q is no number of bytes", args[2])
		}
	}
	return launches(args[0], rounds, most)
}

// seeded is a command that has a seed.
func seeded(f func(seed int) error) func([]string) error {
	return func(args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("want SEED")
		}
		seed, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		return f(seed)
	}
}
