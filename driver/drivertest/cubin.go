package drivertest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
)

// scanCubin finds what a driver knows of a module in a cubin, an ELF file: its
// kernels by their .text sections, their parameters by .nv.info.
func scanCubin(b []byte) (*image, bool) {
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
	for _, s := range f.Sections {
		name, ok := strings.CutPrefix(s.Name, ".text.")
		if !ok {
			continue
		}
		fn := &Function{Name: name, Registers: int(s.Info >> 24), MaxThreads: 1024}
		if info := f.Section(".nv.info." + name); info != nil {
			if data, err := info.Data(); err == nil {
				fn.Params = cubinParams(data)
			}
		}
		if shared := f.Section(".nv.shared." + name); shared != nil {
			fn.Shared = int(shared.Size)
		}
		im.functions = append(im.functions, fn)
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && elf.ST_BIND(s.Info) == elf.STB_GLOBAL && s.Size > 0 {
			im.variables = append(im.variables, variable{name: s.Name, size: int(s.Size)})
		}
	}
	return im, len(im.functions)+len(im.variables) > 0
}

// cubinParams reads the parameter records: format 4 (size and data), kind
// 0x17, 12 bytes: index, ordinal, offset, and the size from bit 18 of the last word.
func cubinParams(b []byte) []Param {
	type numbered struct {
		ordinal int
		Param
	}
	var all []numbered
	for len(b) >= 4 {
		format, kind, n := b[0], b[1], 0
		if format == 4 {
			n = int(binary.LittleEndian.Uint16(b[2:]))
		}
		if len(b) < 4+n {
			break
		}
		if v := b[4 : 4+n]; format == 4 && kind == 0x17 && n == 12 {
			all = append(all, numbered{int(binary.LittleEndian.Uint16(v[4:])), Param{
				Offset: int(binary.LittleEndian.Uint16(v[6:])), Size: int(binary.LittleEndian.Uint32(v[8:]) >> 18)}})
		}
		b = b[4+n:]
	}
	slices.SortFunc(all, func(x, y numbered) int { return x.ordinal - y.ordinal })
	params := []Param{}
	for _, p := range all {
		params = append(params, p.Param)
	}
	return params
}
