package drivertest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
)

// scanCubin finds what a driver knows of a module in a cubin, an ELF file: its
// kernels by their .text sections, the rest by the records of .nv.info.
func scanCubin(b []byte) (*image, bool) {
	const header = 64
	if len(b) >= 2*header {
		// What package nvrtctest makes says what it is.
		if ptx, ok := bytes.CutPrefix(b[header:len(b)-header], []byte("made from ")); ok {
			return scanPTX(string(ptx))
		}
	}
	b = slices.Clone(b)
	if len(b) >= 24 {
		binary.LittleEndian.PutUint32(b[20:], 1) // NVIDIA puts a version of its own there
	}
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return nil, false
	}
	im := &image{}
	symbols, _ := f.Symbols()
	registers := map[string]int{}
	for _, r := range records(f, ".nv.info") {
		if r.kind != 0x2f || len(r.data) != 8 { // registers: symbol, number
			continue
		}
		if i := int(binary.LittleEndian.Uint32(r.data)) - 1; i >= 0 && i < len(symbols) {
			registers[symbols[i].Name] = int(binary.LittleEndian.Uint32(r.data[4:]))
		}
	}
	for _, s := range f.Sections {
		name, ok := strings.CutPrefix(s.Name, ".text.")
		if !ok {
			continue
		}
		fn := &Function{Name: name, Registers: registers[name], MaxThreads: 1024, Params: cubinParams(records(f, ".nv.info."+name))}
		if shared := f.Section(".nv.shared." + name); shared != nil {
			fn.Shared = int(shared.Size)
		}
		im.functions = append(im.functions, fn)
	}
	for _, s := range symbols {
		// Symbols of a cubin that is linked are local.
		if i := int(s.Section); elf.ST_TYPE(s.Info) == elf.STT_OBJECT && s.Size > 0 && i < len(f.Sections) &&
			(strings.HasPrefix(f.Sections[i].Name, ".nv.global") || f.Sections[i].Name == ".nv.constant3") {
			im.variables = append(im.variables, variable{name: s.Name, size: int(s.Size)})
		}
	}
	return im, len(im.functions)+len(im.variables) > 0
}

// An infoRecord is a record of .nv.info that has data: format 4, kind, size, data.
type infoRecord struct {
	kind byte
	data []byte
}

func records(f *elf.File, section string) []infoRecord {
	s := f.Section(section)
	if s == nil {
		return nil
	}
	b, err := s.Data()
	if err != nil {
		return nil
	}
	var all []infoRecord
	for len(b) >= 4 {
		n := 0
		if b[0] == 4 {
			n = int(binary.LittleEndian.Uint16(b[2:]))
		}
		if len(b) < 4+n {
			break
		}
		if b[0] == 4 {
			all = append(all, infoRecord{b[1], b[4 : 4+n]})
		}
		b = b[4+n:]
	}
	return all
}

// cubinParams reads the parameters' records: kind 0x17, with index, ordinal,
// offset, and the size from bit 18 of the last word.
func cubinParams(all []infoRecord) []Param {
	params := map[int]Param{}
	for _, r := range all {
		if r.kind == 0x17 && len(r.data) == 12 {
			params[int(binary.LittleEndian.Uint16(r.data[4:]))] = Param{
				Offset: int(binary.LittleEndian.Uint16(r.data[6:])), Size: int(binary.LittleEndian.Uint32(r.data[8:]) >> 18)}
		}
	}
	ordered := []Param{}
	for i := range len(params) {
		ordered = append(ordered, params[i])
	}
	return ordered
}
