package nvrtc

import (
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/dl"
)

// SupportedArchs is what this NVRTC can compile for, as virtual architectures,
// oldest first, without the suffixed ones (sm_90a), which NVRTC does not list.
// Before CUDA 11.2 NVRTC can't be asked: then it gives an *UnsupportedError,
// and KnownArchs answers. Safe for concurrent use.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#general-information-query.
func (c *Compiler) SupportedArchs() ([]Arch, error) {
	n := new(int32)
	if err := c.api.getNumSupportedArchs(n); err != nil {
		return nil, fmt.Errorf("nvrtc: supported architectures: %w", err)
	}
	if *n <= 0 {
		return nil, nil
	}
	numbers := make([]int32, *n)
	if err := c.api.getSupportedArchs(&numbers[0]); err != nil {
		return nil, fmt.Errorf("nvrtc: supported architectures: %w", err)
	}
	var archs []Arch
	for _, number := range numbers {
		archs = append(archs, Virtual(int(number)/10, int(number)%10))
	}
	slices.SortFunc(archs, Arch.Compare)
	return archs, nil
}

// KnownArchs is SupportedArchs where NVRTC can be asked, else what NVIDIA's
// manual lists for its version. It is empty only if an NVRTC from 11.2 on
// fails to answer. Safe for concurrent use.
func (c *Compiler) KnownArchs() []Arch {
	if archs, err := c.SupportedArchs(); err == nil {
		return archs
	}
	var archs []Arch
	for _, row := range documentedArchs {
		if c.version.Compare(row.since) < 0 || row.gone != (dl.Version{}) && c.version.Compare(row.gone) >= 0 {
			continue
		}
		archs = append(archs, Virtual(row.number/10, row.number%10))
	}
	return archs
}

// What the manuals list, up to 11.1.
var documentedArchs = []struct {
	number      int
	since, gone dl.Version
}{
	{number: 20, gone: dl.Version{Major: 9}},
	{number: 30, gone: dl.Version{Major: 11}},
	{number: 35},
	{number: 50},
	{number: 52},
	{number: 53},
	{number: 60, since: dl.Version{Major: 8}},
	{number: 61, since: dl.Version{Major: 8}},
	{number: 62, since: dl.Version{Major: 8}},
	{number: 70, since: dl.Version{Major: 9}},
	{number: 72, since: dl.Version{Major: 9, Minor: 1}},
	{number: 75, since: dl.Version{Major: 10}},
	{number: 80, since: dl.Version{Major: 11}},
	{number: 86, since: dl.Version{Major: 11, Minor: 1}},
}
