package nvrtc

import (
	"fmt"
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
	files   []file
	table   []hint // hintTable, whose rows can't name it
	current Diagnostic
	odds    []*oddCharacters // of the files that were looked at
}

// mostHints are more than anybody reads; logs have tens of thousands of errors.
const mostHints = 20

// hints are the hints for e, in the order of its diagnostics, each once, the first ones.
func hints(e *CompileError, p *Program) []string {
	h := &hinting{CompileError: e, p: p, files: p.files(), table: hintTable}
	var out []string
	add := func(s string) {
		if s != "" && !slices.ContainsFunc(out, func(have string) bool { return strings.Contains(have, s) }) {
			out = append(out, s)
		}
	}
	add(h.packed())
	if e.Result == Compilation {
		add(h.otherText())
	}
	if e.Result == BuiltinOperationFailure {
		add("install the builtins library of exactly this NVRTC in the folder of " + e.Path)
	}
	for _, d := range e.Diagnostics {
		if d.Severity < Error {
			continue
		}
		if len(out) >= mostHints {
			break
		}
		h.current = d
		add(h.of(h.table, d))
		if d.File == nameMap {
			add(h.of(exportHints, d))
		}
	}
	return out
}

// of is the hint of the first row that has one for d.
func (h *hinting) of(table []hint, d Diagnostic) string {
	for _, row := range table {
		if m := row.pattern().FindStringSubmatch(d.Text); m != nil {
			if s := row.says(h, m); s != "" {
				return s
			}
		}
	}
	return ""
}

// always is a hint that depends on nothing else.
func always(s string) func(*hinting, []string) string {
	return func(*hinting, []string) string { return s }
}

var hintTable = []hint{
	{pattern(`(?:could not|cannot) open source file "(.*?)"`), (*hinting).header},
	{pattern(`^unrecognized token|^expected a file name|^missing closing quote|^invalid.* character`), (*hinting).oddCharacter},
	{pattern(`is considered a host function`), always("NVRTC compiles for the device only: write __global__ before a kernel and __device__ before any other function, or give --device-as-default-execution-space; leave host code out")},
	{pattern(`is considered a host variable`), (*hinting).hostVariable},
	{pattern(`^attribute "__global__" does not apply here`), (*hinting).cascade},
	{pattern(`^identifier "((?:u?int(?:8|16|32|64)|u?intptr|uintmax|intmax|ptrdiff|ssize)_t)" is undefined`), func(_ *hinting, m []string) string { return m[1] + " is a type of stdint.h: " + stdintHint }},
	{pattern(`^identifier "(__half2?|half2?)" is undefined`), func(h *hinting, _ []string) string { return h.cudaHeader("cuda_fp16.h") }},
	{pattern(`^identifier "__nv_bfloat16(2?)" is undefined`), func(h *hinting, _ []string) string { return h.cudaHeader("cuda_bf16.h") }},
	{pattern(`^identifier "(constexpr|static_assert|nullptr|decltype|noexcept|alignas|char16_t)" is undefined|^explicit type is missing \("int" assumed\)|^space required between adjacent ">"|^the type "auto"|not enabled in this mode`), (*hinting).dialect},
	{pattern(`^name followed by "::" must be a class or namespace name|^namespace "std" has no member|^name must be a namespace name`), (*hinting).scope},
	{pattern(`^identifier "(.*)" is undefined`), (*hinting).identifier},
	{pattern(`^function "(cuda[A-Z]\w*)\(.*was referenced but not defined`), func(_ *hinting, m []string) string { return hostAPI(m[1]) }},
	{pattern(`^expression must have a constant value`), (*hinting).arrayLength},
	{pattern(`^texture is not a template`), always("texture references are gone from CUDA 12.0 on: take a parameter of type cudaTextureObject_t")},
	{pattern(`^linkage specification is not allowed`), always(`extern "C" stands outside of functions, and before no template: a template is compiled for the arguments that the exports name, such as axpy<float>`)},
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
	{pattern(`^expression must have a constant value|^function call is not allowed in a constant expression|^too few arguments in function call|must form address of`), always("an export is a kernel's name, without parentheses, or the address of a __constant__ or __device__ variable: write & before the variable, &name; a __managed__ variable can't be exported")},
	{pattern(`^type name is not allowed`), always("an export is a kernel's name, without its result and its parameters: k, k<float>; one of several overloads is chosen by a cast: static_cast<void(*)(float*)>(k)")},
	{pattern(`cannot form address of a non-__global__ function`), always("an export of a function is a kernel: declare it __global__")},
	{pattern(`^Extra tokens found`), always("an export is one expression, without a semicolon or a comma behind it")},
}

var undefined = pattern(`^identifier "(.*)" is undefined`)

// cascade is for the first of many messages about a kernel whose parameter has
// a type that isn't known.
func (h *hinting) cascade([]string) string {
	for _, d := range h.Diagnostics {
		if m := undefined().FindStringSubmatch(d.Text); m != nil {
			s := fmt.Sprintf("the messages about __global__ come from a type that NVRTC does not know: %s", m[1])
			h.current = d
			if more := h.of(h.table, d); more != "" {
				s += "; " + more
			}
			return s
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

var almostArch = pattern(`^\s*(?i:sm|compute|cc|cuda)?[ _-]?(\d+)\.?(\d[a-z]?)\s*$`)

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
	o, _ := ParseOptions(h.Options).Find("--gpu-architecture")
	switch m := almostArch().FindStringSubmatch(o.Value); {
	case strings.HasPrefix(o.Value, "-"):
		return fmt.Sprintf("%s takes %q for its value, since that is the next element", o.Args[0], o.Value)
	case o.Value == "native" || o.Value == "all" || o.Value == "all-major":
		return o.Value + " is for nvcc alone; " + s
	case m != nil && !slices.Contains(names, "compute_"+m[1]+m[2]):
		// The list is all that there is to say.
	case m != nil && o.Value != "sm_"+m[1]+m[2] && o.Value != "compute_"+m[1]+m[2]:
		return fmt.Sprintf("write sm_%[1]s or compute_%[1]s", m[1]+m[2])
	}
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
