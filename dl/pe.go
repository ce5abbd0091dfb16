package dl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The fields of a PE file that matter here (Microsoft's PE Format).
const (
	peHeaderSize  = 24 // signature and COFF header
	peSectionSize = 40
	peDLL         = 0x2000 // in Characteristics
	pe64          = 0x20b  // the optional header's magic
)

var peMachines = map[uint16]struct{ name, goarch string }{
	0x014c: {"32-bit x86", "386"},
	0x01c4: {"32-bit ARM", "arm"},
	0x8664: {"x64", "amd64"},
	0xaa64: {"ARM64", "arm64"},
}

func checkPE(r io.ReaderAt, size int64, goarch string) error {
	if size < 64 {
		return fmt.Errorf("cut short: %d bytes are less than a header", size)
	}
	dos, err := readAt(r, 0, 64)
	if err != nil {
		return err
	}
	at := uint64(binary.LittleEndian.Uint32(dos[60:]))
	if !inside(at, peHeaderSize+2, size) {
		return cutShort("the PE header", at, peHeaderSize+2, size)
	}
	h, err := readAt(r, int64(at), peHeaderSize+2)
	if err != nil {
		return err
	}
	if string(h[:4]) != "PE\x00\x00" {
		return errors.New("not a shared library but a DOS program")
	}
	machine := binary.LittleEndian.Uint16(h[4:])
	sections := uint64(binary.LittleEndian.Uint16(h[6:]))
	optional := uint64(binary.LittleEndian.Uint16(h[20:]))
	name := peMachines[machine].name
	if name == "" {
		name = fmt.Sprintf("PE machine %#x", machine)
	}
	switch {
	case peMachines[machine].goarch != goarch:
		return fmt.Errorf("wrong architecture: it is for %s, this program for %s", name, goarch)
	case binary.LittleEndian.Uint16(h[22:])&peDLL == 0:
		return errors.New("a program, not a shared library")
	case optional < 2 || binary.LittleEndian.Uint16(h[24:]) != pe64:
		return errors.New("damaged: no header of a 64-bit library")
	}
	table := at + peHeaderSize + optional
	if !inside(table, sections*peSectionSize, size) {
		return cutShort("the section table", table, sections*peSectionSize, size)
	}
	b, err := readAt(r, int64(table), int64(sections*peSectionSize))
	if err != nil {
		return err
	}
	for i := range sections {
		s := b[i*peSectionSize:]
		length, start := uint64(binary.LittleEndian.Uint32(s[16:])), uint64(binary.LittleEndian.Uint32(s[20:]))
		if !inside(start, length, size) {
			return cutShort(fmt.Sprintf("section %d", i), start, length, size)
		}
	}
	if sections == 0 {
		return errors.New("not a shared library: a PE file without sections")
	}
	return nil
}
