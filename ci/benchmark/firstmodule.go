package main

import (
	"fmt"
	"os"
	"time"

	"github.com/purecuda/purecuda/rtc"
)

// firstModule does what a program does up to its first module, which needs no GPU, and writes "ok" and the microseconds that took.
func firstModule(seed int) error {
	start := time.Now()
	mod, err := rtc.NewModule(source(seed), rtc.ModuleConfig{Options: []string{"-arch=sm_80"}})
	if err != nil {
		return err
	}
	if len(mod.CUBIN()) == 0 {
		return fmt.Errorf("the module has no machine code")
	}
	fmt.Printf("ok compile=%d\n", time.Since(start).Microseconds())
	os.Exit(0)
	return nil
}

// nothing is what a process takes that does nothing.
func nothing(int) error {
	fmt.Println("ok")
	return nil
}
