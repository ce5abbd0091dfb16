package dl

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tinyELF is a shared library for x86-64 of which all is header: two segments,
// the second dynamic, and a section table of one.
func tinyELF() []byte {
	b := make([]byte, 64+2*56+64)
	copy(b, "\x7fELF\x02\x01\x01")
	le := binary.LittleEndian
	le.PutUint16(b[16:], 3)
	le.PutUint16(b[18:], 62)
	le.PutUint64(b[32:], 64)
	le.PutUint64(b[40:], 64+2*56)
	for at, v := range map[int]uint16{52: 64, 54: 56, 56: 2, 58: 64, 60: 1} {
		le.PutUint16(b[at:], v)
	}
	for i, kind := range []uint32{1, 2} {
		p := b[64+56*i:]
		le.PutUint32(p, kind)
		le.PutUint64(p[32:], uint64(len(b)))
		le.PutUint64(p[40:], uint64(len(b)))
	}
	return b
}

// tinyPE is a DLL for x64 with one section.
func tinyPE() []byte {
	b := make([]byte, 64+24+240+40+16)
	copy(b, "MZ")
	le := binary.LittleEndian
	le.PutUint32(b[60:], 64)
	copy(b[64:], "PE\x00\x00")
	for at, v := range map[int]uint16{4: 0x8664, 6: 1, 20: 240, 22: 0x2022, 24: 0x20b} {
		le.PutUint16(b[64+at:], v)
	}
	section := b[64+24+240:]
	le.PutUint32(section[16:], 16)
	le.PutUint32(section[20:], uint32(len(b)-16))
	return b
}

// patch is b with bytes at an offset replaced.
func patch(b []byte, at int, with ...byte) []byte {
	b = bytes.Clone(b)
	copy(b[at:], with)
	return b
}

