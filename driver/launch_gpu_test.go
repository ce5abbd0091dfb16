package driver_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

func ptr[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

func TestGPULaunch(t *testing.T) {
	_, c := gpu(t)
	s, f := stream(t, c), function(t, load(t, c, kernels), "scale")
	const n = 1000
	x, y := alloc(t, c, 4*n), alloc(t, c, 4*n)
	in := make([]float32, n)
	for i := range in {
		in[i] = float32(i)
	}
	require.NoError(t, s.CopyToDevice(x, bytesOf(in)))
	alpha, count := float32(2.5), uint32(n)
	l := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(8), Block: driver.Dim(128)}, ptr(&x), ptr(&y), ptr(&alpha), ptr(&count))
	require.NoError(t, l.Enqueue(s))
	require.NoError(t, s.Synchronize())
	for i, v := range read[float32](t, c, y, n) {
		require.Equal(t, 2.5*in[i], v)
	}
	params, err := f.Params()
	if err == nil {
		require.Equal(t, []driver.ParamInfo{{0, 8}, {8, 8}, {16, 4}, {20, 4}}, params)
	} else {
		require.ErrorIs(t, err, driver.InvalidValue)
	}
	at, size, err := f.Module().Global("table")
	require.NoError(t, err)
	require.NotZero(t, at)
	require.Equal(t, uint64(64), size)
	require.Positive(t, f.NumRegs())
	require.Equal(t, 1024, f.MaxThreads())
}

func TestGPULoadErrors(t *testing.T) {
	d, c := gpu(t)
	m := load(t, c, kernels)
	_, err := m.Function("skale")
	require.ErrorIs(t, err, driver.NotFound)
	require.ErrorContains(t, err, `"skale"`)
	if d.Has("cuModuleEnumerateFunctions") {
		require.ErrorContains(t, err, "scale")
	}
	_, _, err = m.Global("nothing")
	require.ErrorIs(t, err, driver.NotFound)

	loadError := func(ptx string) error {
		m, err := c.LoadModule([]byte(ptx), driver.LoadConfig{})
		require.Error(t, err)
		require.Nil(t, m)
		t.Log(err)
		return err
	}
	err = loadError(".version 6.0\n.target sm_52\n.address_size 64\n.visible .entry k() { flip.u32 %r1, %r2; ret; }\n")
	require.ErrorIs(t, err, driver.InvalidPTX)
	require.ErrorContains(t, err, "flip")
	err = loadError(".version 99.0\n.target sm_52\n.address_size 64\n.visible .entry k() { ret; }\n")
	require.ErrorIs(t, err, driver.UnsupportedPTXVersion)
	require.ErrorContains(t, err, "99.0")
	require.ErrorContains(t, err, d.Version().String())
	loadError(".version 6.0\n.target sm_999\n.address_size 64\n.visible .entry k() { ret; }\n")
	err = loadError("this is no module")
	require.ErrorContains(t, err, "neither PTX")

	verbose, err := c.LoadModule([]byte(kernels), driver.LoadConfig{Verbose: true})
	require.NoError(t, err)
	t.Log(verbose.Log())
}

func TestGPULaunchErrors(t *testing.T) {
	_, c := gpu(t)
	m := load(t, c, kernels)
	empty, scale := function(t, m, "empty"), function(t, m, "scale")
	one := driver.Dim(1)
	for want, config := range map[string]driver.LaunchConfig{
		"grid (0, 1, 1): x is 0":             {Grid: driver.Dim(0), Block: one},
		"block (1, 0, 1): y is 0":            {Grid: one, Block: driver.Dim(1, 0)},
		"block (2048, 1, 1): x is 2048":      {Grid: one, Block: driver.Dim(2048)},
		"block (1, 1, 65): z is 65":          {Grid: one, Block: driver.Dim(1, 1, 65)},
		"has 2048 threads, at most 1024":     {Grid: one, Block: driver.Dim(32, 64)},
		"y is 65536, at most 65535":          {Grid: driver.Dim(1, 65536), Block: one},
		"z is 65536, at most 65535":          {Grid: driver.Dim(1, 1, 65536), Block: one},
		"bytes of shared memory a block":     {Grid: one, Block: one, SharedMem: 1 << 20},
		"can run at once":                    {Grid: driver.Dim(1 << 20), Block: driver.Dim(1024), Cooperative: true},
		"x is 2147483648, at most 214748364": {Grid: driver.Dim(1 << 31), Block: one},
	} {
		_, err := empty.Prepare(config, nil)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "launch empty")
	}
	_, err := function(t, m, "bounded").Prepare(driver.LaunchConfig{Grid: one, Block: driver.Dim(128)}, nil)
	require.ErrorContains(t, err, "at most 64 for this kernel")
	if _, err := scale.Params(); err == nil {
		_, err = scale.Prepare(driver.LaunchConfig{Grid: one, Block: one}, args(nil))
		require.ErrorContains(t, err, "1 arguments given, the kernel has 4 parameters")
	}
	require.NoError(t, c.Health())
}

