//go:build !rtcalone

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

// An inside is an NVRTC whose own means to be fast are compared.
type inside struct {
	c      *nvrtc.Compiler
	folder string // for precompiled headers
	seed   int
	lacks  []string // options
	absent []string
}

// speed compares the means that the NVRTC of path, "" for the machine's, has of its own: a process of their own, since precompiled
// headers are one heap of the process, and what they do to it is not the others' matter.
func speed(path string, rounds int) error {
	folder, err := os.MkdirTemp("", "benchmark")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c, err := nvrtc.Open(nvrtc.Config{Path: path})
	if err != nil {
		return err
	}
	n := &inside{c: c, folder: folder, seed: int(time.Now().UnixNano() % 1e6)}
	r := serviceResults{NVRTCs: []string{fmt.Sprintf("%s (%s)", c.Version(), c.Path())}}
	many, err := n.options(rounds)
	if err != nil {
		return fmt.Errorf("many kernels: %w", err)
	}
	if many.Ways != nil {
		r.Comparisons = append(r.Comparisons, many)
	}
	headers, err := n.headers(rounds)
	if err != nil {
		return fmt.Errorf("headers: %w", err)
	}
	r.Comparisons, r.Absent = append(r.Comparisons, headers...), n.absent
	if len(n.lacks) > 0 {
		r.Absent = append(r.Absent, fmt.Sprintf("NVRTC %s has not got %s", c.Version(), strings.Join(n.lacks, ", ")))
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// base are the options of every compile. NVRTC's own cache, since 12.9, would answer in place of the compiler.
func (n *inside) base() []string {
	all := []string{"--gpu-architecture=sm_80", "--std=c++17"}
	if n.c.Version().AtLeast(12, 9) {
		all = append(all, "--no-cache")
	}
	return all
}

// compile compiles text, which a line makes new at its end, and gives what became of a precompiled header.
func (n *inside) compile(text string, options ...string) (nvrtc.Result, uint64, error) {
	n.seed++
	p, err := n.c.NewProgram(fmt.Sprintf("%s\n__device__ int seed = %d;\n", text, n.seed), nvrtc.ProgramConfig{Name: "kernel.cu"})
	if err != nil {
		return 0, 0, err
	}
	defer p.Close()
	if err := p.Compile(context.Background(), append(n.base(), options...)...); err != nil {
		return 0, 0, err
	}
	if _, err := p.CUBIN(); err != nil {
		return 0, 0, err
	}
	status, err := p.PCHCreateStatus()
	if err != nil || status != nvrtc.PCHCreateHeapExhausted {
		return status, 0, ignoreUnsupported(err)
	}
	needs, err := p.PCHHeapSizeRequired()
	return status, needs, err
}

func ignoreUnsupported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// with is a way to compile text with options, or none where this NVRTC has not got them.
func (n *inside) with(name, text string, options ...string) []way {
	if _, _, err := n.compile(text, options...); err != nil {
		var refused *nvrtc.CompileError
		if errors.As(err, &refused) && refused.Result == nvrtc.InvalidOption {
			n.lacks = append(n.lacks, name)
			return nil
		}
		n.absent = append(n.absent, fmt.Sprintf("%s, NVRTC %s: %v", name, n.c.Version(), err))
		return nil
	}
	w := times(name, func() error { _, _, err := n.compile(text, options...); return err })
	w.once = nil // what it allocates is no matter
	return []way{w}
}

// manyKernels is how many the source of many kernels has.
const manyKernels = 16

// options compares the options that are to compile faster, on a source of many kernels.
func (n *inside) options(rounds int) (comparison, error) {
	var text strings.Builder
	for i := range manyKernels {
		fmt.Fprintf(&text, `extern "C" __global__ void k%d(double *x, int n) {
	double s = %d;
	for (int i = threadIdx.x; i < n; i += blockDim.x) s += pow(x[i], 1.5) * sin(x[i] + %d) + exp(cos(x[i]));
	x[threadIdx.x] = s;
}
`, i, i, i)
	}
	ways := n.with("plain", text.String())
	for _, option := range []string{"--split-compile=2", "--split-compile=4", "--split-compile=8", "--minimal", "--Ofast-compile=min", "--Ofast-compile=max"} {
		ways = append(ways, n.with(option, text.String(), option)...)
	}
	if len(ways) == 1 {
		return comparison{}, nil
	}
	result, err := compare(ways, rounds, 1, nil)
	return comparison{Title: fmt.Sprintf("Compile %d kernels of double maths, NVRTC %s", manyKernels, n.c.Version()), Ways: result}, err
}

// headerSources include what takes NVRTC longest to read.
var headerSources = []struct{ name, text string }{
	{"cuda_fp16.h", "#include <cuda_fp16.h>\n__global__ void k(__half *x) { x[threadIdx.x] = __hmul(x[threadIdx.x], x[0]); }"},
	{"cooperative_groups.h", `#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int *x) {
	auto tile = cg::tiled_partition<32>(cg::this_thread_block());
	x[threadIdx.x] = cg::reduce(tile, x[threadIdx.x], cg::plus<int>());
}`},
	{"cub/block/block_reduce.cuh", `#include <cub/block/block_reduce.cuh>
__global__ void k(int *x) {
	__shared__ cub::BlockReduce<int, 128>::TempStorage temp;
	int s = cub::BlockReduce<int, 128>(temp).Sum(x[threadIdx.x]);
	if (threadIdx.x == 0) x[0] = s;
}`},
}

// headers compares compiles with CUDA's headers with such that have them precompiled: made by the first compile in a folder, or
// once by hand. A third way makes them anew each time, which is what the first compile pays.
func (n *inside) headers(rounds int) (all []comparison, err error) {
	dirs, err := n.c.IncludeDirs()
	if err != nil {
		n.absent = append(n.absent, fmt.Sprintf("headers of NVRTC %s: there are none here", n.c.Version()))
		return nil, nil
	}
	var include []string
	for _, dir := range dirs {
		include = append(include, "-I"+dir)
	}
	for i, s := range headerSources {
		ways := n.with("plain", s.text, include...)
		if len(ways) == 0 {
			continue
		}
		if n.c.Features().PCH {
			more, err := n.precompiled(filepath.Join(n.folder, fmt.Sprint(i)), s.text, include)
			if err != nil {
				n.absent = append(n.absent, fmt.Sprintf("precompiled %s, NVRTC %s: %v", s.name, n.c.Version(), err))
			}
			ways = append(ways, more...)
			w, err := n.service(s.text, include)
			if err != nil {
				return nil, fmt.Errorf("compile.Precompiled, %s: %w", s.name, err)
			}
			ways = append(ways, w)
		}
		result, err := compare(ways, rounds, 1, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, comparison{Title: fmt.Sprintf("Compile a kernel with %s, NVRTC %s", s.name, n.c.Version()), Ways: result})
	}
	return all, nil
}

// precompiled are the ways with precompiled headers, kept in folder.
func (n *inside) precompiled(folder, text string, options []string) (ways []way, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	options = slices.Clip(options)
	dir := "--pch-dir=" + folder
	if err := n.create(text, append(options, "--pch", dir)...); err != nil {
		return nil, err
	}
	ways = n.with("--pch, made before", text, append(options, "--pch", dir)...)
	if err := n.create(text, append(options, "--create-pch=own.pch", dir)...); err != nil {
		return ways, err
	}
	ways = append(ways, n.with("--use-pch, made before", text, append(options, "--use-pch=own.pch", dir)...)...)
	return append(ways, n.with("--create-pch", text, append(options, "--create-pch=anew.pch", dir)...)...), nil
}

// service is the way of rtc/compile, whose files are made before.
func (n *inside) service(text string, options []string) (way, error) {
	p, err := compile.NewPrecompiled(compile.PrecompiledConfig{Folder: n.folder})
	if err != nil {
		return way{}, err
	}
	run := func() error {
		n.seed++
		_, err := p.Run(context.Background(), &compile.Request{
			Compiler: n.c, Source: fmt.Sprintf("%s\n__device__ int seed = %d;\n", text, n.seed), Name: "kernel.cu", Options: append(n.base(), options...),
		})
		return err
	}
	for range 3 {
		if err := run(); err != nil {
			return way{}, err
		}
	}
	if s := p.Stats(); s.Used != 1 {
		return way{}, fmt.Errorf("no file was used: %+v", s)
	}
	w := times("compile.Precompiled", run)
	w.once = nil
	return w, nil
}

// create compiles and wants a precompiled header made; it grows the heap when asked to.
func (n *inside) create(text string, options ...string) error {
	for {
		status, needs, err := n.compile(text, options...)
		switch have, _ := n.c.PCHHeapSize(); {
		case err != nil:
			return err
		case status == nvrtc.Success:
			return nil
		case status == nvrtc.PCHCreateHeapExhausted && needs > have:
			if err := n.c.SetPCHHeapSize(needs); err != nil {
				return err
			}
		default:
			return status
		}
	}
}
