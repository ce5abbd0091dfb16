package nvrtc

// An optionKind says how an option takes its value.
type optionKind uint8

const (
	flagOption   optionKind = iota // none
	valueOption                    // --x=v, or the next element
	equalsOption                   // --x=v only
	joinedOption                   // --x=v, the next element, or close up behind the short name: -Ifolder
)

// An optionSpec is an option of NVRTC with its two names.
type optionSpec struct {
	long, short string
	kind        optionKind
}

// The options of NVRTC 7.0 to 13; which of them a given NVRTC knows is for it to
// say. How they take their values was tried on 11.2, 11.8, 12.4 and 13.0.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#supported-compile-options.
var optionSpecs = []optionSpec{
	{long: "--gpu-architecture", short: "-arch", kind: valueOption},
	{long: "--std", short: "-std", kind: equalsOption},
	{long: "--define-macro", short: "-D", kind: joinedOption},
	{long: "--undefine-macro", short: "-U", kind: joinedOption},
	{long: "--include-path", short: "-I", kind: joinedOption},
	{long: "--pre-include", short: "-include", kind: valueOption},
	{long: "--no-source-include", short: "-no-source-include"},

	{long: "--device-c", short: "-dc"},
	{long: "--device-w", short: "-dw"},
	{long: "--relocatable-device-code", short: "-rdc", kind: valueOption},
	{long: "--extensible-whole-program", short: "-ewp"},
	{long: "--dlink-time-opt", short: "-dlto"},
	{long: "--gen-opt-lto", short: "-gen-opt-lto"},
	{long: "--optix-ir", short: "-optix-ir"},

	{long: "--device-debug", short: "-G"},
	{long: "--generate-line-info", short: "-lineinfo"},
	{long: "--dopt", short: "-dopt", kind: valueOption},
	{long: "--Ofast-compile", short: "-Ofc", kind: valueOption},
	{long: "--ptxas-options", short: "-Xptxas", kind: valueOption},
	{long: "--maxrregcount", short: "-maxrregcount", kind: valueOption},
	{long: "--ftz", short: "-ftz", kind: valueOption},
	{long: "--prec-sqrt", short: "-prec-sqrt", kind: valueOption},
	{long: "--prec-div", short: "-prec-div", kind: valueOption},
	{long: "--fmad", short: "-fmad", kind: valueOption},
	{long: "--use_fast_math", short: "-use_fast_math"},
	{long: "--extra-device-vectorization", short: "-extra-device-vectorization"},
	{long: "--jump-table-density", short: "-jtd", kind: valueOption},
	{long: "--device-stack-protector", short: "-device-stack-protector", kind: valueOption},
	{long: "--modify-stack-limit", short: "-modify-stack-limit", kind: valueOption},
	{long: "--restrict", short: "-restrict"},

	{long: "--device-as-default-execution-space", short: "-default-device"},
	{long: "--device-int128", short: "-device-int128"},
	{long: "--device-float128", short: "-device-float128"},
	{long: "--builtin-move-forward", short: "-builtin-move-forward", kind: valueOption},
	{long: "--builtin-initializer-list", short: "-builtin-initializer-list", kind: valueOption},

	{long: "--disable-warnings", short: "-w"},
	{long: "--optimization-info", short: "-opt-info", kind: equalsOption},
	{long: "--display-error-number", short: "-err-no"},
	{long: "--no-display-error-number", short: "-no-err-no"},
	{long: "--diag-error", short: "-diag-error", kind: valueOption},
	{long: "--diag-suppress", short: "-diag-suppress", kind: valueOption},
	{long: "--diag-warn", short: "-diag-warn", kind: valueOption},
	{long: "--brief-diagnostics", short: "-brief-diag", kind: valueOption},
	{long: "--version-ident", short: "-dQ", kind: valueOption},

	{long: "--time", short: "-time", kind: equalsOption},
	{long: "--fdevice-time-trace", short: "-fdevice-time-trace", kind: equalsOption},
	{long: "--split-compile", short: "-split-compile", kind: valueOption},
	{long: "--minimal", short: "-minimal"},
	{long: "--fdevice-syntax-only", short: "-fdevice-syntax-only"},
	{long: "--no-cache", short: "-no-cache"},
	{long: "--frandom-seed", short: "-frandom-seed", kind: equalsOption},

	{long: "--pch", short: "-pch"},
	{long: "--create-pch", short: "-create-pch", kind: equalsOption},
	{long: "--use-pch", short: "-use-pch", kind: equalsOption},
	{long: "--pch-dir", short: "-pch-dir", kind: equalsOption},
	{long: "--pch-verbose", short: "-pch-verbose", kind: valueOption},
	{long: "--pch-messages", short: "-pch-messages", kind: valueOption},
	{long: "--instantiate-templates-in-pch", short: "-instantiate-templates-in-pch", kind: valueOption},
}

// optionByName finds an option by either name.
var optionByName = func() map[string]*optionSpec {
	m := map[string]*optionSpec{}
	for i := range optionSpecs {
		m[optionSpecs[i].long], m[optionSpecs[i].short] = &optionSpecs[i], &optionSpecs[i]
	}
	return m
}()
