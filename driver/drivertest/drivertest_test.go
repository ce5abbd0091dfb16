package drivertest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/driver/jitlink"
)

const ptx = `//
// .visible .entry commented()
.version 7.8
.target sm_90
.address_size 64
.visible .global .align 8 .b8 buffer[24];
.const .f32 scale;
.shared .align 4 .b8 tile[4096];
.extern .func (.param .b32 r) other (.param .b32 p);
.visible .entry mixed(
	.param .u8 a,
	.param .align 16 .b8 b[48],
	.param .u16 c,
	.param .u64 .ptr .global .align 4 d,
	.param .f32 e
)
.maxntid 16, 8, 1
.minnctapersm 2
{
	ret;
}
.entry bare() { ret; }
.weak .entry clustered() .reqnctapercluster 2, 2 { ret; }
`

func context(t *testing.T, c drivertest.Config) (*driver.Context, *drivertest.Driver) {
	t.Helper()
	double := drivertest.New(c)
	d, err := driver.Bind(double)
	require.NoError(t, err)
	dev, err := d.Device(0)
	require.NoError(t, err)
	ctx, err := dev.Primary()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ctx.Close()) })
	return ctx, double
}

// What the double reads in PTX is what ptxas would.
func TestPTX(t *testing.T) {
	c, _ := context(t, drivertest.Config{})
	m, err := c.LoadModule([]byte(ptx), driver.LoadConfig{})
	require.NoError(t, err)
	names, err := m.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"mixed", "bare", "clustered"}, names)
	f, err := m.Function("mixed")
	require.NoError(t, err)
	params, err := f.Params()
	require.NoError(t, err)
	require.Equal(t, []driver.ParamInfo{{Offset: 0, Size: 1}, {Offset: 16, Size: 48}, {Offset: 64, Size: 2}, {Offset: 72, Size: 8}, {Offset: 80, Size: 4}}, params)
	require.Equal(t, 128, f.MaxThreads())
	require.Equal(t, 4096, f.StaticShared())
	for name, want := range map[string]uint64{"buffer": 24, "scale": 4} {
		_, size, err := m.Global(name)
		require.NoError(t, err)
		require.Equal(t, want, size, name)
	}
	_, _, err = m.Global("tile")
	require.ErrorIs(t, err, driver.NotFound)
	f, err = m.Function("clustered")
	require.NoError(t, err)
	width, err := f.Attribute(driver.FuncRequiredClusterHeight)
	require.NoError(t, err)
	require.Equal(t, 2, width)
}

// A cubin of the real linker has the same parameters as its PTX.
func TestCubin(t *testing.T) {
	path := ""
	if found, _ := filepath.Glob("../../.deps/nvjitlink-*/usr/lib/*/libnvJitLink.so.*"); len(found) > 0 {
		path = filepath.Dir(found[0])
	}
	l, err := jitlink.Open(jitlink.Config{Path: path})
	if err != nil {
		if strings.Contains(os.Getenv("PURECUDA_REQUIRE"), "nvjitlink") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	k, err := l.NewLink("-arch=sm_90")
	require.NoError(t, err)
	defer k.Close()
	require.NoError(t, k.Add(jitlink.PTX, []byte(ptx), "ptx"))
	require.NoError(t, k.Complete())
	cubin, err := k.Cubin()
	require.NoError(t, err)

	c, _ := context(t, drivertest.Config{})
	m, err := c.LoadModule(cubin, driver.LoadConfig{})
	require.NoError(t, err)
	names, err := m.Names()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"mixed", "bare", "clustered"}, names)
	f, err := m.Function("mixed")
	require.NoError(t, err)
	params, err := f.Params()
	require.NoError(t, err)
	require.Equal(t, []driver.ParamInfo{{Offset: 0, Size: 1}, {Offset: 16, Size: 48}, {Offset: 64, Size: 2}, {Offset: 72, Size: 8}, {Offset: 80, Size: 4}}, params)
	require.Positive(t, f.NumRegs())
	_, size, err := m.Global("buffer")
	require.NoError(t, err)
	require.Equal(t, uint64(24), size)
}

// The PTX that NVRTC makes is read, too: the nearest of its outputs in the tree.
func TestCompilersPTX(t *testing.T) {
	files, _ := filepath.Glob("../../abi/ptx/testdata/*.ptx")
	more, _ := filepath.Glob("../../abi/ptx/testdata/*/*.ptx")
	c, _ := context(t, drivertest.Config{Version: dl.Version{Major: 13}, Devices: []drivertest.Device{{Major: 12}}})
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := c.LoadModule(text, driver.LoadConfig{})
		if err != nil {
			require.NotErrorIs(t, err, driver.InvalidImage, file)
			continue
		}
		require.NoError(t, m.Close())
	}
}

func TestRules(t *testing.T) {
	c, double := context(t, drivertest.Config{})
	double.FailAfter("cuMemAlloc_v2", driver.NotPermitted, 1, 2)
	var codes []error
	for range 4 {
		p, err := c.Alloc(64)
		codes = append(codes, err)
		if err == nil {
			require.NoError(t, c.Free(p))
		}
	}
	require.NoError(t, codes[0])
	require.ErrorIs(t, codes[1], driver.NotPermitted)
	require.ErrorIs(t, codes[2], driver.NotPermitted)
	require.NoError(t, codes[3])
	require.Equal(t, 4, double.Called("cuMemAlloc_v2"))
	require.Equal(t, driver.NotPermitted, double.Calls("cuMemAlloc_v2")[1].Result)
	require.Equal(t, uintptr(64), double.Calls("cuMemAlloc_v2")[0].Args[1])
	require.Equal(t, drivertest.Live{Contexts: 1}, double.Live())
	double.Forget()
	require.Empty(t, double.Calls())
	require.Panics(t, func() { double.Memory(12345, 1) })
}

// The double has no function that its version lacks.
func TestLookup(t *testing.T) {
	old, young := drivertest.New(drivertest.Config{Version: dl.Version{Major: 8}}), drivertest.New(drivertest.Config{Version: dl.Version{Major: 13}, Without: []string{"cuMemAlloc_v2"}})
	for _, f := range driver.Functions() {
		_, err := young.Lookup(f.Name)
		require.Equal(t, f.Name == "cuMemAlloc_v2", err != nil, f.Name)
		_, err = old.Lookup(f.Name)
		require.Equal(t, f.Since.Compare(dl.Version{Major: 8}) > 0, err != nil, f.Name)
	}
	_, err := young.Lookup("cuNothing")
	require.ErrorIs(t, err, dl.ErrNoSymbol)
}
