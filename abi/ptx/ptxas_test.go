package ptx_test

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// ptxas returns NVIDIA's assembler: the file that PURECUDA_PTXAS names, else the one in the path.
func ptxas(t *testing.T) string {
	path := os.Getenv("PURECUDA_PTXAS")
	if path == "" {
		path, _ = exec.LookPath("ptxas")
	}
	if path == "" {
		if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), "ptxas") {
			t.Fatal("ptxas is required and was not found")
		}
		t.Skip("no ptxas: set PURECUDA_PTXAS")
	}
	return path
}

// assemble returns the cubin, or ptxas's complaint.
func assemble(t *testing.T, tool, text, arch string, more ...string) (*elf.File, string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.ptx"), []byte(text), 0o600))
	c := exec.Command(tool, append([]string{"-arch=" + arch, "x.ptx", "-o", "x.cubin"}, more...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return nil, string(out)
	}
	b, err := os.ReadFile(filepath.Join(dir, "x.cubin"))
	require.NoError(t, err)
	require.Greater(t, len(b), 64)
	copy(b[20:], []byte{1, 0, 0, 0}) // the toolkit's version, where others have that of ELF
	f, err := elf.NewFile(bytes.NewReader(b))
	require.NoError(t, err)
	return f, ""
}

// lineNumber is what ptxas adds to the names of variables in a function: the line in the PTX.
var lineNumber = regexp.MustCompile(`^\$_.*__\d+$`)

// contents describes everything of a cubin that does not depend on where lines break in the PTX text.
func contents(t *testing.T, f *elf.File) []string {
	var list []string
	for _, s := range f.Sections {
		entry := fmt.Sprintf("section %s %v %d", s.Name, s.Type, s.Addralign)
		switch {
		case s.Name == ".strtab", s.Name == ".shstrtab", s.Name == ".symtab", strings.Contains(s.Name, "debug_ptx_txt"), strings.Contains(s.Name, "debug_line_sass"):
		case s.Type == elf.SHT_NOBITS:
			entry += fmt.Sprint(" ", s.Size)
		default:
			b, err := s.Data()
			require.NoError(t, err)
			entry += fmt.Sprintf(" %x", b)
		}
		list = append(list, entry)
	}
	symbols, err := f.Symbols()
	require.NoError(t, err)
	for _, s := range symbols {
		if lineNumber.MatchString(s.Name) {
			s.Name = s.Name[:strings.LastIndex(s.Name, "__")]
		}
		list = append(list, fmt.Sprintf("symbol %s %d %d %d %d %d", s.Name, s.Info, s.Other, s.Section, s.Value, s.Size))
	}
	return list
}

// What Print writes must mean to ptxas what the compiler's text does.
func TestPtxasSeesTheSame(t *testing.T) {
	tool := ptxas(t)
	same, refused := 0, 0
	for _, s := range corpus(t) {
		if testing.Short() && !strings.HasSuffix(s.archive, "compute_80") {
			continue
		}
		m := parse(t, s.text)
		var more []string
		if strings.Contains(s.name, "dynpar") {
			more = append(more, "-c") // made with -rdc: calls what the linker would bring
		}
		want, why := assemble(t, tool, s.text, m.Target.Arch, more...)
		got, whyNot := assemble(t, tool, m.Print(), m.Target.Arch, more...)
		if want == nil && (strings.Contains(why, "'gpu-name'") || strings.Contains(why, "Unsupported .version")) {
			continue // an architecture or a PTX version that this ptxas is too old or too new for
		}
		if want == nil {
			refused++
			if got != nil || strings.Contains(why, "syntax error") {
				t.Errorf("%s: refused as written only: %s", s, why)
			}
			continue
		}
		if got == nil {
			t.Errorf("%s: refused as printed only: %s", s, whyNot)
			continue
		}
		if a, b := contents(t, want), contents(t, got); !slices.Equal(a, b) {
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("%s: %.200s\nis printed so that it becomes\n%.200s", s, a[i], b[i])
					break
				}
			}
			continue
		}
		same++
	}
	t.Logf("%d assemble to the same, %d are refused either way", same, refused)
	assert.Greater(t, same, 10*refused)
}

// Constant expressions must be worked out as ptxas does.
func TestPtxasConstantExpressions(t *testing.T) {
	tool := ptxas(t)
	for _, e := range constantExpressions {
		t.Run(e, func(t *testing.T) {
			text := ".version 7.0\n.target sm_80\n.address_size 64\n.visible .global .align 8 .u64 v = " + e + ";\n"
			m, err := ptx.Parse(text)
			require.NoError(t, err)
			want, why := assemble(t, tool, text, "sm_80")
			require.NotNil(t, want, why)
			got, why := assemble(t, tool, m.Print(), "sm_80")
			require.NotNil(t, got, why)
			assert.Equal(t, contents(t, want), contents(t, got), m.Variable("v").Init.String())
		})
	}
}

var constantExpressions = []string{
	"1+2*3", "(1+2)*3", "7-3-2", "-7/2", "-7 % 3", "7/-2", "1<<3|1", "1<<63", "-8>>1", "(.u64)-8>>1", "-8U>>1", "0xFFFFFFFFFFFFFFFF>>60",
	"~5", "~0U", "!5", "!0", "- -5", "+5", "-(3)", "1?2:3", "0?2:3", "0?1:0?2:3", "3&6^5|8", "1==1", "1!=1", "-1<1", "-1<1U", "(.s64)1<2", "2<=2", "3>4", "4>=4",
	"1&&0", "1||0", "(.u64)-1/2", "-1/2", "-1/2U", "(.u64)-7 % 3", "-7 % 3U", "~5>>1", "~5U>>1", "!5-2>>1", "(1<2)-2>>1", "(1U<2U)-2>>1", "-5U>>1", "(1?-8:8U)>>1",
	"(5&-8)>>1", "(-8&-8)>>1", "(-8|0)>>1", "(-8^0)>>1", "(1&&1)-5>>1", "0x10+010+0b10", "(-8<<1U)>>1", "(-8>>1U)>>1", "1.5<2.0", "2.5==2.5", "10-2*3<<1", "1<<2+1", "(7 % 4 - 5)>>1", "(0?-8:8U)-16>>1", "(0?8:-8U)>>1", "(0?8U:-8)>>1", "(1?8U:-8)-16>>1", "(1?-8:8U)>>1", "!0-5>>1", "(1.5<2.0)-5>>1", "(~5&-1)>>1", "1<2==1", "-8/3U",
}
