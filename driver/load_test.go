package driver_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// What keeps an image from loading is told with both sides of it.
func TestLoadErrors(t *testing.T) {
	for name, test := range map[string]struct {
		version string
		cc      int
		image   string
		code    driver.Result
		want    []string
	}{
		"PTX too new": {"11.8", 90, ".version 8.7\n.target sm_70\n.entry k() { ret; }", driver.UnsupportedPTXVersion, []string{
			"the image is PTX 8.7, of CUDA 12.7", "this driver takes the PTX of CUDA 11.8 and older", "compile for sm_90 (a cubin)", "the driver's log:"}},
		"another GPU": {"12.4", 70, ".version 7.0\n.target sm_80\n.entry k() { ret; }", driver.NoBinaryForGPU, []string{
			"the image is PTX for sm_80", "device 0 (Test GPU sm_70) is sm_70"}},
		"no image": {"12.4", 90, "hello", driver.InvalidImage, []string{"6 bytes that are neither PTX nor a cubin nor a fatbin"}},
		"empty":    {"12.4", 90, "", driver.InvalidImage, []string{"the image is empty"}},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := bind(t, drivertest.Config{Version: version(t, test.version), Devices: []drivertest.Device{{Major: test.cc / 10, Minor: test.cc % 10}}})
			_, err := open(t, d).LoadModule([]byte(test.image), driver.LoadConfig{})
			require.ErrorIs(t, err, test.code)
			require.ErrorContains(t, err, "driver: load module: ")
			for _, want := range test.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// B56: what can't be done during a capture says so.
func TestLoadDuringCapture(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	require.NoError(t, s.BeginCapture())
	_, err := c.LoadModule([]byte(kernels), driver.LoadConfig{})
	require.ErrorIs(t, err, driver.StreamCaptureUnsupported)
	require.ErrorContains(t, err, "load modules, allocate memory and wait before the capture begins")
	require.ErrorContains(t, s.Synchronize(), "a stream is being captured")
	g, err := s.EndCapture()
	require.NoError(t, err)
	require.NoError(t, g.Close())
}

// B28: a name that isn't there comes with those that are.
func TestFunctionNotFound(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	m := load(t, c, kernels)
	_, err := m.Function("Scale")
	require.ErrorIs(t, err, driver.NotFound)
	require.EqualError(t, err, `driver: find function "Scale": the module has scale, empty, bounded: not found (cuModuleGetFunction: CUDA_ERROR_NOT_FOUND)`)
	_, err = m.Function("a\x00b")
	require.ErrorContains(t, err, "offset 1")
	names, err := m.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"scale", "empty", "bounded"}, names)
	require.Same(t, function(t, m, "scale"), function(t, m, "scale"))

	at, size, err := m.Global("table")
	require.NoError(t, err)
	require.NotZero(t, at)
	require.Equal(t, uint64(64), size)
	_, _, err = m.Global("chair")
	require.ErrorIs(t, err, driver.NotFound)
	require.ErrorContains(t, err, `find variable "chair"`)

	many := kernels
	for i := range 30 {
		many += ".visible .entry k" + strings.Repeat("x", i) + "() { ret; }\n"
	}
	_, err = load(t, c, many).Function("y")
	require.ErrorContains(t, err, "(33 in all)")
}

func TestLibrary(t *testing.T) {
	d, double := bind(t, drivertest.Config{Devices: make([]drivertest.Device, 2)})
	double.Kernel("scale", scaleBody)
	l, err := d.LoadLibrary([]byte(kernels), driver.LoadConfig{})
	require.NoError(t, err)
	for i := range 2 {
		dev, err := d.Device(i)
		require.NoError(t, err)
		c, err := dev.Primary()
		require.NoError(t, err)
		defer c.Close()
		f, err := l.Function(c, "empty")
		require.NoError(t, err)
		require.Nil(t, f.Module())
		again, err := l.Function(c, "empty")
		require.NoError(t, err)
		require.Same(t, f, again)
		s := stream(t, c)
		run := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)})
		require.NoError(t, run.Enqueue(s))
		_, size, err := l.Global(c, "counter")
		require.NoError(t, err)
		require.Equal(t, uint64(4), size)
		_, err = l.Function(c, "nothing")
		require.ErrorIs(t, err, driver.NotFound)
		defer func() { require.ErrorContains(t, run.Enqueue(s), "library: closed") }()
	}
	require.Len(t, double.Launches(), 2)
	require.NoError(t, l.Close())
	require.NoError(t, l.Close())
}