// CASES B07.
func TestHeaderRefusals(t *testing.T) {
	e, p := tinyELF(), tinyPE()
	for _, c := range []struct {
		name, goos string
		file       []byte
		want       string // "": accepted
	}{
		{"a library", "linux", e, ""},
		{"a library without a section table", "linux", patch(e, 40, make([]byte, 8)...), ""},
		{"empty", "linux", nil, "an empty file"},
		{"text", "linux", []byte("hello world, this is not a library"), `not a shared library but 34 bytes that begin with "hello world, thi"`},
		{"a linker script", "linux", []byte("/* GNU ld script */ INPUT(libnvrtc.so.12)"), "not a shared library but a linker script"},
		{"an archive", "linux", []byte("!<arch>\nxxx"), "not a shared library but a static library or an import library (ar)"},
		{"a Git LFS pointer", "linux", []byte("version https://git-lfs.github.com/spec/v1\n"), "not a shared library but a Git LFS pointer: the file itself was not fetched"},
		{"four bytes", "linux", e[:4], "cut short: 4 bytes are less than a header"},
		{"ARM64", "linux", patch(e, 18, 183), "wrong architecture: it is for ARM64 (aarch64), this program for amd64"},
		{"i386", "linux", patch(patch(e, 18, 3), 4, 1), "wrong architecture: it is for 32-bit x86, this program for amd64"},
		{"x32", "linux", patch(e, 4, 1), "wrong architecture: a 32-bit library (x86-64), this program has 64 bits"},
		{"big-endian", "linux", patch(e, 5, 2), "wrong architecture: it is for ELF machine 15872, this program for amd64"},
		{"an unknown processor", "linux", patch(e, 18, 0, 9), "wrong architecture: it is for ELF machine 2304, this program for amd64"},
		{"an object file", "linux", patch(e, 16, 1), "an object file (.o), not a shared library"},
		{"a program", "linux", patch(e, 16, 2), "a program, not a shared library"},
		{"a core dump", "linux", patch(e, 16, 4), "a core dump, not a shared library"},
		{"no segments", "linux", patch(e, 56, 0), "damaged: 0 program headers of 56 bytes"},
		{"odd segments", "linux", patch(e, 54, 32), "damaged: 2 program headers of 32 bytes"},
		{"no code", "linux", patch(e, 64, 4), "not a shared library: an ELF file without code or without a dynamic section"},
		{"not dynamic", "linux", patch(e, 64+56, 4), "not a shared library: an ELF file without code or without a dynamic section"},
		{"program headers far away", "linux", patch(e, 32, 0, 0, 0, 0, 0, 0, 0, 0x80), "cut short: the table of program headers lies at 9223372036854775808 and has 112 bytes, the file has 240"},
		{"a segment that wraps around", "linux", patch(e, 64+8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), "cut short: segment 0 lies at 18446744073709551615 and has 240 bytes, the file has 240"},
		{"a segment that is too long", "linux", patch(e, 64+32, 241), "cut short: segment 0 lies at 0 and has 241 bytes, the file has 240"},
		{"a dynamic section that is too long", "linux", patch(e, 64+56+32, 241), "cut short: segment 1 lies at 0 and has 241 bytes, the file has 240"},
		{"less in memory", "linux", patch(e, 64+40, 1), "damaged: segment 0 has 240 bytes in the file and 1 in memory"},
		{"a DLL", "linux", p, "a library for Windows (PE), not for linux"},

		{"a DLL", "windows", p, ""},
		{"an ELF file", "windows", e, "a library for Unix (ELF), not for Windows"},
		{"text", "windows", []byte("MZ is how this begins"), "cut short: 21 bytes are less than a header"},
		{"32 bits", "windows", patch(p, 68, 0x4c, 0x01), "wrong architecture: it is for 32-bit x86, this program for amd64"},
		{"ARM64", "windows", patch(p, 68, 0x64, 0xaa), "wrong architecture: it is for ARM64, this program for amd64"},
		{"an unknown processor", "windows", patch(p, 68, 1, 2), "wrong architecture: it is for PE machine 0x201, this program for amd64"},
		{"an .exe", "windows", patch(p, 64+22, 0x22, 0), "a program, not a shared library"},
		{"a DOS program", "windows", patch(p, 64, 'N', 'E'), "not a shared library but a DOS program"},
		{"a header far away", "windows", patch(p, 60, 0xff, 0xff, 0xff, 0xff), "cut short: the PE header lies at 4294967295 and has 26 bytes, the file has 384"},
		{"PE32 said to be x64", "windows", patch(p, 64+24, 0x0b, 0x01), "damaged: no header of a 64-bit library"},
		{"many sections", "windows", patch(p, 64+6, 0xff, 0xff), "cut short: the section table lies at 328 and has 2621400 bytes, the file has 384"},
		{"no sections", "windows", patch(p, 64+6, 0), "not a shared library: a PE file without sections"},
		{"a section that is too long", "windows", patch(p, 64+24+240+16, 17), "cut short: section 0 lies at 368 and has 17 bytes, the file has 384"},
	} {
		t.Run(c.goos+" "+c.name, func(t *testing.T) {
			err := checkHeader(bytes.NewReader(c.file), int64(len(c.file)), c.goos, "amd64")
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
}

// Whatever the length that a copy was cut at, it is refused: a real library's
// section table stands at its end.
func TestHeaderOfACutLibrary(t *testing.T) {
	for _, whole := range [][]byte{readFixture(t), tinyELF()} {
		goos := "linux"
		if bytes.HasPrefix(whole, []byte("MZ")) {
			goos = "windows"
		}
		goarch := runtime.GOARCH
		if len(whole) == len(tinyELF()) {
			goarch = "amd64"
		}
		require.NoError(t, checkHeader(bytes.NewReader(whole), int64(len(whole)), goos, goarch))
		if goos == "windows" {
			continue // mingw puts symbols that nobody maps behind the sections
		}
		for n := 0; n < len(whole); n += 1 + len(whole)/1000 {
			require.Error(t, checkHeader(bytes.NewReader(whole[:n]), int64(n), goos, goarch), "cut at %d of %d", n, len(whole))
		}
	}
}

func readFixture(t testing.TB) []byte {
	b, err := os.ReadFile(fixtureFile(t, "abi"))
	require.NoError(t, err)
	return b
}

func TestCheckFile(t *testing.T) {
	dir := tempDir(t)
	assert.EqualError(t, checkFile(dir, "linux", "amd64"), "not a regular file")
	assert.ErrorIs(t, checkFile(filepath.Join(dir, "none"), "linux", "amd64"), os.ErrNotExist)
	assert.NotContains(t, checkFile(filepath.Join(dir, "none"), "linux", "amd64").Error(), dir, "the path stands beside it")
	assert.NoError(t, checkFile(write(t, tinyELF(), dir, "x"), "linux", "amd64"))
}

// strict is a reader that nobody may ask for bytes outside of its file.
type strict struct {
	t *testing.T
	b []byte
}

func (s strict) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off+int64(len(p)) > int64(len(s.b)) {
		s.t.Errorf("read of %d bytes at %d of %d", len(p), off, len(s.b))
	}
	return bytes.NewReader(s.b).ReadAt(p, off)
}

// Of what is accepted, all that the loader would map lies inside the file.
// Nothing is read outside of it either.
func FuzzHeader(f *testing.F) {
	f.Add(tinyELF(), "linux")
	f.Add(tinyPE(), "windows")
	f.Add(patch(tinyELF(), 64+32, 0xff), "linux")
	f.Add([]byte("MZ"), "windows")
	f.Fuzz(func(t *testing.T, b []byte, goos string) {
		if checkHeader(strict{t, b}, int64(len(b)), goos, "amd64") != nil {
			return
		}
		if bytes.HasPrefix(b, []byte("MZ")) {
			file, err := pe.NewFile(bytes.NewReader(b))
			if err != nil {
				return // it reads symbols and the optional header's tables too
			}
			for _, s := range file.Sections {
				if uint64(s.Offset)+uint64(s.Size) > uint64(len(b)) {
					t.Errorf("section at %d has %d of %d bytes", s.Offset, s.Size, len(b))
				}
			}
			return
		}
		le := binary.LittleEndian
		for i := range int(le.Uint16(b[56:])) {
			p := b[le.Uint64(b[32:])+56*uint64(i):]
			kind, at, n := elf.ProgType(le.Uint32(p)), le.Uint64(p[8:]), le.Uint64(p[32:])
			if kind == elf.PT_LOAD && (at > uint64(len(b)) || at+n > uint64(len(b)) || at+n < at) {
				t.Errorf("segment at %d has %d of %d bytes", at, n, len(b))
			}
		}
	})
}
