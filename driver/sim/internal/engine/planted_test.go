package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// plantedDir has kernels with a planted fault, or none. Above each stands a line "//! KIND key=value...": what is to be found and how to launch the
// kernel (block=64 grid=1 shared=0, cooperative=1, freed=half). KIND is clean where nothing may be found. Lines that the fault may be reported at
// end in "// FAULT", those that such a line was inlined at in "// INLINED", and inlined=N says how many there are of these.
const plantedDir = "testdata/planted"

// TestPlantedData makes the PTX anew with PURECUDA_UPDATE set.
func TestPlantedData(t *testing.T) {
	if os.Getenv("PURECUDA_UPDATE") == "" {
		t.Skip("PURECUDA_UPDATE is not set")
	}
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	for _, file := range plantedFiles(t) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		p, err := c.NewProgram(string(source), nvrtc.ProgramConfig{Name: "/" + filepath.Base(file)})
		require.NoError(t, err)
		require.NoError(t, p.Compile(context.Background(), "--gpu-architecture=compute_80", "-lineinfo", "--std=c++17"))
		text, err := p.PTX()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(strings.TrimSuffix(file, ".cu")+".ptx", []byte(text), 0o644))
		require.NoError(t, p.Close())
	}
}

func plantedFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(plantedDir, "*.cu"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// A planted is a kernel with what is to be found.
type planted struct {
	name, kind string
	settings   map[string]int
	freed      bool
	faults     []int // lines
	inlined    []int
}

var kernelText = regexp.MustCompile(`__global__ void (\w+)\(`)

// readPlanted reads a source file.
func readPlanted(t testing.TB, source string) (all []planted) {
	t.Helper()
	p, inside := planted{}, false
	for i, line := range strings.Split(source, "\n") {
		if text, ok := strings.CutPrefix(line, "//! "); ok {
			fields := strings.Fields(text)
			p.kind, p.settings = fields[0], map[string]int{"block": 64, "grid": 1}
			for _, f := range fields[1:] {
				key, value, _ := strings.Cut(f, "=")
				if p.freed = p.freed || key == "freed"; key != "freed" {
					n, err := strconv.Atoi(value)
					require.NoError(t, err)
					p.settings[key] = n
				}
			}
		}
		if m := kernelText.FindStringSubmatch(line); m != nil {
			p.name, inside = m[1], true
		}
		if strings.HasSuffix(line, "// FAULT") {
			p.faults = append(p.faults, i+1)
		}
		if strings.HasSuffix(line, "// INLINED") {
			p.inlined = append(p.inlined, i+1)
		}
		if line == "}" && inside {
			require.NotEmpty(t, p.kind, p.name)
			require.Equal(t, p.kind == "clean", len(p.faults) == 0, p.name)
			all = append(all, p)
			p, inside = planted{}, false
		}
	}
	return all
}

// run runs a planted kernel and gives the memory after it.
func (k *planted) run(t testing.TB, text *ptx.Module, c *Config) ([]byte, error) {
	t.Helper()
	p, m := loadChecked(t, text, c)
	in, err := m.Alloc(4096)
	require.NoError(t, err)
	out, err := m.Alloc(4096)
	require.NoError(t, err)
	half, err := m.Alloc(4096)
	require.NoError(t, err)
	for i := range 1024 {
		binary.LittleEndian.PutUint32(in.Data[4*i:], uint32(i))
	}
	m.Written(in.Base, 4096)
	m.Written(half.Base, 2048)
	if k.freed {
		require.NoError(t, m.Free(half.Base))
	}
	l := &Launch{Kernel: p.Kernel(k.name), Grid: [3]uint32{uint32(k.settings["grid"]), 1, 1}, Block: [3]uint32{uint32(k.settings["block"]), 1, 1},
		Shared: k.settings["shared"], Cooperative: k.settings["cooperative"] != 0, Params: params(in.Base, out.Base, half.Base, uint32(64))}
	require.NotNil(t, l.Kernel, k.name)
	_, err = Run(context.Background(), l, c)
	return slices.Concat(in.Data, out.Data, half.Data), err
}

var plantedKinds = map[string]FaultKind{"uninitialised": Uninitialised, "race": Race, "deadlock": Deadlock, "endless": Endless,
	"illegal": IllegalAddress, "misaligned": MisalignedAddress, "sync": Undefined}

// TestPlanted finds every planted fault at its line, and nothing where there is none.
func TestPlanted(t *testing.T) {
	found, clean := 0, 0
	for _, file := range plantedFiles(t) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		text, err := os.ReadFile(strings.TrimSuffix(file, ".cu") + ".ptx")
		require.NoError(t, err)
		module, err := ptx.Parse(string(text))
		require.NoError(t, err)
		base := filepath.Base(file)
		for _, k := range readPlanted(t, string(source)) {
			t.Run(base+"/"+k.name, func(t *testing.T) {
				for seed := range uint64(4) {
					c := &Config{Check: Check{Uninitialised: true, Race: true}, MaxSteps: pick[uint64](k.kind == "endless", 1<<16, 1<<20), Worst: seed > 0, Seed: seed}
					c.Check.Sync = base == "sync.cu"
					if k.kind == "race" { // which comes first is another question
						c.Check.Uninitialised = false
					}
					got, err := k.run(t, module, c)
					if k.kind != "clean" {
						k.expect(t, base, err, seed > 0)
						continue
					}
					require.NoError(t, err, "seed %d", seed)
					if seed == 0 { // detectors change nothing
						plain, err := k.run(t, module, &Config{Workers: 1})
						require.NoError(t, err)
						assert.True(t, bytes.Equal(plain, got), "the memory is another")
					}
				}
			})
			if k.kind == "clean" {
				clean++
			} else {
				found++
			}
		}
	}
	t.Logf("%d planted faults, %d look-alikes", found, clean)
	assert.GreaterOrEqual(t, found, 70)
	assert.GreaterOrEqual(t, clean, 50)
}

// expect holds the fault that was found against the one planted. In an unlucky order it may hide, or something worse comes of it first.
func (k *planted) expect(t *testing.T, base string, err error, mayHide bool) {
	t.Helper()
	if err == nil && mayHide {
		return
	}
	f, ok := err.(*Fault)
	require.True(t, ok, "%v", err)
	t.Logf("%v", f)
	if mayHide && f.Kind == Undefined { // what the race led to
		return
	}
	require.Equal(t, plantedKinds[k.kind], f.Kind, "%v", f)
	line := func(at string) int {
		rest, ok := strings.CutPrefix(at, "/"+base+":")
		require.True(t, ok, "%q", at)
		number, column, _ := strings.Cut(rest, ":")
		require.NotEmpty(t, column)
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		return n
	}
	assert.Contains(t, k.faults, line(f.Source), "%v", f)
	var inlined []int
	if f.Inlined != "" {
		for _, at := range strings.Split(f.Inlined, ", ") {
			inlined = append(inlined, line(at))
			assert.Contains(t, k.inlined, line(at))
		}
	}
	assert.Len(t, inlined, k.settings["inlined"], "%v", f)
}
