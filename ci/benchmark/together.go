//go:build !rtcalone

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
)

// atOnce is how many compiles with precompiled headers run at the same time, each with a folder of its own.
const atOnce = 4

// together measures them: in a process of its own, since it is not known whether NVRTC bears it.
func together(path string, rounds int) error {
	folder, err := os.MkdirTemp("", "benchmark")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c, err := nvrtc.Open(nvrtc.Config{Path: path, Threads: atOnce})
	if err != nil {
		return err
	}
	r, err := concurrentHeaders(c, folder, rounds)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

func concurrentHeaders(c *nvrtc.Compiler, folder string, rounds int) (serviceResults, error) {
	dirs, err := c.IncludeDirs()
	if err != nil || !c.Features().PCH {
		return serviceResults{}, nil // speed has said so
	}
	var include []string
	for _, dir := range dirs {
		include = append(include, "-I"+dir)
	}
	include = slices.Clip(include)
	var compilers [atOnce]*inside
	var precompiled [atOnce][]string
	for i := range compilers {
		own := filepath.Join(folder, fmt.Sprint("own", i))
		if err := os.MkdirAll(own, 0o700); err != nil {
			return serviceResults{}, err
		}
		compilers[i] = &inside{c: c, folder: own, seed: int(time.Now().UnixNano()%1e6) + i*1_000_000}
		precompiled[i] = append(include, "--pch", "--pch-dir="+own)
	}
	// The heap is grown before, one after the other.
	texts := []string{headerSources[0].text, headerSources[1].text}
	for i, n := range compilers {
		if err := n.create(texts[i%len(texts)], precompiled[i]...); err != nil {
			return serviceResults{Absent: []string{fmt.Sprintf("precompiled headers at once, NVRTC %s: %v", c.Version(), err)}}, nil
		}
	}
	at := func(name string, options func(i int) []string) way {
		return way{name: name, block: func(int) (time.Duration, error) {
			var errs [atOnce]error
			var group sync.WaitGroup
			begun := time.Now()
			for i, n := range compilers {
				group.Go(func() {
					for range 3 {
						if _, _, err := n.compile(texts[i%len(texts)], options(i)...); err != nil {
							errs[i] = err
							return
						}
					}
				})
			}
			group.Wait()
			return time.Since(begun), errors.Join(errs[:]...)
		}}
	}
	ways, err := compare([]way{
		at("plain", func(int) []string { return include }),
		at("--pch, a folder each", func(i int) []string { return precompiled[i] }),
	}, rounds, 1, nil)
	if err != nil {
		return serviceResults{}, err
	}
	return serviceResults{Comparisons: []comparison{{
		Title: fmt.Sprintf("%d compiles with CUDA's headers at once, three times, NVRTC %s", atOnce, c.Version()), Ways: ways,
	}}}, nil
}
