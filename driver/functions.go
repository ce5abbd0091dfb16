package driver

import (
	"slices"

	"github.com/purecuda/purecuda/dl"
)

// Functions lists the C functions that this package calls, each with the CUDA
// version that brought it.
func Functions() []dl.Decl { return slices.Clone(decls) }

// Has reports whether the driver in use has a C function, such as
// "cuLaunchKernelEx". Names that are not among [Functions] it has not.
func (d *Driver) Has(function string) bool {
	i := slices.IndexFunc(decls, func(f dl.Decl) bool { return f.Name == function })
	return i >= 0 && d.api.table.Has(i)
}
