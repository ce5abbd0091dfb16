//go:build linux && (amd64 || arm64)

package dl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
)

// A memory gives bytes at addresses, and an error for those that aren't there.
type memory interface {
	view(addr, n uintptr) ([]byte, error)
}

// Tags of an ELF file's dynamic section.
const (
	dtNull     = 0
	dtPltRelSz = 2
	dtStrTab   = 5
	dtSymTab   = 6
	dtRela     = 7
	dtRelaSz   = 8
	dtStrSz    = 10
	dtPltRel   = 20
	dtJmpRel   = 23
)

// Relocations that put the address of a function into a slot: R_X86_64_GLOB_DAT
// and R_X86_64_JUMP_SLOT, or R_AARCH64_GLOB_DAT and R_AARCH64_JUMP_SLOT.
var slotRelocations = map[string][2]uint32{
	"amd64": {6, 7},
	"arm64": {1025, 1026},
}[runtime.GOARCH]

// importSlots finds the words of an ELF library in memory that the dynamic
// linker filled with the address of symbol. base is what it adds to the
// library's own addresses, dynamic where the library's dynamic section lies.
func importSlots(m memory, base, dynamic uintptr, symbol string) ([]uintptr, error) {
	tags, err := readDynamic(m, base, dynamic)
	if err != nil {
		return nil, err
	}
	names, err := m.view(tags[dtStrTab], tags[dtStrSz])
	if err != nil {
		return nil, fmt.Errorf("its names: %w", err)
	}
	tables := [][2]uintptr{{tags[dtRela], tags[dtRelaSz]}}
	if tags[dtPltRel] == dtRela {
		tables = append(tables, [2]uintptr{tags[dtJmpRel], tags[dtPltRelSz]})
	}
	var slots []uintptr
	for _, t := range tables {
		if t[1] == 0 {
			continue
		}
		const size = 24 // Elf64_Rela: offset, type and symbol, addend
		relocations, err := m.view(t[0], t[1])
		if err != nil {
			return nil, fmt.Errorf("its relocations: %w", err)
		}
		for ; len(relocations) >= size; relocations = relocations[size:] {
			info := binary.LittleEndian.Uint64(relocations[8:])
			if kind := uint32(info); kind != slotRelocations[0] && kind != slotRelocations[1] {
				continue
			}
			entry, err := m.view(tags[dtSymTab]+uintptr(info>>32)*24, 4) // Elf64_Sym begins with the name
			if err != nil {
				return nil, fmt.Errorf("its symbols: %w", err)
			}
			if nameIs(names, binary.LittleEndian.Uint32(entry), symbol) {
				slots = append(slots, base+uintptr(binary.LittleEndian.Uint64(relocations)))
			}
		}
	}
	return slots, nil
}

// readDynamic reads the dynamic section. glibc turns the addresses in it into
// those in memory, musl leaves them as they are in the file.
func readDynamic(m memory, base, dynamic uintptr) (map[uintptr]uintptr, error) {
	tags := map[uintptr]uintptr{}
	for at := dynamic; ; at += 16 {
		b, err := m.view(at, 16)
		if err != nil {
			return nil, fmt.Errorf("its dynamic section: %w", err)
		}
		tag, value := uintptr(binary.LittleEndian.Uint64(b)), uintptr(binary.LittleEndian.Uint64(b[8:]))
		switch tag {
		case dtNull:
			if tags[dtStrTab] == 0 || tags[dtSymTab] == 0 {
				return nil, errors.New("its dynamic section names no symbols")
			}
			return tags, nil
		case dtStrTab, dtSymTab, dtRela, dtJmpRel:
			if value < base {
				value += base
			}
		}
		tags[tag] = value
		if len(tags) > 1000 || at-dynamic > 16<<10 {
			return nil, errors.New("its dynamic section does not end")
		}
	}
}

// nameIs reports whether the NUL-terminated name at offset at is name.
func nameIs(names []byte, at uint32, name string) bool {
	if uint64(at) >= uint64(len(names)) {
		return false
	}
	found, _, ended := bytes.Cut(names[at:min(uint64(len(names)), uint64(at)+uint64(len(name))+1)], []byte{0})
	return ended && string(found) == name
}
