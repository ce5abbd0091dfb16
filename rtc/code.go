package rtc

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/abi/ptx"
)

// code is what compiled code tells of itself. The zero code tells nothing.
type code struct {
	known     bool
	err       error // why it is not known, if it should be
	target    string
	entries   []entry
	functions []string                // of the device that are no kernels, from PTX
	variables []string                // of the device and constant memory; nil where not known
	numbers   map[string][]abi.Number // by entry point, from PTX
}

// An entry is a kernel in compiled code.
type entry struct {
	name  string
	slots []abi.Slot // nil: not known
}

// slots are the parameters of an entry point, nil if they are not known.
func (c *code) slots(name string) ([]abi.Slot, error) {
	for i := range c.entries {
		if c.entries[i].name == name {
			return c.entries[i].slots, nil
		}
	}
	return nil, fmt.Errorf("the module has no entry point %s", name)
}

// isEntry reports whether a kernel has that name in the code.
func (c *code) isEntry(name string) bool {
	return slices.ContainsFunc(c.entries, func(e entry) bool { return e.name == name })
}

// readPTX reads PTX. What a newer compiler may have written that is not
// understood is no error before a parameter list depends on it.
func readPTX(text string) code {
	tree, err := ptx.Parse(text)
	if err != nil {
		return code{err: err}
	}
	c := code{known: true, target: tree.Target.Arch, variables: []string{}, numbers: map[string][]abi.Number{}}
	for _, f := range tree.Entries() {
		e := entry{f.Name, make([]abi.Slot, len(f.Params))}
		numbers := make([]abi.Number, len(f.Params))
		for i := range f.Params {
			p := &f.Params[i]
			e.slots[i] = abi.Slot{Offset: int(p.Offset), Size: int(p.Size()), Align: p.Align()}
			numbers[i] = numberOf(p)
		}
		c.entries = append(c.entries, e)
		c.numbers[f.Name] = numbers
	}
	for _, f := range tree.Functions() {
		if !f.Entry {
			c.functions = append(c.functions, f.Name)
		}
	}
	for _, item := range tree.Items {
		if v, ok := item.(*ptx.Variable); ok && (v.Space == ptx.SpaceGlobal || v.Space == ptx.SpaceConst) {
			c.variables = append(c.variables, v.Name)
		}
	}
	return c
}

var errNotCubin = errors.New("not understood as a cubin")

// readCubin reads a cubin, an ELF file: its kernels are functions marked so,
// and their parameters stand in sections .nv.info.NAME. A file that is not
// understood tells nothing: drivers tell more.
func readCubin(b []byte) code {
	if len(b) < 64 {
		return code{}
	}
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint32(b[20:], uint32(elf.EV_CURRENT)) // NVIDIA has a version of its own there
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil || f.Class != elf.ELFCLASS64 || f.Machine != elf.EM_CUDA {
		return code{}
	}
	symbols, err := f.Symbols()
	if err != nil {
		return code{}
	}
	c := code{known: true, target: "cubin", variables: []string{}}
	for _, s := range symbols {
		const isKernel = 0x10
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FUNC:
			if s.Other&isKernel == 0 {
				continue
			}
			info := f.Section(".nv.info." + s.Name)
			if info == nil {
				return code{}
			}
			data, err := info.Data()
			if err != nil {
				return code{}
			}
			slots, err := cubinParams(data)
			if err != nil {
				return code{}
			}
			c.entries = append(c.entries, entry{s.Name, slots})
		case elf.STT_OBJECT:
			if i := int(s.Section); i < len(f.Sections) && isVariables(f.Sections[i].Name) {
				c.variables = append(c.variables, s.Name)
			}
		}
	}
	if len(c.entries) == 0 { // or they are marked in another way
		return code{}
	}
	return c
}

// isVariables reports whether a section has __device__ or __constant__ variables.
func isVariables(section string) bool {
	return section == ".nv.global" || section == ".nv.global.init" || section == ".nv.constant3"
}

// cubinParams reads the attributes of a kernel: a byte for the format, a byte
// for the kind, and two that are a small value, or, for format 4, the size of
// the data behind. Kind 0x17 is a parameter: 12 bytes with its number at 4,
// its offset at 6 and its size from bit 18 of the word at 8. Kind 0x19 says how
// many bytes all parameters have. Nil means that nothing is said of parameters:
// there are none, or days to come say it in another way.
func cubinParams(b []byte) ([]abi.Slot, error) {
	type numbered struct {
		number int
		slot   abi.Slot
	}
	var all []numbered
	total, end := -1, 0
	for len(b) >= 4 {
		format, kind, n := b[0], b[1], int(binary.LittleEndian.Uint16(b[2:]))
		b = b[4:]
		if format != 4 {
			if kind == 0x19 {
				total = n
			}
			continue
		}
		if n > len(b) {
			return nil, errNotCubin
		}
		if kind == 0x17 {
			if n != 12 {
				return nil, errNotCubin
			}
			slot := abi.Slot{Offset: int(binary.LittleEndian.Uint16(b[6:])), Size: int(binary.LittleEndian.Uint32(b[8:]) >> 18)}
			all = append(all, numbered{int(binary.LittleEndian.Uint16(b[4:])), slot})
			end = max(end, slot.Offset+slot.Size)
		}
		b = b[n:]
	}
	switch {
	case len(b) != 0, total >= 0 && total != end, total < 0 && len(all) > 0:
		return nil, errNotCubin
	case total < 0:
		return nil, nil
	}
	slices.SortFunc(all, func(x, y numbered) int { return x.number - y.number })
	slots := make([]abi.Slot, len(all))
	for i, p := range all {
		if p.number != i {
			return nil, errNotCubin
		}
		slots[i] = p.slot
	}
	return slots, nil
}

// numberOf is what PTX tells of a parameter beside its size.
func numberOf(p *ptx.Param) abi.Number {
	if len(p.Dims) > 0 || p.Vector > 0 || p.Type == "" {
		return abi.UnknownNumber
	}
	switch p.Type[0] {
	case 'f':
		return abi.FloatingNumber
	case 'u', 's':
		return abi.IntegerNumber
	}
	return abi.UnknownNumber
}
