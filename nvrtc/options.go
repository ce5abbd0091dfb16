package nvrtc

import "strconv"

// A Switch is an option that is on or off; the zero Switch leaves it to NVRTC.
type Switch uint8

// The states of a Switch.
const (
	Default Switch = iota
	On
	Off
)

// A Macro is a -D option: -DName=Value.
//
// Safe for concurrent use after it is made; its fields must not change.
type Macro struct {
	Name  string // with parameters if it has any: SQUARE(x)
	Value string // empty: NVRTC defines it as 1
}

// Options are the options of NVRTC as a struct, for those who would rather not
// spell them. The zero Options are none, so that NVRTC's own defaults hold: a
// virtual architecture of its choice (compute_52 for 11 and 12), and the C++
// dialect of its choice (C++03 for 11, C++17 for 12 and 13).
//
// Which of them an NVRTC knows is for that to say.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#supported-compile-options.
//
// Safe for concurrent use after it is made; its fields must not change.
type Options struct {
	Arch     Arch     // what to compile for
	Std      string   // the C++ dialect: c++11, c++14, c++17, c++20
	Define   []Macro  // in this order
	Undefine []string // macros, after the defined ones
	Include  []string // folders for headers, in this order

	PreInclude []string // headers that are included before the source

	FastMath     bool   // use_fast_math: ftz on, prec-sqrt and prec-div off, fmad on
	FTZ          Switch // denormal float32 numbers are flushed to zero
	PrecSqrt     Switch // float32 square roots are rounded as IEEE 754 says
	PrecDiv      Switch // float32 divisions are
	FMAD         Switch // a*b+c becomes one operation
	MaxRegisters int    // of a thread; 0: no limit
	Restrict     bool   // every pointer parameter of a kernel is __restrict__

	DeviceDebug    bool     // debug information, no optimisation
	LineInfo       bool     // line numbers for profilers
	Relocatable    bool     // code that can be linked with other code
	LinkTime       bool     // LTO IR in place of PTX and SASS
	DefaultDevice  bool     // functions without __device__ or __host__ are __device__
	NoWarnings     bool     //
	PTXAS          []string // options for ptxas, which compiles PTX to SASS
	SuppressNumber []int    // warnings that are not shown, by number

	// Raw elements come last, untouched.
	Raw []string
}

// Args spells the options, always in the same order.
func (o Options) Args() []string {
	var a []string
	add := func(on bool, element string) {
		if on {
			a = append(a, element)
		}
	}
	add(!o.Arch.IsZero(), "--gpu-architecture="+o.Arch.String())
	add(o.Std != "", "--std="+o.Std)
	for _, m := range o.Define {
		element := "--define-macro=" + m.Name
		if m.Value != "" {
			element += "=" + m.Value
		}
		add(true, element)
	}
	for _, name := range o.Undefine {
		add(true, "--undefine-macro="+name)
	}
	for _, folder := range o.Include {
		add(true, "--include-path="+folder)
	}
	for _, file := range o.PreInclude {
		add(true, "--pre-include="+file)
	}
	add(o.FastMath, "--use_fast_math")
	for _, s := range []struct {
		name string
		Switch
	}{{"ftz", o.FTZ}, {"prec-sqrt", o.PrecSqrt}, {"prec-div", o.PrecDiv}, {"fmad", o.FMAD}} {
		add(s.Switch == On, "--"+s.name+"=true")
		add(s.Switch == Off, "--"+s.name+"=false")
	}
	add(o.MaxRegisters != 0, "--maxrregcount="+strconv.Itoa(o.MaxRegisters))
	add(o.Restrict, "--restrict")
	add(o.DeviceDebug, "--device-debug")
	add(o.LineInfo, "--generate-line-info")
	add(o.Relocatable, "--relocatable-device-code=true")
	add(o.LinkTime, "--dlink-time-opt")
	add(o.DefaultDevice, "--device-as-default-execution-space")
	add(o.NoWarnings, "--disable-warnings")
	for _, option := range o.PTXAS {
		add(true, "--ptxas-options="+option)
	}
	for _, number := range o.SuppressNumber {
		add(true, "--diag-suppress="+strconv.Itoa(number))
	}
	return append(a, o.Raw...)
}
