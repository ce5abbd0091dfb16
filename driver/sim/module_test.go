package sim_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

const head = ".version 7.0\n.target sm_70\n.address_size 64\n"

// What can't be loaded is refused with the code that a GPU's driver has for it, and why stands in the log.
func TestLoadErrors(t *testing.T) {
	elf := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 11) + "\xbe" + strings.Repeat("\x00", 45) // as much of one as package driver looks at
	for name, test := range map[string]struct {
		version string // of the driver; "" is 13.0
		image   string
		code    driver.Result
		want    string
	}{
		"no image":            {"", "hello", driver.InvalidImage, "sim: neither PTX nor a fatbin"},
		"syntax":              {"", head + ".visible .entry k( { ret; }", driver.InvalidPTX, "sim: PTX line 4, column 20: "},
		"unknown opcode":      {"", head + ".visible .entry k() { .reg .b32 %r<3>; flip.u32 %r1, %r2; ret; }", driver.InvalidPTX, "sim: unsupported instruction flip.u32 (PTX line 4)"},
		"undeclared":          {"", head + ".visible .entry k() { mov.u32 %r1, 1; ret; }", driver.InvalidPTX, "sim: "},
		"newer PTX":           {"11.8", ".version 8.0\n.target sm_70\n.visible .entry k() { ret; }", driver.UnsupportedPTXVersion, "sim: PTX 8.0 is of a newer CUDA than this driver of 11.8"},
		"newer PTX, unread":   {"", ".version 99.1\n.target sm_70\n.something new {", driver.UnsupportedPTXVersion, "sim: PTX 99.1 is of a newer CUDA"},
		"newer target":        {"", ".version 8.7\n.target sm_100\n.visible .entry k() { ret; }", driver.InvalidPTX, "sim: PTX for sm_100 does not run on device 0, which is sm_90"},
		"another's own":       {"", ".version 8.7\n.target sm_80a\n.visible .entry k() { ret; }", driver.InvalidPTX, "sim: PTX for sm_80a does not run"},
		"target too new":      {"", ".version 7.0\n.target sm_90\n.visible .entry k() { ret; }", driver.InvalidPTX, "sim: PTX 7.0 knows no sm_90, which came with 7.8"},
		"too old":             {"", ".version 0.9\n.target sm_50\n.visible .entry k() { ret; }", driver.UnsupportedPTXVersion, "sim: there is no PTX 0.9"},
		"another ELF":         {"", strings.Replace(elf, "\xbe", "\x3e", 1), driver.InvalidImage, "sim: an ELF file that is no cubin"},
		"no target":           {"", ".version 8.7\n.target sm_x\n.visible .entry k() { ret; }", driver.InvalidPTX, "sim: unknown target sm_x"},
		"a cubin":             {"", elf, driver.NoBinaryForGPU, "sim: a cubin is machine code: the simulator runs PTX alone: compile for a compute_ architecture (--gpu-architecture=compute_XY)"},
		"variables too large": {"", head + ".global .b8 x[8589934592];", driver.OutOfMemory, "variable x of 8589934592 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			v := dl.Version{Major: 13}
			if test.version != "" {
				v = dl.Version{Major: 11, Minor: 8}
			}
			r := newRig(t, sim.Config{Version: v})
			_, err := r.ctx.LoadModule([]byte(test.image), driver.LoadConfig{})
			require.ErrorIs(t, err, test.code)
			require.ErrorContains(t, err, test.want)
			if v.Major >= 12 && name != "variables too large" && name != "newer target" && name != "another's own" && name != "no target" && name != "target too new" {
				_, err = r.drv.LoadLibrary([]byte(test.image), driver.LoadConfig{})
				require.ErrorIs(t, err, test.code)
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}

func TestSuffixedTargets(t *testing.T) {
	for target, runs := range map[string]map[int]bool{
		"sm_90":   {80: false, 90: true, 100: true, 120: true},
		"sm_90a":  {90: true, 100: false},
		"sm_100f": {90: false, 100: true, 103: true, 120: false},
	} {
		for cc, want := range runs {
			r := newRig(t, sim.Config{Devices: []sim.Device{{Major: cc / 10, Minor: cc % 10}}})
			m, err := r.ctx.LoadModule([]byte(".version 8.7\n.target "+target+"\n.visible .entry k() { ret; }"), driver.LoadConfig{})
			require.Equal(t, want, err == nil, "%s on %d: %v", target, cc, err)
			require.NoError(t, m.Close())
		}
	}
}

func TestModuleFacts(t *testing.T) {
	r := newRig(t, sim.Config{})
	m, err := r.ctx.LoadModule([]byte(kernels), driver.LoadConfig{Verbose: true})
	require.NoError(t, err)
	require.Contains(t, m.Log(), "sim: kernel axpy: about ")
	names, err := m.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"axpy", "store", "digit", "await", "endless", "trapped", "bounded", "static"}, names)
	at, size, err := m.Global("counter")
	require.NoError(t, err)
	require.Equal(t, uint64(4), size)
	require.Equal(t, uint32(5), read[uint32](t, r.ctx, at, 1)[0])
	_, size, err = m.Global("table")
	require.NoError(t, err)
	require.Equal(t, uint64(64), size)
	_, _, err = m.Global("s")
	require.ErrorIs(t, err, driver.NotFound)
	_, err = m.Function("nothing")
	require.ErrorIs(t, err, driver.NotFound)

	for name, want := range map[string]struct{ threads, static, params int }{
		"axpy": {1024, 0, 4}, "bounded": {64, 0, 0}, "static": {1024, 1000, 0},
	} {
		f, err := m.Function(name)
		require.NoError(t, err)
		require.Equal(t, want.threads, f.MaxThreads(), name)
		require.Equal(t, want.static, f.StaticShared(), name)
		params, err := f.Params()
		require.NoError(t, err)
		require.Len(t, params, want.params, name)
		for a, want := range map[driver.FunctionAttribute]int{
			driver.FuncPTXVersion: 70, driver.FuncBinaryVersion: 90, driver.FuncMaxDynamicSharedSizeBytes: 48<<10 - want.static,
			driver.FuncConstSizeBytes: 64, driver.FuncPreferredSharedMemoryCarveout: -1,
		} {
			v, err := f.Attribute(a)
			require.NoError(t, err)
			require.Equal(t, want, v, "%s of %s", a, name)
		}
		_, err = f.Attribute(99)
		require.ErrorIs(t, err, driver.InvalidValue)
	}
	f, err := m.Function("static")
	require.NoError(t, err)
	require.NoError(t, f.SetMaxDynamicShared(227<<10-1000))
	require.ErrorIs(t, f.SetMaxDynamicShared(227<<10-999), driver.InvalidValue)
	require.NoError(t, m.Close())
}

