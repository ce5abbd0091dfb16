package sim

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// An image is code that can be loaded.
type image struct {
	ptx *ptx.Module
}

// howToPTX is what one does instead of loading machine code.
const howToPTX = "the simulator runs PTX alone: compile for a compute_ architecture (--gpu-architecture=compute_XY), and load the PTX"

// read reads the image that begins at an address: PTX up to a NUL, or a fatbin, which tells its own size.
func (d *Driver) read(at uintptr) (*image, *refusal) {
	if at == 0 {
		return nil, refuse(driver.InvalidValue, "")
	}
	var start []byte // as much of the first four bytes as there is of a text
	for i := range 4 {
		b := dl.Memory(at, i+1)
		start = b
		if b[i] == 0 {
			break
		}
	}
	switch {
	case string(start) == elf.ELFMAG && !isCubin(dl.Memory(at, elfHead)):
		return nil, refuse(driver.InvalidImage, "sim: an ELF file that is no cubin")
	case string(start) == elf.ELFMAG:
		return nil, refuse(driver.NoBinaryForGPU, "sim: a cubin is machine code: %s", howToPTX)
	case len(start) == 4 && binary.LittleEndian.Uint32(start) == fatbinMagic:
		text, no := fatbinPTX(dl.Memory(at, fatbinSize(dl.Memory(at, 16))), d.ptxVersion())
		if no != nil {
			return nil, no
		}
		return d.parse(text)
	}
	return d.parse(dl.GoString(at))
}

// elfHead is how much of an ELF file says what machine it is for.
const elfHead = 20

// isCubin reports whether an ELF file is for GPUs.
func isCubin(b []byte) bool {
	const cuda = 190 // EM_CUDA
	return len(b) >= elfHead && bytes.HasPrefix(b, []byte(elf.ELFMAG)) && binary.LittleEndian.Uint16(b[18:]) == cuda
}

// readSized is read where the size is known.
func (d *Driver) readSized(b []byte) (*image, *refusal) {
	switch {
	case bytes.HasPrefix(b, []byte(elf.ELFMAG)) && !isCubin(b):
		return nil, refuse(driver.InvalidImage, "sim: an ELF file that is no cubin")
	case bytes.HasPrefix(b, []byte(elf.ELFMAG)):
		return nil, refuse(driver.NoBinaryForGPU, "sim: a cubin is machine code: %s", howToPTX)
	case len(b) >= 16 && binary.LittleEndian.Uint32(b) == fatbinMagic:
		if fatbinSize(b) > len(b) {
			return nil, refuse(driver.InvalidImage, "sim: a fatbin that is cut short: %d bytes of %d", len(b), fatbinSize(b))
		}
		text, no := fatbinPTX(b, d.ptxVersion())
		if no != nil {
			return nil, no
		}
		return d.parse(text)
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return d.parse(string(b))
}

// parse makes an image of PTX.
func (d *Driver) parse(text string) (*image, *refusal) {
	if !strings.Contains(text, ".version") {
		return nil, refuse(driver.InvalidImage, "sim: neither PTX nor a fatbin")
	}
	m, err := ptx.Parse(text)
	if err != nil {
		// A text of a newer version may well have something in it that can't be read.
		if v, ok := versionOf(text); ok && v > d.ptxVersion() {
			return nil, d.tooNew(v)
		}
		var syntax *ptx.SyntaxError
		if errors.As(err, &syntax) {
			return nil, refuse(driver.InvalidPTX, "sim: PTX line %d, column %d: %s", syntax.Line, syntax.Column, syntax.Msg)
		}
		return nil, refuse(driver.InvalidPTX, "sim: %v", err)
	}
	im := &image{ptx: m}
	if im.version() > d.ptxVersion() {
		return nil, d.tooNew(im.version())
	}
	if im.version() < oldestPTX {
		return nil, refuse(driver.UnsupportedPTXVersion, "sim: there is no PTX %d.%d", im.ptx.Version.Major, im.ptx.Version.Minor)
	}
	return im, nil
}

func (d *Driver) tooNew(version int) *refusal {
	return refuse(driver.UnsupportedPTXVersion, "sim: PTX %d.%d is of a newer CUDA than this driver of %s", version/10, version%10, d.config.Version)
}

// versionOf is the PTX version that a text says it is, whatever follows.
func versionOf(text string) (int, bool) {
	_, rest, ok := strings.Cut(text, ".version")
	if !ok {
		return 0, false
	}
	rest = strings.TrimLeft(rest, " \t")
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end >= 0 {
		rest = rest[:end]
	}
	major, minor, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(major)
	if err != nil {
		return 0, false
	}
	b, err := strconv.Atoi(minor)
	return 10*a + b, err == nil
}

// version is that of the PTX: 84 for 8.4.
func (im *image) version() int { return 10*im.ptx.Version.Major + im.ptx.Version.Minor }

// ptxVersion is the newest PTX that a driver of this version takes.
func (d *Driver) ptxVersion() int {
	v := d.config.Version
	switch {
	case v.Major == 8:
		return 50
	case v.Major == 9:
		return 60 + v.Minor
	case v.Major == 10:
		return 63 + v.Minor
	}
	return min((v.Major-4)*10+v.Minor, newestPTX)
}

// oldestPTX is the first version there was.
const oldestPTX = 10

// newestPTX is the newest version that the engine was written for.
const newestPTX = 90

// firstPTX is the version of PTX in which a target came, by its compute capability.
func firstPTX(cc int) int {
	switch {
	case cc < 50:
		return oldestPTX
	case cc < 52:
		return 40
	case cc == 52:
		return 41
	case cc < 60:
		return 42
	case cc < 70:
		return 50
	case cc < 72:
		return 60
	case cc < 75:
		return 61
	case cc < 80:
		return 63
	case cc < 86:
		return 70
	case cc == 86:
		return 71
	case cc < 89:
		return 74
	case cc <= 90:
		return 78
	}
	return 86
}

// fits refuses PTX for another device: of a higher compute capability, or, with the letters a and f, of another kind.
func (im *image) fits(dev *device) *refusal {
	arch := im.ptx.Target.Arch
	number := strings.TrimRight(strings.TrimPrefix(arch, "sm_"), "af")
	cc, err := strconv.Atoi(number)
	if err != nil || !strings.HasPrefix(arch, "sm_") || cc < 10 {
		return refuse(driver.InvalidPTX, "sim: unknown target %s", arch)
	}
	if first := firstPTX(cc); im.version() < first {
		return refuse(driver.InvalidPTX, "sim: PTX %d.%d knows no %s, which came with %d.%d", im.ptx.Version.Major, im.ptx.Version.Minor, arch, first/10, first%10)
	}
	ok := cc <= dev.cc()
	switch {
	case strings.HasSuffix(arch, "a"):
		ok = cc == dev.cc()
	case strings.HasSuffix(arch, "f"):
		ok = ok && cc/10 == dev.cc()/10
	}
	if !ok {
		return refuse(driver.InvalidPTX, "sim: PTX for %s does not run on device %d, which is sm_%d", arch, dev.ordinal, dev.cc())
	}
	return nil
}
