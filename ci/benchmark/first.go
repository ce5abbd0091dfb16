package main

import (
	"fmt"
	"os"
	"time"

	"github.com/purecuda/purecuda/rtc"
)

// first does what a program does up to the result of its first kernel, and writes "ok" and the microseconds of its
// steps. c/first.c does the same in C.
func first(seed int) error {
	start := time.Now()
	dev, err := rtc.Open(0)
	if err != nil {
		return err
	}
	opened := time.Now()

	mod, err := rtc.NewModule(source(seed), rtc.ModuleConfig{})
	if err != nil {
		return err
	}
	compiled := time.Now()

	kernel, err := mod.Kernel("axpy", signature)
	if err != nil {
		return err
	}
	if _, err := kernel.Function(dev); err != nil {
		return err
	}
	loaded := time.Now()

	numbers := make([]float32, elements)
	for i := range numbers {
		numbers[i] = float32(i)
	}
	x, err := rtc.FromSlice(dev, numbers)
	if err != nil {
		return err
	}
	y, err := rtc.Zeros[float32](dev, elements)
	if err != nil {
		return err
	}
	if err := kernel.Launch(dev, grid, perBlock, 0, x, y, 3, elements); err != nil {
		return err
	}
	if err := wrote(y, func(i int) float32 { return float32(3*i + seed) }); err != nil {
		return err
	}
	ran := time.Now()
	fmt.Printf("ok open=%d compile=%d load=%d run=%d\n", opened.Sub(start).Microseconds(), compiled.Sub(opened).Microseconds(),
		loaded.Sub(compiled).Microseconds(), ran.Sub(loaded).Microseconds())
	os.Exit(0) // as the C program: the process's end frees everything
	return nil
}
