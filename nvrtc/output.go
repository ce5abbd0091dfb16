package nvrtc

import (
	"bytes"
	"fmt"
)

// PTX is the compiled program as PTX text. The compile makes it for virtual and
// for real architectures. After -dlto or --optix-ir there is none: ErrNoOutput.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#compilation.
func (p *Program) PTX() (string, error) {
	b, err := p.output("PTX", "-dlto and --optix-ir make other code instead", p.c.api.getPTXSize, p.c.api.getPTX)
	return string(b), err
}

// CUBIN is the compiled program as SASS, machine code in an ELF file. It is
// made for a real architecture (--gpu-architecture=sm_70) only, else it gives
// ErrNoOutput. Since CUDA 11.1.
func (p *Program) CUBIN() ([]byte, error) {
	return p.output("CUBIN", "it needs a real architecture, such as --gpu-architecture=sm_70", p.c.api.getCUBINSize, p.c.api.getCUBIN)
}

// LTOIR is the compiled program for link-time optimisation by nvJitLink. It is
// made with --dlink-time-opt (-dlto) only, else it gives ErrNoOutput. Since
// CUDA 12.0.
func (p *Program) LTOIR() ([]byte, error) {
	return p.output("LTO IR", "it needs --dlink-time-opt (-dlto)", p.c.api.getLTOIRSize, p.c.api.getLTOIR)
}

// OptiXIR is the compiled program for OptiX. It is made with --optix-ir only,
// else it gives ErrNoOutput. Since CUDA 12.0.
func (p *Program) OptiXIR() ([]byte, error) {
	return p.output("OptiX IR", "it needs --optix-ir", p.c.api.getOptiXIRSize, p.c.api.getOptiXIR)
}

// NVVM is the compiled program as NVVM IR, LLVM bitcode. It is made with
// --dlink-time-opt (-dlto) only, else it gives ErrNoOutput. Since CUDA 11.4,
// until 12.9; LTOIR is its successor.
func (p *Program) NVVM() ([]byte, error) {
	return p.output("NVVM IR", "it needs --dlink-time-opt (-dlto)", p.c.api.getNVVMSize, p.c.api.getNVVM)
}

// TileIR is the program's tile kernels as Tile IR, else it gives ErrNoOutput.
// Since CUDA 13.2.
func (p *Program) TileIR() ([]byte, error) {
	return p.output("Tile IR", "it needs tile kernels in the source and the options for them", p.c.api.getTileIRSize, p.c.api.getTileIR)
}

// output reads one output of the last compile; how says what makes it.
func (p *Program) output(what, how string, size func(handle, *uint64) error, get func(handle, *byte) error) ([]byte, error) {
	var b []byte
	err := p.use(what, func() (err error) {
		if !p.compiled {
			// A function that is missing is the better reason.
			if err := size(p.handle, new(uint64)); isUnsupported(err) {
				return err
			}
			return ErrNotCompiled
		}
		if b, err = p.bytes(size, get); err != nil {
			return err
		}
		if what == "PTX" {
			b = bytes.TrimRight(b, "\x00")
		}
		if len(b) == 0 {
			return fmt.Errorf("%w: %s", ErrNoOutput, how)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}
