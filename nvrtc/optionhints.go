package nvrtc

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What options of nvcc and of other compilers are called here.
var foreignOptions = []hint{
	{pattern(`^$`), always("the element is empty")},
	{pattern(`^-+$`), always("the element is no option")},
	{pattern(`^-O\d?$|^--optimize`), always("NVRTC always optimises; -G turns that off, and --ptxas-options=-O1 is for ptxas (CUDA 11.3 and an sm_ architecture)")},
	{pattern(`^-g\d?$|^--debug$`), always("debug information is -G (--device-debug), line numbers alone -lineinfo")},
	{pattern(`^-v$|^--verbose$`), always("registers and memory of each kernel are shown by --ptxas-options=-v (CUDA 11.3 and an sm_ architecture)")},
	{pattern(`^--?expt-relaxed-constexpr$`), always("NVRTC needs no such permission: leave it out")},
	{pattern(`^--?(?:expt-)?extended-lambda$`), always("NVRTC compiles device code only, where lambdas need no permission: leave it out")},
	{pattern(`^-gencode\b|^--generate-code\b|^-code\b|^--gpu-code\b|^--arch\b|^--gpu-arch\b`), always("NVRTC compiles for one architecture: --gpu-architecture=compute_70 or sm_70")},
	{pattern(`^-std$|^--std$`), always("its value stands in the same element: -std=c++17")},
	{pattern(`^-X(?:compiler|linker|archive|cudafe|nvlink)|^--(?:compiler|linker|cudafe)-options?|^-ccbin\b|^--compiler-bindir\b`), always("NVRTC calls no host compiler and no linker")},
	{pattern(`^-(?:c|ptx|cubin|fatbin|x|o|E|M|l.*|L.*|shared|m64|m32)$|^--(?:ptx|cubin|fatbin|compile|link|output-file|library.*|machine.*|x)\b`), always("NVRTC compiles a text to memory: what it makes follows from the architecture, and there are no files and no linking")},
	{pattern(`^--?march=(?:sm|compute)_`), always("the option is called -arch")},
	{pattern(`^-W|^-f(?:PIC|no-)|^-march|^-m(?:arch|tune)`), always("that is an option for a host compiler")},
	{pattern(`^([‐‑‒–—―−])`), func(_ *hinting, m []string) string {
		r, _ := utf8.DecodeRuneInString(m[1])
		return fmt.Sprintf("it begins with %c (U+%04X), a dash of a web page or a document: write - or --", r, r)
	}},
	{pattern(`^[^-]`), always("an option begins with -; if it is the value of the element before it, that option wants name=value in one element")},
}

// option is for an element that NVRTC calls an unrecognized option.
func (h *hinting) option(m []string) string {
	element := m[1]
	if s := h.packed(); s != "" {
		return s
	}
	if first, rest, ok := strings.Cut(element, " "); ok && optionByName[first] != nil {
		switch optionByName[first].kind {
		case equalsOption:
			return fmt.Sprintf("options are elements of a list, with = before the value: %q", first+"="+strings.TrimSpace(rest))
		case flagOption:
			return fmt.Sprintf("options are elements of a list, and %s takes no value", first)
		}
		return fmt.Sprintf("options are elements of a list: %q, %q or %q", first, strings.TrimSpace(rest), first+"="+strings.TrimSpace(rest))
	}
	for _, row := range foreignOptions {
		if found := row.pattern().FindStringSubmatch(element); found != nil {
			return row.says(h, found)
		}
	}
	name, _, _ := strings.Cut(element, "=")
	if optionByName[name] != nil {
		return fmt.Sprintf("it is an option of other versions; this NVRTC is %s", h.Version)
	}
	return ""
}
