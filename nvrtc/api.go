package nvrtc

//go:generate go run github.com/purecuda/purecuda/dl/mkapi

import (
	"errors"

	"github.com/purecuda/purecuda/dl"
)

// A handle is an nvrtcProgram.
type handle uintptr

// api is the table of C functions; zapi.go has a method for each.
type api struct {
	table *dl.Table
	have  dl.Version
}

func (a *api) result(fn int, r uintptr) error {
	if code := Result(int32(r)); code != Success {
		return &CallError{Function: a.table.Decl(fn).Name, Result: code}
	}
	return nil
}

// missing completes the error of a function that the library lacks: the
// version in use, and what the user knows the function by.
func (a *api) missing(err error) error {
	var u *dl.UnsupportedError
	if errors.As(err, &u) {
		u.Have = a.have
		if f, ok := features[u.Feature]; ok {
			u.Feature, u.Gone = f.what+" ("+u.Feature+")", f.gone
		}
	}
	return err
}

// What users call that which a function of C is for.
var features = map[string]struct {
	what string
	gone dl.Version
}{
	"nvrtcAddNameExpression":     {what: "exports by name expression"},
	"nvrtcGetLoweredName":        {what: "exports by name expression"},
	"nvrtcGetNumSupportedArchs":  {what: "the list of architectures"},
	"nvrtcGetSupportedArchs":     {what: "the list of architectures"},
	"nvrtcSetFlowCallback":       {what: "stopping a compile"},
	"nvrtcGetCUBINSize":          {what: "SASS"},
	"nvrtcGetCUBIN":              {what: "SASS"},
	"nvrtcGetNVVMSize":           {what: "NVVM IR", gone: dl.Version{Major: 13}},
	"nvrtcGetNVVM":               {what: "NVVM IR", gone: dl.Version{Major: 13}},
	"nvrtcGetLTOIRSize":          {what: "LTO IR"},
	"nvrtcGetLTOIR":              {what: "LTO IR"},
	"nvrtcGetOptiXIRSize":        {what: "OptiX IR"},
	"nvrtcGetOptiXIR":            {what: "OptiX IR"},
	"nvrtcGetTileIRSize":         {what: "Tile IR"},
	"nvrtcGetTileIR":             {what: "Tile IR"},
	"nvrtcGetPCHHeapSize":        {what: "a precompiled header"},
	"nvrtcSetPCHHeapSize":        {what: "a precompiled header"},
	"nvrtcGetPCHCreateStatus":    {what: "a precompiled header"},
	"nvrtcGetBundledHeadersInfo": {what: "bundled headers"},
	"nvrtcInstallBundledHeaders": {what: "bundled headers"},
	"nvrtcRemoveBundledHeaders":  {what: "bundled headers"},

	"nvrtcGetPCHHeapSizeRequired": {what: "a precompiled header"},
}
