//go:build !rtcalone

package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/purecuda/purecuda/nvrtc"
)

// serviceResults is what is measured of the compile service and its caches, without a GPU.
type serviceResults struct {
	NVRTCs      []string     `json:"nvrtcs"` // versions and paths
	Comparisons []comparison `json:"comparisons"`
	Absent      []string     `json:"absent"` // what the machine has not got
}

// A serviceSetting says with what the service is measured.
type serviceSetting struct {
	nvrtcs []string // paths; none: the machine's
	redis  string   // the server
}

// flags are those of commands that measure the service.
func (s *serviceSetting) flags(flags *flag.FlagSet) {
	flags.StringVar(&s.redis, "redis", "", "a redis-server; empty: leave Redis out")
	flags.Func("nvrtc", "path of an NVRTC, more than once (default: the machine's)", func(path string) error {
		s.nvrtcs = append(s.nvrtcs, path)
		return nil
	})
}

// service measures the compile service in this process and writes the results.
func service(s serviceSetting, rounds int) error {
	folder, err := os.MkdirTemp("", "benchmark")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var r serviceResults
	add := func(what string, c comparison, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		r.Comparisons = append(r.Comparisons, c)
		return nil
	}
	memory, err := memoryHits(rounds)
	if err := add("hits in memory", memory, err); err != nil {
		return err
	}
	disk, err := diskHits(folder, rounds)
	if err := add("hits on disk", disk, err); err != nil {
		return err
	}
	if s.redis == "" {
		r.Absent = append(r.Absent, "Redis: there is no redis-server")
	} else {
		c, err := redisHits(s.redis, rounds)
		if err := add("hits in Redis", c, err); err != nil {
			return err
		}
	}
	if len(s.nvrtcs) == 0 {
		s.nvrtcs = []string{""}
	}
	for i, path := range s.nvrtcs {
		c, err := nvrtc.Open(nvrtc.Config{Path: path})
		if err != nil {
			return err
		}
		r.NVRTCs = append(r.NVRTCs, fmt.Sprintf("%s (%s)", c.Version(), c.Path()))
		if i == 0 {
			all, err := keys(folder, c, rounds)
			if err != nil {
				return fmt.Errorf("keys: %w", err)
			}
			r.Comparisons = append(r.Comparisons, all...)
		}
		modules, err := moduleCaches(folder, c, rounds)
		if err := add("modules", modules, err); err != nil {
			return err
		}
		all, err := workers(c, rounds)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			r.Absent = append(r.Absent, err.Error())
		case err != nil:
			return fmt.Errorf("workers: %w", err)
		}
		r.Comparisons = append(r.Comparisons, all...)
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// arguments are those that have another process of this program measure it.
func (s serviceSetting) arguments(rounds int) []string {
	all := []string{"service", "-redis", s.redis}
	for _, path := range s.nvrtcs {
		all = append(all, "-nvrtc", path)
	}
	return append(all, fmt.Sprint(rounds))
}

// criteria holds all comparisons to their bounds.
func (r *serviceResults) criteria() (all []criterion) {
	for i := range r.Comparisons {
		all = append(all, r.Comparisons[i].criteria()...)
	}
	return all
}
