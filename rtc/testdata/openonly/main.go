// Command openonly opens a GPU and launches a kernel on it, as programs do that have no use for a simulated one. A test looks at what the linker
// puts into it.
package main

import (
	"fmt"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dev, err := rtc.Open(0)
	if err != nil {
		return err
	}
	defer dev.Close()
	mod, err := rtc.NewModule(`extern "C" __global__ void k() {}`, rtc.ModuleConfig{For: dev})
	if err != nil {
		return err
	}
	k, err := mod.Kernel("k", "")
	if err != nil {
		return err
	}
	return k.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0)
}