func TestGPUSharedMemory(t *testing.T) {
	_, c := gpu(t)
	s, f := stream(t, c), function(t, load(t, c, gpuKernels), "shared")
	out := alloc(t, c, 4)
	limit, err := c.Device().Attribute(driver.MaxSharedMemoryPerBlockOptIn)
	require.NoError(t, err)
	for _, n := range []uint32{16, 48 << 10, 48<<10 + 4, uint32(limit), 64} {
		if int(n) > limit {
			continue
		}
		require.NoError(t, s.Memset32(out, 0, 1))
		l := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1), SharedMem: n}, ptr(&out), ptr(&n))
		require.NoError(t, l.Enqueue(s), "%d bytes", n)
		require.NoError(t, s.Synchronize())
		require.Equal(t, uint32(7), read[uint32](t, c, out, 1)[0], "%d bytes", n)
	}
}

func TestGPUCooperativeAndPriority(t *testing.T) {
	d, c := gpu(t)
	s, f := stream(t, c), function(t, load(t, c, gpuKernels), "count")
	p := alloc(t, c, 4)
	require.NoError(t, s.Memset32(p, 0, 1))
	configs := []driver.LaunchConfig{{Cooperative: true}}
	if d.Has("cuLaunchKernelEx") {
		configs = append(configs, driver.LaunchConfig{Priority: -1}, driver.LaunchConfig{Cooperative: true, Priority: -1})
		if major, _, _ := c.Device().ComputeCapability(); major >= 9 {
			configs = append(configs, driver.LaunchConfig{Programmatic: true})
		}
	}
	for _, config := range configs {
		config.Grid, config.Block = driver.Dim(4), driver.Dim(32)
		require.NoError(t, prepare(t, f, config, ptr(&p)).Enqueue(s), "%+v", config)
	}
	require.NoError(t, s.Synchronize())
	require.Equal(t, uint32(128*len(configs)), read[uint32](t, c, p, 1)[0])

	blocks, err := f.MaxActiveBlocks(128, 0)
	require.NoError(t, err)
	require.Positive(t, blocks)
	grid, threads, err := f.SuggestBlock(0, 512)
	require.NoError(t, err)
	require.Positive(t, grid)
	require.LessOrEqual(t, threads, 512)
	left, err := f.AvailableShared(1, 128)
	require.NoError(t, err)
	require.Positive(t, left)
}

func TestGPUClusters(t *testing.T) {
	_, c := gpu(t)
	if yes, err := c.Device().Attribute(driver.ClusterLaunch); err != nil || yes == 0 {
		t.Skip("the device has no clusters")
	}
	m := load(t, c, clusterKernels)
	s, f, compiled := stream(t, c), function(t, m, "clusters"), function(t, m, "compiled")
	out := alloc(t, c, 64*4)
	run := func(f *driver.Function, config driver.LaunchConfig) uint32 {
		config.Grid, config.Block = driver.Dim(32), driver.Dim(32)
		require.NoError(t, prepare(t, f, config, ptr(&out)).Enqueue(s))
		require.NoError(t, s.Synchronize())
		return read[uint32](t, c, out, 1)[0]
	}
	require.Equal(t, uint32(1), run(f, driver.LaunchConfig{}))
	require.Equal(t, uint32(4), run(f, driver.LaunchConfig{Cluster: driver.Dim(4)}))
	require.Equal(t, uint32(8), run(f, driver.LaunchConfig{Cluster: driver.Dim(8)}))
	require.Equal(t, uint32(4), run(compiled, driver.LaunchConfig{}))
	require.Equal(t, uint32(4), run(compiled, driver.LaunchConfig{Cluster: driver.Dim(4)}))

	largest, err := f.MaxClusterSize(driver.LaunchConfig{Grid: driver.Dim(32), Block: driver.Dim(32)})
	require.NoError(t, err)
	require.GreaterOrEqual(t, largest, 8)
	active, err := f.MaxActiveClusters(driver.LaunchConfig{Grid: driver.Dim(32), Block: driver.Dim(32), Cluster: driver.Dim(4)})
	require.NoError(t, err)
	require.Positive(t, active)

	for want, try := range map[string]func() error{
		"not a multiple of 3":  func() error { return prepareError(f, driver.LaunchConfig{Cluster: driver.Dim(3)}) },
		"at most 16":           func() error { return prepareError(f, driver.LaunchConfig{Cluster: driver.Dim(32)}) },
		"AllowLargeClusters":   func() error { return prepareError(f, driver.LaunchConfig{Cluster: driver.Dim(16)}) },
		"was compiled for (4,": func() error { return prepareError(compiled, driver.LaunchConfig{Cluster: driver.Dim(2)}) },
	} {
		require.ErrorContains(t, try(), want)
	}
	require.NoError(t, f.AllowLargeClusters())
	if largest, err = f.MaxClusterSize(driver.LaunchConfig{Grid: driver.Dim(32), Block: driver.Dim(32)}); err == nil && largest >= 16 {
		require.Equal(t, uint32(16), run(f, driver.LaunchConfig{Cluster: driver.Dim(16)}))
	}
}

