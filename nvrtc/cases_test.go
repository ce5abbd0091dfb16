package nvrtc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// A caseRow is a compile and what NVRTC 11.8 answers. Where this package answers
// otherwise by design, Here says how and why.
type caseRow struct {
	ID, File string
	Opts     []string
	RC       int
	Log      string
	PTX      string
	NoPTX    string
	Names    []string
	Headers  map[string]string
	Prog     string
	Cubin    string
	Lowered  string
	Timeout  int // seconds
	Slow     bool
	Why      string
	Here     *struct {
		RC  int
		Why string
	}
}

func readCases(t *testing.T) []caseRow {
	text, err := os.ReadFile("testdata/cases/cases.json")
	require.NoError(t, err)
	var rows []caseRow
	require.NoError(t, json.Unmarshal(text, &rows))
	require.Len(t, rows, 112)
	return rows
}

// inCases changes into a copy of the folder of cases, with the folder whose
// name is awkward to store.
func inCases(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/cases")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "uni-é"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "uni-é", "a.h"), []byte("#define V 9\n"), 0o644))
	t.Chdir(dir)
}

func TestCasesOnNVRTC118(t *testing.T) {
	rows := readCases(t)
	compiler := nvrtctest.Real(t, dl.Version{Major: 11, Minor: 8})
	inCases(t)
	for i, row := range rows {
		t.Run(fmt.Sprintf("%03d-%s", i, row.ID), func(t *testing.T) {
			if row.Slow && testing.Short() {
				t.Skip("slow")
			}
			if slices.Contains(row.Opts, "-I/usr/include") {
				if _, err := os.Stat("/usr/include/stdint.h"); err != nil {
					t.Skip("this machine has no headers of the C library")
				}
			}
			checkCase(t, compiler, row)
		})
	}
}

func checkCase(t *testing.T, compiler *nvrtc.Compiler, row caseRow) {
	source, err := os.ReadFile(row.File)
	require.NoError(t, err)
	program, err := compiler.NewProgram(string(source), nvrtc.ProgramConfig{Name: row.Prog, Headers: row.Headers, Exports: row.Names})
	require.NoError(t, err)
	defer program.Close()
	if row.Timeout == 0 {
		row.Timeout = 120
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(row.Timeout)*time.Second)
	defer cancel()
	err = program.Compile(ctx, row.Opts...)
	if row.Here != nil {
		row.RC, row.Log = row.Here.RC, ""
	}
	if row.RC != 0 {
		var refused *nvrtc.CompileError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, nvrtc.Result(row.RC), refused.Result)
		assert.Contains(t, refused.Log, row.Log)
		assert.NotContains(t, refused.Log, "\x00")
		assert.NotEmpty(t, refused.Diagnostics)
		assert.Contains(t, fmt.Sprintf("%+v", refused), row.Log)
		assert.Contains(t, fmt.Sprintf("%+v", refused), compiler.Path())
		_, err = program.PTX()
		assert.ErrorIs(t, err, nvrtc.ErrNotCompiled)
		return
	}
	require.NoError(t, err)
	ptx, err := program.PTX()
	require.NoError(t, err)
	assert.Contains(t, ptx, row.PTX)
	assert.True(t, strings.HasSuffix(ptx, "\n"), "the PTX ends with its last line")
	if row.NoPTX != "" {
		assert.NotContains(t, ptx, row.NoPTX)
	}
	cubin, err := program.CUBIN()
	if row.Cubin != "" {
		require.NoError(t, err)
		assert.Equal(t, "\x7fELF", string(cubin[:4]))
	} else if arch, ok := nvrtc.ParseOptions(row.Opts).Arch(); !ok || arch.Kind != nvrtc.RealArch {
		assert.ErrorIs(t, err, nvrtc.ErrNoOutput)
	}
	for _, name := range row.Names {
		lowered, err := program.LoweredName(name)
		require.NoError(t, err)
		assert.Equal(t, row.Lowered, lowered)
	}
}

// TestCasesOnOtherVersions runs the cases whose answer is the same everywhere,
// with an architecture that all of them know.
func TestCasesOnOtherVersions(t *testing.T) {
	rows := readCases(t)
	nvrtctest.Real(t, dl.Version{})
	inCases(t)
	// What these are about differs from version to version.
	other := []string{"B10", "B11", "B13", "B14", "B15", "B20", "B32", "B47", "B52", "B76", "B77"}
	for _, c := range nvrtctest.Reals() {
		if c.Version() == (dl.Version{Major: 11, Minor: 8}) {
			continue
		}
		for i, row := range rows {
			// From some version after 12.4 on an option may be given twice.
			if slices.Contains(other, row.ID) || slices.Contains(row.Opts, "--minimal") || row.Log == "defined more than once" && c.Version().AtLeast(12, 5) {
				continue
			}
			for j, o := range row.Opts {
				row.Opts[j] = strings.ReplaceAll(o, "_70", "_80")
			}
			t.Run(fmt.Sprintf("%s/%03d-%s", c.Version(), i, row.ID), func(t *testing.T) { checkCase(t, c, row) })
		}
	}
}
