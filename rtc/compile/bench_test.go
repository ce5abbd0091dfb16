package compile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
)

func benchRequest(b *testing.B, headers int) Request {
	folder := b.TempDir()
	path := filepath.Join(folder, "libnvrtc.so")
	require.NoError(b, os.WriteFile(path, []byte("double"), 0o600))
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Path: path}))
	require.NoError(b, err)
	b.Cleanup(func() { _ = c.Close() })
	r := Request{
		Compiler: c, Name: "kernel.cu", Options: []string{"--gpu-architecture=sm_90", "--std=c++17"}, Exports: []string{"axpy<float>"},
		Source: strings.Repeat("// A kernel of a thousand bytes.\n", 30),
	}
	for i := range headers { // each includes the next, 20 KB
		name := filepath.Join(folder, fmt.Sprintf("h%d.h", i))
		text := fmt.Sprintf("#include \"h%d.h\"\n", i+1) + strings.Repeat("#define SOMETHING(x) /* and what it means */ ((x) + 1)\n", 380)
		require.NoError(b, os.WriteFile(name, []byte(text), 0o600))
	}
	if headers > 0 {
		r.Source += "#include <h0.h>\n"
		r.Options = append(r.Options, "-I"+folder)
	}
	return r
}

// BenchmarkKey makes the key of a kernel of 1 KB: alone, with 20 headers of
// 20 KB each that were read before, and with the same when they are new.
func BenchmarkKey(b *testing.B) {
	for _, row := range []struct {
		name    string
		headers int
		disk    func() *files
	}{
		{"alone", 0, func() *files { return machineFiles }},
		{"20 headers known", 20, func() func() *files { f := &files{}; return func() *files { return f } }()},
		{"20 headers new", 20, func() *files { return &files{} }},
	} {
		b.Run(row.name, func(b *testing.B) {
			r := benchRequest(b, row.headers)
			b.ReportAllocs()
			for b.Loop() {
				if _, unseen, err := keyOf(context.Background(), row.disk(), &r, nil); unseen != "" || err != nil {
					b.Fatal(unseen, err)
				}
			}
		})
	}
}

// BenchmarkKeyOfMacros makes the key of a kernel that includes what is written as
// Thrust is: 1,000 headers, of which a hundred include another by a macro, with what
// the search has read before.
func BenchmarkKeyOfMacros(b *testing.B) {
	r := benchRequest(b, 0)
	folder := b.TempDir()
	r.Options = append(r.Options, "-I"+folder)
	const headers, systems = 1000, 4
	text := func(i int) string {
		s := strings.Repeat("#define SOMETHING_ELSE 1\n", 20)
		switch {
		case i < 100: // the first hundred include the next, and by a macro
			return s + fmt.Sprintf("#include <h%d.h>\n#define TAG_%d <ROOT/h%d.h>\n#include TAG_%d\n#undef TAG_%d\n", i+1, i, i, i, i)
		case i < headers-1:
			return s + fmt.Sprintf("#include <h%d.h>\n", i+1)
		}
		for n := range systems {
			s += fmt.Sprintf("#if SYSTEM == %d\n#define NAMESPACE s%d\n#endif\n", n, n)
		}
		return s + "#define ROOT lib/NAMESPACE\n"
	}
	write := func(name, text string) {
		require.NoError(b, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		require.NoError(b, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	for i := range headers {
		write(fmt.Sprintf("h%d.h", i), text(i))
	}
	for n := range systems {
		for i := range 100 {
			write(fmt.Sprintf("lib/s%d/h%d.h", n, i), "#define X 1\n")
		}
	}
	r.Source += "#include <h0.h>\n"
	disk := &files{}
	b.ReportAllocs()
	for b.Loop() {
		if _, unseen, err := keyOf(context.Background(), disk, &r, nil); unseen != "" || err != nil {
			b.Fatal(unseen, err)
		}
	}
}

// BenchmarkHit submits what memory has.
func BenchmarkHit(b *testing.B) {
	r := benchRequest(b, 0)
	s := NewService(Config{Store: cache.NewMemory(cache.MemoryConfig{})})
	defer s.Close()
	b.ReportAllocs()
	for b.Loop() {
		j, err := s.Submit(context.Background(), r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := j.Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
