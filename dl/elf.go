package dl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The fields of an ELF file of 64 bits that matter here, by their offsets
// (System V ABI, chapter 4 and 5).
const (
	elfHeaderSize  = 64
	elfSegmentSize = 56
	elfShared      = 3 // e_type ET_DYN
	elfLoad        = 1 // p_type PT_LOAD
	elfDynamic     = 2 // p_type PT_DYNAMIC
)

var elfMachines = map[uint16]struct{ name, goarch string }{
	3:   {"32-bit x86", "386"},
	21:  {"PowerPC64", "ppc64le"},
	40:  {"32-bit ARM", "arm"},
	62:  {"x86-64", "amd64"},
	183: {"ARM64 (aarch64)", "arm64"},
	243: {"RISC-V", "riscv64"},
}

func checkELF(r io.ReaderAt, size int64, goarch string) error {
	if size < elfHeaderSize {
		return fmt.Errorf("cut short: %d bytes are less than a header", size)
	}
	h, err := readAt(r, 0, elfHeaderSize)
	if err != nil {
		return err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if h[5] == 2 {
		order = binary.BigEndian
	}
	machine := order.Uint16(h[18:])
	name := elfMachines[machine].name
	if name == "" {
		name = fmt.Sprintf("ELF machine %d", machine)
	}
	switch {
	case elfMachines[machine].goarch != goarch:
		return fmt.Errorf("wrong architecture: it is for %s, this program for %s", name, goarch)
	case h[4] != 2:
		return fmt.Errorf("wrong architecture: a 32-bit library (%s), this program has 64 bits", name)
	case h[5] != 1:
		return errors.New("wrong architecture: big-endian")
	}
	switch kind := order.Uint16(h[16:]); kind {
	case elfShared:
	case 1:
		return errors.New("an object file (.o), not a shared library")
	case 2:
		return errors.New("a program, not a shared library")
	case 4:
		return errors.New("a core dump, not a shared library")
	default:
		return fmt.Errorf("not a shared library: ELF type %d", kind)
	}
	if n, each := uint64(order.Uint16(h[60:])), uint64(order.Uint16(h[58:])); order.Uint64(h[40:]) != 0 && n > 0 {
		if off := order.Uint64(h[40:]); !inside(off, n*each, size) {
			return cutShort("the section table", off, n*each, size)
		}
	}
	return checkSegments(r, size, order.Uint64(h[32:]), uint64(order.Uint16(h[54:])), uint64(order.Uint16(h[56:])))
}

// checkSegments reads the program headers, of which there are n.
func checkSegments(r io.ReaderAt, size int64, off, each, n uint64) error {
	if each != elfSegmentSize || n == 0 {
		return fmt.Errorf("damaged: %d program headers of %d bytes", n, each)
	}
	if !inside(off, n*each, size) {
		return cutShort("the table of program headers", off, n*each, size)
	}
	table, err := readAt(r, int64(off), int64(n*each))
	if err != nil {
		return err
	}
	loads, dynamic := 0, false
	for i := range n {
		h := table[i*each:]
		kind := binary.LittleEndian.Uint32(h)
		start, length := binary.LittleEndian.Uint64(h[8:]), binary.LittleEndian.Uint64(h[32:])
		if kind != elfLoad && kind != elfDynamic {
			continue
		}
		if !inside(start, length, size) {
			return cutShort(fmt.Sprintf("segment %d", i), start, length, size)
		}
		if kind == elfLoad {
			loads++
			if memory := binary.LittleEndian.Uint64(h[40:]); memory < length {
				return fmt.Errorf("damaged: segment %d has %d bytes in the file and %d in memory", i, length, memory)
			}
		}
		dynamic = dynamic || kind == elfDynamic
	}
	if loads == 0 || !dynamic {
		return errors.New("not a shared library: an ELF file without code or without a dynamic section")
	}
	return nil
}
