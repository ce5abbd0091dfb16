package nvrtc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/dl"
)

// LoweredName is the name in PTX and CUBIN of an export: of axpy<float> it is
// _Z4axpyIfEvPKT_PS0_S0_. The export is given as ProgramConfig.Exports has it.
// Since CUDA 8.0.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#accessing-lowered-names.
func (p *Program) LoweredName(export string) (string, error) {
	name, err := cText("export", export)
	if err != nil {
		return "", fmt.Errorf("nvrtc: lowered name%s: %w", p.of(), err)
	}
	var lowered string
	err = p.use(fmt.Sprintf("lowered name of %q", export), func() error {
		if _, err := p.c.api.table.Func(fnGetLoweredName); err != nil {
			return p.c.api.missing(err)
		}
		if !slices.Contains(p.exports, export) {
			return fmt.Errorf("it is not among the exports %q: %w", p.exports, NameExpressionNotValid)
		}
		if !p.compiled {
			return ErrNotCompiled
		}
		out := new(uintptr)
		if err := p.c.api.getLoweredName(p.handle, &name[0], out); err != nil {
			return err
		}
		// The text is the program's: it is copied while the program is held.
		if lowered = dl.GoString(*out); lowered == "" {
			return fmt.Errorf("NVRTC gave an empty name: %w", NameExpressionNotValid)
		}
		return nil
	})
	return lowered, err
}

func isUnsupported(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
