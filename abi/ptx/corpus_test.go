package ptx_test

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A sample is one PTX file of testdata.
type sample struct{ archive, name, text string }

func (s sample) String() string { return s.archive + "/" + s.name }

var loadCorpus = sync.OnceValues(func() ([]sample, error) {
	archives, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil {
		return nil, err
	}
	sort.Strings(archives)
	var all []sample
	for _, a := range archives {
		list, err := readArchive(a)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
})

func readArchive(path string) ([]sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var list []sample
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(t)
		if err != nil {
			return nil, err
		}
		list = append(list, sample{strings.TrimSuffix(filepath.Base(path), ".tar.gz"), h.Name, string(b)})
	}
}

func corpus(t testing.TB) []sample {
	t.Helper()
	all, err := loadCorpus()
	require.NoError(t, err)
	require.Greater(t, len(all), 700)
	return all
}

// find returns the sample of that archive and name.
func find(t testing.TB, archive, name string) string {
	t.Helper()
	for _, s := range corpus(t) {
		if s.archive == archive && s.name == name {
			return s.text
		}
	}
	require.Fail(t, "no such sample", "%s/%s", archive, name)
	return ""
}

func parse(t testing.TB, text string) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse(text)
	require.NoError(t, err)
	return m
}

func TestCorpusRoundTrips(t *testing.T) {
	for _, s := range corpus(t) {
		if !testing.Short() || strings.HasSuffix(s.archive, "compute_90a") {
			roundTrip(t, s.text)
		}
	}
}

// Every statement with a semicolon in the bodies is an instruction, variable or prototype of the tree, at its line.
func TestCorpusIsReadWhole(t *testing.T) {
	forms, opcodes, instructions := map[string]bool{}, map[string]bool{}, 0
	for _, s := range corpus(t) {
		m := parse(t, s.text)
		lines := strings.Split(s.text, "\n")
		for _, f := range m.Functions() {
			for in := range f.Instructions() {
				line := strings.TrimSpace(lines[in.Line-1])
				want := in.Form()
				if in.Pred != nil {
					want = "@"
				}
				if !strings.Contains(line, want) {
					t.Errorf("%s: line %d is %q, not %s", s, in.Line, line, in)
				}
				forms[in.Form()], opcodes[in.Opcode] = true, true
				instructions++
			}
		}
		assert.Equal(t, semicolons(s.text), semicolons(m.Print()), "%s", s)
	}
	t.Logf("%d instructions, %d opcodes, %d forms", instructions, len(opcodes), len(forms))
	assert.Greater(t, instructions, 115000)
	assert.GreaterOrEqual(t, len(opcodes), 78)
	assert.GreaterOrEqual(t, len(forms), 600)
}

// semicolons counts statements outside of comments, which is what two texts of one program agree on. A declaration of several
// registers counts as one for each.
func semicolons(text string) (n int) {
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "//")
		n += strings.Count(code, ";")
		for statement := range strings.SplitSeq(code, ";") {
			if strings.Contains(statement, ".reg") && !strings.Contains(statement, "(") {
				n += strings.Count(statement, ",")
			}
		}
	}
	return n
}

func BenchmarkParse(b *testing.B) {
	for _, s := range []struct{ archive, name string }{
		{"nvrtc-12.4-compute_80", "16_math_double.ptx"},
		{"nvrtc-12.4-compute_80", "01_axpy.ptx"},
		{"nvrtc-12.4-compute_80-G", "44_nbody.ptx"},
	} {
		text := find(b, s.archive, s.name)
		b.Run(s.archive+"/"+s.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ptx.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	text := find(b, "nvrtc-12.4-compute_80", "16_math_double.ptx")
	m := parse(b, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_ = m.Print()
	}
}