func prepareError(f *driver.Function, c driver.LaunchConfig) error {
	c.Grid, c.Block = driver.Dim(32), driver.Dim(32)
	_, err := f.Prepare(c, make([]unsafe.Pointer, 1))
	return err
}

// 64 goroutines that change threads between calls, on one context.
func TestGPUGoroutines(t *testing.T) {
	_, c := gpu(t)
	var all sync.WaitGroup
	errs := make([]error, 64)
	for i := range errs {
		all.Go(func() { errs[i] = loadLaunchRead(c, uint32(i)) })
	}
	all.Wait()
	for i, err := range errs {
		require.NoError(t, err, "goroutine %d", i)
	}
}

func loadLaunchRead(c *driver.Context, i uint32) error { return loadLaunchReadFrom(c, gpuKernels, i) }

func loadLaunchReadFrom(c *driver.Context, ptx string, i uint32) error {
	m, err := c.LoadModule([]byte(ptx), driver.LoadConfig{})
	if err != nil {
		return err
	}
	defer m.Close()
	f, err := m.Function("count")
	if err != nil {
		return err
	}
	s, err := c.NewStream(driver.StreamConfig{})
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := c.Alloc(4)
	if err != nil {
		return err
	}
	defer c.Free(p)
	l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(1 + i), Block: driver.Dim(32)}, args(ptr(&p)))
	if err != nil {
		return err
	}
	out := make([]uint32, 1)
	for _, step := range []func() error{
		func() error { return s.Memset32(p, 0, 1) }, func() error { return l.Enqueue(s) },
		func() error { return l.Enqueue(s) }, func() error { return s.CopyToHost(bytesOf(out), p) }, s.Synchronize,
	} {
		runtime.Gosched()
		if err := step(); err != nil {
			return err
		}
	}
	if want := 64 * (1 + i); out[0] != want {
		return fmt.Errorf("counted %d, want %d", out[0], want)
	}
	return nil
}

func TestGPULibraryAndLink(t *testing.T) {
	d, c := gpu(t)
	s := stream(t, c)
	p := alloc(t, c, 4)
	run := func(f *driver.Function) {
		require.NoError(t, s.Memset32(p, 0, 1))
		require.NoError(t, prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(2), Block: driver.Dim(32)}, ptr(&p)).Enqueue(s))
		require.NoError(t, s.Synchronize())
		require.Equal(t, uint32(64), read[uint32](t, c, p, 1)[0])
	}
	if d.Version().Compare(dl.Version{Major: 12}) >= 0 {
		lib, err := d.LoadLibrary([]byte(gpuKernels), driver.LoadConfig{})
		require.NoError(t, err)
		f, err := lib.Function(c, "count")
		require.NoError(t, err)
		run(f)
		_, err = lib.Function(c, "kount")
		require.ErrorIs(t, err, driver.NotFound)
		if names, err := lib.Names(); err == nil {
			require.Contains(t, names, "count")
		}
		require.NoError(t, lib.Close())
	}
	k, err := c.NewLinker(driver.LoadConfig{})
	require.NoError(t, err)
	require.NoError(t, k.Add(driver.LinkPTX, []byte(gpuKernels), "kernels.ptx"))
	err = k.Add(driver.LinkPTX, []byte(".version 6.0\n.target sm_52\n.address_size 64\nnonsense"), "bad.ptx")
	require.ErrorContains(t, err, "bad.ptx")
	require.NoError(t, k.Close())

	k, err = c.NewLinker(driver.LoadConfig{})
	require.NoError(t, err)
	require.NoError(t, k.Add(driver.LinkPTX, []byte(gpuKernels), "kernels.ptx"))
	cubin, err := k.Complete()
	require.NoError(t, err)
	require.NoError(t, k.Close())
	m, err := c.LoadModule(cubin, driver.LoadConfig{})
	require.NoError(t, err)
	run(function(t, m, "count"))
}
