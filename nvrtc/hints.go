package nvrtc

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A hint is what helps when a diagnostic matches. A hint that knows no more
// than the diagnostic has no place here.
type hint struct {
	pattern func() *regexp.Regexp // of Diagnostic.Text
	says    func(h *hinting, m []string) string
}

// hinting is the compile that failed.
type hinting struct {
	*CompileError
	p       *Program
	current Diagnostic
}

// hints are the hints for e, in the order of its diagnostics, each once.
func hints(e *CompileError, p *Program) []string {
	h := &hinting{CompileError: e, p: p}
	var out []string
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if e.Result == BuiltinOperationFailure {
		add("install the builtins library of exactly this NVRTC in the folder of " + e.Path)
	}
	for _, d := range e.Diagnostics {
		if d.Severity < Error {
			continue
		}
		h.current = d
		for _, row := range hintTable {
			if m := row.pattern().FindStringSubmatch(d.Text); m != nil {
				add(row.says(h, m))
			}
		}
		if d.File == nameMap {
			for _, row := range exportHints {
				if m := row.pattern().FindStringSubmatch(d.Text); m != nil {
					add(row.says(h, m))
				}
			}
		}
	}
	return out
}

// always is a hint that depends on nothing else.
func always(s string) func(*hinting, []string) string {
	return func(*hinting, []string) string { return s }
}

var hintTable = []hint{
	{pattern(`(?:could not|cannot) open source file "(.*?)"`), (*hinting).header},
	{pattern(`^unrecognized token|^expected a file name|^missing closing quote|^invalid.* character`), (*hinting).oddCharacter},
	{pattern(`is considered a host function`), always("NVRTC compiles for the device only: write __global__ before a kernel and __device__ before any other function, or give --device-as-default-execution-space; leave host code out")},
	{pattern(`is considered a host variable`), always("NVRTC compiles for the device only: write __device__ or __constant__ before a variable outside functions")},
	{pattern(`^attribute "__global__" does not apply here`), (*hinting).cascade},
	{pattern(`^identifier "((?:u?int(?:8|16|32|64)|u?intptr|uintmax|intmax|ptrdiff|ssize)_t)" is undefined`), func(_ *hinting, m []string) string { return m[1] + " is a type of stdint.h: " + stdintHint }},
	{pattern(`^identifier "(__half2?|half2?)" is undefined`), func(h *hinting, _ []string) string { return h.cudaHeader("cuda_fp16.h") }},
	{pattern(`^identifier "__nv_bfloat16(2?)" is undefined`), func(h *hinting, _ []string) string { return h.cudaHeader("cuda_bf16.h") }},
	{pattern(`^identifier "(constexpr|static_assert|nullptr|decltype|noexcept|alignas|char16_t)" is undefined|^explicit type is missing \("int" assumed\)|^space required between adjacent ">"|^the type "auto"|not enabled in this mode`), (*hinting).dialect},
	{pattern(`^name followed by "::" must be a class or namespace name|^namespace "std" has no member`), always("there is no C++ standard library in NVRTC; CUDA's own part of it is in namespace cuda::std, headers <cuda/std/…>")},
	{pattern(`^this declaration may not have extern "C" linkage`), always(`a template can't be extern "C": leave that out and give its instances as exports, such as axpy<float>`)},
	{pattern(`^no instance of overloaded function "atomicAdd" matches`), (*hinting).atomicAdd},
	{pattern(`^invalid value for --gpu-architecture`), (*hinting).arch},
	{pattern(`^invalid value for --std`), always("spell it -std=c++11, -std=c++14 or -std=c++17; c++20 from CUDA 12.0 on")},
	{unrecognized, (*hinting).option},
	{pattern(`(--[\w-]+)(?: \(-[\w-]+\))? defined more than once`), (*hinting).twice},
	{pattern(`^invalid macro definition`), always("-D wants a name in the same or in the next element: -DNAME=VALUE")},
	{pattern(`requires \.target (sm_\d+\w*) or higher`), func(_ *hinting, m []string) string { return "compile for --gpu-architecture=" + m[1] + " or newer" }},
	{pattern(`uses too much shared data`), always("beyond 48 KiB shared memory must be extern __shared__, whose size is given at launch")},
	{pattern(`^Unresolved extern function '(.*)'`), func(_ *hinting, m []string) string {
		return "the function " + m[1] + " is declared but nowhere defined in this program"
	}},
}

// These are for diagnostics about exports.
var exportHints = []hint{
	{pattern(`^identifier "(.*)" is undefined`), func(_ *hinting, m []string) string {
		return "an export is found by its full name: with its namespace, spelled as in the source; the source has no " + m[1] + " that is visible at its end"
	}},
	{pattern(`^cannot determine which instance of function template`), always("give every template argument that can't be left out, as the source spells it: k<float>, k<Mode::A> for an enum class")},
	{pattern(`^cannot determine which instance of overloaded function|^cannot determine which instance of .*overloaded`), always("choose an overload by a cast: static_cast<void(*)(float*)>(k)")},
	{pattern(`^expression must have a constant value|must form address of`), always("an export is a kernel, or the address of a __constant__ or __device__ variable: write & before the variable, &name; a __managed__ variable can't be exported")},
	{pattern(`cannot form address of a non-__global__ function`), always("an export of a function is a kernel: declare it __global__")},
	{pattern(`^Extra tokens found`), always("an export is one expression, without a semicolon or a comma behind it")},
}

