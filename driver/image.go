package driver

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

const fatbinMagic = 0xBA55ED50

// CheckImage looks whether a cubin or a fatbin is whole. The driver is told
// where an image begins, and reads how long it is from the image itself: of one
// that is cut short it would read what lies behind. Every function here that
// takes an image calls it. Other images, such as PTX, are not looked at.
func CheckImage(image []byte) error {
	var end uint64
	switch {
	case bytes.HasPrefix(image, []byte(elf.ELFMAG)):
		var err error
		if end, err = elfEnd(image); err != nil {
			return err
		}
	case len(image) >= 4 && binary.LittleEndian.Uint32(image) == fatbinMagic:
		if len(image) < 16 {
			return fmt.Errorf("a fatbin that is cut short: %d bytes of its header's 16", len(image))
		}
		end = uint64(binary.LittleEndian.Uint16(image[6:])) + binary.LittleEndian.Uint64(image[8:])
	default:
		return nil
	}
	if end > uint64(len(image)) {
		return fmt.Errorf("cut short: %d bytes of at least %d", len(image), end)
	}
	return nil
}

// elfEnd is where the last thing ends that an ELF file's headers tell of.
func elfEnd(b []byte) (uint64, error) {
	const header, program, section = 64, 56, 64
	switch {
	case len(b) < header:
		return 0, fmt.Errorf("a cubin that is cut short: %d bytes of its header's %d", len(b), header)
	case elf.Class(b[elf.EI_CLASS]) != elf.ELFCLASS64 || elf.Data(b[elf.EI_DATA]) != elf.ELFDATA2LSB:
		return 0, fmt.Errorf("an ELF file that is no cubin: %v, %v", elf.Class(b[elf.EI_CLASS]), elf.Data(b[elf.EI_DATA]))
	}
	le := binary.LittleEndian
	end := uint64(header)
	reach := func(offset, size uint64) {
		if offset+size < offset { // past all memory
			size, offset = ^uint64(0), 0
		}
		end = max(end, offset+size)
	}
	phoff, phnum := le.Uint64(b[32:]), uint64(le.Uint16(b[56:]))
	shoff, shnum := le.Uint64(b[40:]), uint64(le.Uint16(b[60:]))
	for _, t := range []struct {
		offset, size, count uint64
		entry               uint16
	}{{phoff, program, phnum, le.Uint16(b[54:])}, {shoff, section, shnum, le.Uint16(b[58:])}} {
		if t.count == 0 {
			continue
		}
		if uint64(t.entry) != t.size {
			return 0, fmt.Errorf("a cubin whose headers have %d bytes instead of %d", t.entry, t.size)
		}
		reach(t.offset, t.count*t.size)
	}
	if end > uint64(len(b)) {
		return end, nil
	}
	for i := range phnum {
		p := b[phoff+i*program:]
		reach(le.Uint64(p[8:]), le.Uint64(p[32:])) // p_offset, p_filesz
	}
	for i := range shnum {
		s := b[shoff+i*section:]
		if elf.SectionType(le.Uint32(s[4:])) != elf.SHT_NOBITS {
			reach(le.Uint64(s[24:]), le.Uint64(s[32:])) // sh_offset, sh_size
		}
	}
	return end, nil
}