// A module's variables are its own, in each context and as often as it is loaded.
func TestModuleVariables(t *testing.T) {
	r := newRig(t, sim.Config{})
	a, b := r.load(t, kernels), r.load(t, kernels)
	p, _, err := a.Global("counter")
	require.NoError(t, err)
	q, _, err := b.Global("counter")
	require.NoError(t, err)
	require.NotEqual(t, p, q)
	set(t, r.ctx, p, uint32(77))
	require.Equal(t, uint32(5), read[uint32](t, r.ctx, q, 1)[0])
	require.NoError(t, a.Close())
	require.ErrorIs(t, r.ctx.CopyToHost(make([]byte, 4), p), driver.InvalidValue)
}

// The PTX of a fatbin is used, packed or not, the newest that the driver takes.
func TestFatbin(t *testing.T) {
	for file, want := range map[string]map[int]uint32{ // by the driver's major version
		"plain": {13: 42}, "lz4": {13: 43, 11: 42},
	} {
		for major, want := range want {
			image, err := os.ReadFile("testdata/" + file + ".fatbin")
			require.NoError(t, err)
			r := newRig(t, sim.Config{Version: dl.Version{Major: major, Minor: 0}})
			m, err := r.ctx.LoadModule(image, driver.LoadConfig{})
			require.NoError(t, err, file)
			f, err := m.Function("answer")
			require.NoError(t, err)
			p := r.alloc(t, 4)
			l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, args(ptr(&p)))
			require.NoError(t, err)
			require.NoError(t, l.Enqueue(r.s))
			require.NoError(t, r.s.Synchronize())
			require.Equal(t, want, read[uint32](t, r.ctx, p, 1)[0])
			require.NoError(t, m.Close())
		}
	}
	image, err := os.ReadFile("testdata/plain.fatbin")
	require.NoError(t, err)
	r := newRig(t, sim.Config{})
	for _, cut := range [][2]int{{0x14, 0x20}, {0x18, 0xff}} { // an entry's sizes
		broken := append([]byte(nil), image...)
		broken[cut[0]] = byte(cut[1])
		broken[cut[0]+1] = 0xff
		_, err = r.ctx.LoadModule(broken, driver.LoadConfig{})
		require.ErrorIs(t, err, driver.InvalidImage)
	}
	noPTX := append([]byte(nil), image...)
	noPTX[0x10] = 2
	_, err = r.ctx.LoadModule(noPTX, driver.LoadConfig{})
	require.ErrorIs(t, err, driver.NoBinaryForGPU)
	require.ErrorContains(t, err, "sim: a fatbin without PTX: the simulator runs PTX alone")
}

func FuzzLZ4(f *testing.F) {
	image, err := os.ReadFile("testdata/lz4.fatbin")
	require.NoError(f, err)
	f.Add(image[0x68:0x110], 0xb8)
	f.Add([]byte{0x1f, 'a', 1, 0, 255, 3}, 300)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if size < 0 || size > 1<<16 {
			return
		}
		out, err := sim.LZ4(b, size)
		if err == nil {
			require.Len(t, out, size)
		}
	})
}