const stdintHint = `NVRTC has no headers of the C library: give a header of your own in memory (Headers: "stdint.h" with the typedefs that you use), include <cuda/std/cstdint> from CUDA's headers, or write unsigned int and the like`

var (
	cHeaders   = pattern(`^(?:stdint|inttypes|stddef|limits|float|math|stdlib|string|stdio|assert|stdbool|time|errno|ctype|complex|stdarg)\.h$`)
	cxxHeaders = pattern(`^(?:algorithm|any|array|atomic|bit|bitset|c[a-z]{3,9}|chrono|complex|concepts|deque|exception|functional|initializer_list|iostream|iterator|limits|list|map|memory|mutex|numeric|optional|queue|random|ratio|set|span|sstream|stdexcept|string|string_view|thread|tuple|type_traits|unordered_map|utility|variant|vector)$`)
	libcInside = pattern(`^(?:bits|sys|gnu|asm|linux)/|^features(?:-time64)?\.h$`)
	hostCUDA   = pattern(`^(?:cuda_runtime|device_launch_parameters|cuda_runtime_api|device_functions|math_functions)\.h$|^cuda\.h$`)
	cudaFiles  = pattern(`^(?:cuda_|cooperative_groups|curand|mma\.h|crt/|cuda/|cub/|thrust/|nv/|vector_types\.h|vector_functions\.h|cuComplex\.h|sm_\d|texture_|surface_|device_atomic|library_types\.h|cudaTypedefs)`)
)

// header is for a file that could not be opened.
func (h *hinting) header(m []string) string {
	name := m[1]
	switch base := path.Base(name); {
	case slices.ContainsFunc(h.p.headers, func(have string) bool { return have != name && path.Base(have) == base }):
		return fmt.Sprintf("headers in memory are found by the very text of the #include: there is none %q, but %q", name, h.p.headers)
	case libcInside().MatchString(name):
		return "the headers of the C library can't be compiled by NVRTC: take their folder (-I/usr/include) out of the options; " + stdintHint
	case name == "stdint.h" || name == "inttypes.h" || name == "cstdint":
		return stdintHint
	case cHeaders().MatchString(name):
		return "NVRTC has no headers of the C library; printf, assert, malloc, memcpy and the mathematical functions are built in: leave the #include out"
	case hostCUDA().MatchString(name):
		return "what kernels need of " + name + " is built into NVRTC: leave the #include out"
	case cxxHeaders().MatchString(name):
		return "NVRTC has no headers of the C++ library; CUDA's core libraries have their own of some, such as <cuda/std/" + name + ">, and the mathematical functions are built in"
	case cudaFiles().MatchString(name):
		return h.cudaHeader(name)
	}
	return `a header is looked for in memory, then, for #include "…", in the folder of the program's name and in the working directory, then in the -I folders`
}

// cudaHeader is for one of CUDA's own headers.
func (h *hinting) cudaHeader(name string) string {
	dirs, err := h.p.c.IncludeDirs()
	if err != nil {
		s := fmt.Sprintf("%s is one of CUDA's headers, and those of CUDA %s are not where this NVRTC is: install them, or give their folder with -I", name, h.Version)
		var missing *HeadersError
		if errors.As(err, &missing) {
			for folder, version := range missing.Others {
				s += fmt.Sprintf(" (%s has those of CUDA %s)", folder, version)
			}
		}
		return s
	}
	return fmt.Sprintf("%s is one of CUDA's headers: #include it and give -I%s", name, strings.Join(dirs, " and -I"))
}

var undefined = pattern(`^identifier "(.*)" is undefined`)

// cascade is for the first of many messages about a kernel whose parameter has
// a type that isn't known.
func (h *hinting) cascade([]string) string {
	for _, d := range h.Diagnostics {
		if m := undefined().FindStringSubmatch(d.Text); m != nil {
			return fmt.Sprintf("the messages about __global__ come from a type that NVRTC does not know: %s", m[1])
		}
	}
	return "a type among the kernel's parameters is probably unknown: see the next messages"
}

func (h *hinting) dialect([]string) string {
	if ParseOptions(h.Options).Std() != "" || h.Version.AtLeast(12, 0) {
		return ""
	}
	return fmt.Sprintf("NVRTC %s compiles C++03 unless told otherwise: give -std=c++17", h.Version)
}

func (h *hinting) atomicAdd([]string) string {
	if _, ok := ParseOptions(h.Options).Find("--gpu-architecture"); ok {
		return "atomicAdd of double needs compute_60, of __half2 compute_60, of __half and __nv_bfloat16 compute_70 and compute_80"
	}
	return "atomicAdd of double needs compute_60 and NVRTC's own default is older: give --gpu-architecture=compute_60 or newer"
}

func (h *hinting) arch([]string) string {
	known := h.p.c.KnownArchs()
	if len(known) == 0 {
		return ""
	}
	var names []string
	for _, a := range known {
		names = append(names, a.String())
	}
	s := fmt.Sprintf("NVRTC %s knows %s, and sm_ for each", h.Version, strings.Join(names, " "))
	if a, ok := ParseOptions(h.Options).Arch(); ok && a.Number() > known[len(known)-1].Number() {
		s += "; PTX for " + known[len(known)-1].String() + " runs on newer devices too"
	}
	return s
}

func (h *hinting) twice(m []string) string {
	for _, o := range ParseOptions(h.Options) {
		if o.Name == m[1] {
			return fmt.Sprintf("options[%d] %s gave it already", o.Index, quoted(o.Args))
		}
	}
	return ""
}
