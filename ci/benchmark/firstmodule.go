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

// moduleStarts has new processes with the NVRTC of path up to their first module: its source in the cache, and not in the cache.
func (p *plan) moduleStarts(self, caches, version, path string) (comparison, []error) {
	with := "PURECUDA_NVRTC=" + path
	dir, err := os.MkdirTemp(caches, "modules")
	if err != nil {
		return comparison{}, []error{err}
	}
	starts, errs := startAll([]program{
		{name: "a Go program that does nothing", args: []string{self, "nothing"}, runs: p.starts},
		{name: "rtc.NewModule, source in its cache", args: []string{self, "module"}, runs: p.starts, env: []string{with, "PURECUDA_CACHE=" + dir}, warm: true},
		{name: "rtc.NewModule, compiled", args: []string{self, "module"}, runs: p.starts, env: []string{with, "PURECUDA_CACHE=off"}},
	}, int(time.Now().UnixNano()%1e6))
	c := comparison{Title: "A new process until its first module, NVRTC " + version}
	for _, s := range starts {
		c.Ways = append(c.Ways, wayResult{Name: s.Name, Time: s.Total, Allocs: -1})
	}
	return c, errs
}