func TestLinker(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	k, err := c.NewLinker(driver.LoadConfig{MaxRegisters: 64, Verbose: true})
	require.NoError(t, err)
	require.NoError(t, k.Add(driver.LinkPTX, []byte(kernels), "kernels.ptx"))
	require.ErrorContains(t, k.Add(driver.LinkPTX, []byte("nonsense"), "bad.ptx"), "add bad.ptx to the link")
	image, err := k.Complete()
	require.NoError(t, err)
	require.NoError(t, k.Close())
	require.ErrorIs(t, k.Add(driver.LinkPTX, []byte(kernels), "late"), driver.ErrClosed)
	function(t, load(t, c, string(image)), "scale")
}

// The stub of a toolkit opens and answers 34: that is told, with where it lies.
func TestStubLibrary(t *testing.T) {
	stubC := strings.Replace(stubC, "int cuInit(unsigned f) { return 0; }", "int cuInit(unsigned f) { return 34; }", 1)
	dir := t.TempDir()
	path := buildC(t, dir, "libcuda.so.1", stubC)
	_, err := driver.Open(driver.Config{Path: path})
	require.ErrorIs(t, err, driver.StubLibrary)
	require.ErrorContains(t, err, "is a stub for linking, not a driver")
	require.ErrorContains(t, err, path)

	good := buildC(t, t.TempDir(), "libcuda.so.1", stubCGood)
	d, err := driver.Open(driver.Config{Path: filepath.Dir(good)})
	require.NoError(t, err)
	require.Equal(t, dl.Version{Major: 12}, d.Version())
}

// A code of a driver newer than this package is told in the driver's words.
func TestUnknownCode(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	double.Fail("cuMemAlloc_v2", 12345, 1)
	_, err := c.Alloc(64)
	require.ErrorContains(t, err, "CUDA_ERROR_12345, code 12345 of the double")
	name, text := d.Describe(driver.OutOfMemory)
	require.Equal(t, "CUDA_ERROR_OUT_OF_MEMORY", name)
	require.Equal(t, "out of memory", text)
}

// A real libcuda without a GPU: it has what its version promises, and its words
// for the codes are those here.
func TestRealLibrary(t *testing.T) {
	found, _ := filepath.Glob("../.deps/libcuda-*/usr/lib/*/nvidia/current/libcuda.so.1")
	if len(found) == 0 {
		skip(t, "libcuda", "no libcuda under .deps: ci/setup gets one")
	}
	lib, err := dl.Open(found[0])
	require.NoError(t, err)
	table := dl.NewTable(lib, driver.Functions())
	version := new(int32)
	f, err := lib.Lookup("cuDriverGetVersion")
	require.NoError(t, err)
	require.Zero(t, f.Call(driver.WordOf(version)))
	have := dl.Version{Major: int(*version / 1000), Minor: int(*version % 1000 / 10)}
	t.Log(found[0], have)
	for i, decl := range driver.Functions() {
		if decl.Since.Compare(have) <= 0 {
			require.True(t, table.Has(i), "%s, since %s", decl.Name, decl.Since)
		} else if table.Has(i) {
			t.Logf("%s is older than %s", decl.Name, decl.Since)
		}
	}
	f, err = lib.Lookup("cuGetErrorName")
	require.NoError(t, err)
	known := 0
	for r := driver.Result(0); r < 1000; r++ {
		name := new(uintptr)
		if f.Call(uintptr(r), driver.WordOf(name)) == 0 {
			known++
			require.Equal(t, dl.GoString(*name), r.Name())
			require.NotContains(t, r.String(), "result")
		}
	}
	require.Greater(t, known, 90)
}