func TestLZ4(t *testing.T) {
	for want, b := range map[string]string{
		"":                       "",
		"abc":                    "\x30abc",
		"abababababab":           "\x26ab\x02\x00", // a match that reads what it writes
		strings.Repeat("a", 300): "\x1fa\x01\x00\xff\x19\x00",
	} {
		got, err := sim.LZ4([]byte(b), len(want))
		require.NoError(t, err, "%q", want)
		require.Equal(t, want, string(got))
	}
	for _, b := range []string{"", "\x30ab", "\x10a", "\x10a\x00\x00", "\x10a\x05\x00", "\xf0", "\xf0\xff", "\x1fa\x01\x00\xff"} {
		_, err := sim.LZ4([]byte(b), 100)
		require.Error(t, err, "%q", b)
	}
}

func TestLink(t *testing.T) {
	const caller = `.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) twice(.param .b32 x);
.extern .global .u32 offset;
.visible .entry run(.param .u64 p)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<5>;
	ld.param.u64 %rd1, [p];
	ld.global.u32 %r1, [%rd1];
	{
	.param .b32 x0;
	.param .b32 r0;
	st.param.b32 [x0], %r1;
	call.uni (r0), twice, (x0);
	ld.param.b32 %r2, [r0];
	}
	ld.global.u32 %r3, [offset];
	add.u32 %r4, %r2, %r3;
	st.global.u32 [%rd1], %r4;
	ret;
}`
	const called = `.version 7.1
.target sm_75
.address_size 64
.visible .global .u32 offset = 1000;
.visible .func (.param .b32 r) twice(.param .b32 x)
{
	.reg .b32 %r<3>;
	ld.param.b32 %r1, [x];
	add.u32 %r2, %r1, %r1;
	st.param.b32 [r], %r2;
	ret;
}`
	r := newRig(t, sim.Config{})
	link := func(parts ...string) ([]byte, error) {
		k, err := r.ctx.NewLinker(driver.LoadConfig{})
		require.NoError(t, err)
		defer k.Close()
		for i, p := range parts {
			if err := k.Add(driver.LinkPTX, []byte(p), "part"+string(rune('0'+i))); err != nil {
				return nil, err
			}
		}
		return k.Complete()
	}
	image, err := link(caller, called)
	require.NoError(t, err)
	m, err := r.ctx.LoadModule(image, driver.LoadConfig{})
	require.NoError(t, err)
	f, err := m.Function("run")
	require.NoError(t, err)
	p := r.alloc(t, 4)
	set(t, r.ctx, p, uint32(21))
	l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, args(ptr(&p)))
	require.NoError(t, err)
	require.NoError(t, l.Enqueue(r.s))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, uint32(1042), read[uint32](t, r.ctx, p, 1)[0])
	require.NoError(t, m.Close())

	for want, c := range map[string]struct {
		code  driver.Result
		parts []string
	}{
		"part0: sim: PTX line":                        {driver.InvalidPTX, []string{head + "nonsense"}},
		"part1: sim: neither PTX":                     {driver.InvalidImage, []string{caller, "nonsense"}},
		"part0 declares the variable offset, which n": {driver.Unknown, []string{caller, head + ".visible .entry k() { ret; }"}},
		"part1 and part2 both define offset":          {driver.Unknown, []string{caller, called, head + ".visible .global .u32 offset = 1;"}},
		"part0 and part1 both have a k, and it is o":  {driver.Unknown, []string{head + ".func k() { ret; }", head + ".func k() { ret; }"}},
	} {
		_, err := link(c.parts...)
		require.ErrorIs(t, err, c.code, want)
		require.ErrorContains(t, err, want)
	}
	k, err := r.ctx.NewLinker(driver.LoadConfig{})
	require.NoError(t, err)
	err = k.Add(driver.LinkObject, []byte("\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 57)), "a.o")
	require.ErrorIs(t, err, driver.NoBinaryForGPU)
	require.ErrorContains(t, err, "a.o: sim: machine code")
	require.ErrorIs(t, k.Add(driver.LinkObject, []byte("text"), "b.o"), driver.InvalidImage)
	image, err = k.Complete()
	require.NoError(t, err)
	m, err = r.ctx.LoadModule(image, driver.LoadConfig{})
	require.NoError(t, err, "nothing links to something")
	require.NoError(t, m.Close())
	_, err = k.Complete()
	require.ErrorIs(t, err, driver.InvalidHandle)
	require.NoError(t, k.Close())
}

func TestLibraries(t *testing.T) {
	r := newRig(t, sim.Config{Devices: make([]sim.Device, 2)})
	l, err := r.drv.LoadLibrary([]byte(kernels), driver.LoadConfig{})
	require.NoError(t, err)
	other := r.primary(t, 1)
	names, err := l.Names()
	require.NoError(t, err)
	require.Contains(t, names, "axpy")
	_, err = l.Function(r.ctx, "nothing")
	require.ErrorIs(t, err, driver.NotFound)
	p, _, err := l.Global(r.ctx, "counter")
	require.NoError(t, err)
	q, _, err := l.Global(other, "counter")
	require.NoError(t, err)
	set(t, r.ctx, p, uint32(6))
	require.Equal(t, uint32(5), read[uint32](t, other, q, 1)[0])
	f, err := l.Function(other, "bounded")
	require.NoError(t, err)
	require.Equal(t, 64, f.MaxThreads())
	require.NoError(t, l.Close())
	require.NoError(t, other.Close())
}
