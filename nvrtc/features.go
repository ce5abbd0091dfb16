package nvrtc

// Features says what an NVRTC can do beyond compiling to PTX, which all can.
//
// Safe for concurrent use after it is made; its fields must not change.
type Features struct {
	Exports        bool // name expressions and lowered names; CUDA 8.0
	CUBIN          bool // SASS; 11.1
	SupportedArchs bool // 11.2
	NVVM           bool // 11.4, until 12.9
	LTOIR          bool // 12.0
	OptiXIR        bool // 12.0
	Cancel         bool // a context that ends stops the compiler, not only the wait; 12.8
	PCH            bool // precompiled headers; 12.8
	TileIR         bool // 13.2
	BundledHeaders bool // 13.3
}

// Features says what this NVRTC can do, by the functions that it has. Safe for
// concurrent use.
func (c *Compiler) Features() Features {
	has := c.api.table.Has
	return Features{
		Exports:        has(fnAddNameExpression) && has(fnGetLoweredName),
		CUBIN:          has(fnGetCUBIN),
		SupportedArchs: has(fnGetSupportedArchs),
		NVVM:           has(fnGetNVVM),
		LTOIR:          has(fnGetLTOIR),
		OptiXIR:        has(fnGetOptiXIR),
		Cancel:         has(fnSetFlowCallback),
		PCH:            has(fnSetPCHHeapSize),
		TileIR:         has(fnGetTileIR),
		BundledHeaders: has(fnInstallBundledHeaders),
	}
}
