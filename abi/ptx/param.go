package ptx

// A Param is a parameter or return value of a function. See the PTX ISA manual, "Parameter State Space".
// Safe for concurrent use after it is made; its fields must not change.
type Param struct {
	Name      string
	Space     Space    // SpaceParam; SpaceReg for the register parameters that only device functions can have
	Alignment int      // in bytes, as written; 0 where the text doesn't say: see Align
	Vector    int      // 2, 4 or 8 elements; 0 for a scalar
	Type      Type     // of an element: a structure is an array of "b8"
	Pointer   *Pointer // what ".ptr" says of a pointer parameter, else nil
	Dims      []int64  // of an array; Unsized where left open

	// Offset is where the parameter lies in the kernel's parameter space, in bytes. [Parse] works it out for entries; it is 0 for
	// the parameters of device functions, whose place no text can rely on.
	Offset int64

	Line int
}

// A Pointer is what ".ptr" says about the memory a parameter points to.
// Safe for concurrent use after it is made; its fields must not change.
type Pointer struct {
	Space Space // "" for any
	Align int   // in bytes; 0 where the text doesn't say (4 then)
}

// Size is the parameter's size in bytes. A structure without members has one byte.
func (p *Param) Size() int64 {
	n, _ := byteSize(p.Type, p.Vector, p.Dims)
	return n
}

// Align is the parameter's alignment in bytes: the one written, else the natural one of its type.
func (p *Param) Align() int { return alignment(p.Alignment, p.Type, p.Vector) }

// place gives each parameter its offset: the end of the one before, rounded up to its own alignment, which is how the
// driver reads them. It returns false where the end is above MaxBytes.
func place(params []Param) bool {
	end := int64(0)
	for i := range params {
		p := &params[i]
		p.Offset = roundUp(end, int64(p.Align()))
		if end = p.Offset + p.Size(); end > MaxBytes {
			return false
		}
	}
	return true
}

func roundUp(n, align int64) int64 { return (n + align - 1) / align * align }

// ParamBytes is the size of an entry's parameter space: the end of the last parameter. The driver takes at most 4,096 bytes,
// 32,764 from CUDA 12.1 on for compute capability 7.0 and newer.
func (f *Function) ParamBytes() int64 {
	if !f.Entry || len(f.Params) == 0 {
		return 0
	}
	last := &f.Params[len(f.Params)-1]
	return last.Offset + last.Size()
}
