package nvrtc

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

const stdintHint = `NVRTC has no headers of the C library: give a header of your own in memory (Headers: "stdint.h" with the typedefs that you use), include <cuda/std/cstdint> from CUDA's headers, or write unsigned int and the like`

var (
	cHeaders      = pattern(`^(?:stdint|inttypes|stddef|limits|float|math|stdlib|string|stdio|assert|stdbool|time|errno|ctype|complex|stdarg)\.h$`)
	cxxHeaders    = pattern(`^(?:algorithm|any|array|atomic|bit|bitset|c[a-z]{3,9}|chrono|complex|concepts|deque|exception|functional|initializer_list|iostream|iterator|limits|list|map|memory|mutex|numeric|optional|queue|random|ratio|set|span|sstream|stdexcept|string|string_view|thread|tuple|type_traits|unordered_map|utility|variant|vector)$`)
	deviceHeaders = pattern(`^(?:array|atomic|bit|cassert|cfloat|chrono|climits|cmath|complex|concepts|cstddef|cstdint|functional|initializer_list|iterator|limits|numeric|optional|ratio|span|tuple|type_traits|utility|variant)$`) // that are in cuda/std
	libcInside    = pattern(`^(?:bits|sys|gnu|asm|linux)/|^features(?:-time64)?\.h$`)
	hostCUDA      = pattern(`^(?:cuda_runtime|device_launch_parameters|cuda_runtime_api|device_functions|math_functions)\.h$|^cuda\.h$`)
	coreLibraries = pattern(`^(?:cub|thrust|cuda|nv)/`)
	hostLibraries = pattern(`^(?:cublas(?:_v2|Lt|_api)?|cufft(?:w|Xt)?|cusparse|cusolver\w*|cudnn\w*|nccl|nvrtc|nvml|cuda_profiler_api|helper_\w+)\.h$`)
	cudaFiles     = pattern(`^(?:cuda_|cooperative_groups|curand|mma\.h|math_constants\.h|crt/|cuda/|cub/|thrust/|nv/|vector_types\.h|vector_functions\.h|driver_types\.h|builtin_types\.h|cuComplex\.h|sm_\d|texture_|surface_|device_atomic|library_types\.h|cudaTypedefs)`)
)

// header is for a file that could not be opened.
func (h *hinting) header(m []string) string {
	name := m[1]
	base := path.Base(name)
	alike := slices.DeleteFunc(slices.Clone(h.p.headers), func(have string) bool { return have == name || path.Base(have) != base })
	switch {
	case len(alike) > 0:
		return fmt.Sprintf("headers in memory are found by the very text of the #include: there is none %q, but %s", name, someQuoted(alike))
	case libcInside().MatchString(name):
		return "the headers of the C library can't be compiled by NVRTC: take their folder (-I/usr/include) out of the options; " + stdintHint
	case name == "stdint.h" || name == "inttypes.h" || name == "cstdint":
		return stdintHint
	case cHeaders().MatchString(name):
		return "NVRTC has no headers of the C library; printf, assert, malloc, memcpy and the mathematical functions are built in: leave the #include out"
	case hostCUDA().MatchString(name):
		return "what kernels need of " + name + " is built into NVRTC: leave the #include out"
	case hostLibraries().MatchString(name):
		return name + " is for code of the host, and NVRTC compiles for the device only: leave the #include out"
	case cxxHeaders().MatchString(name) && !deviceHeaders().MatchString(name):
		return "NVRTC has no headers of the C++ library, and <" + name + "> is for code of the host: leave the #include out; printf and the mathematical functions are built in"
	case cxxHeaders().MatchString(name):
		return "NVRTC has no headers of the C++ library; CUDA's core libraries have their own of some, such as <cuda/std/" + name + ">, and the mathematical functions are built in"
	}
	if bad := h.badFolder(); bad != "" {
		return bad
	}
	if cudaFiles().MatchString(name) {
		return h.cudaHeader(name)
	}
	memory := "in memory"
	if len(h.p.headers) > 0 {
		memory += " (" + someQuoted(h.p.headers) + ")"
	}
	return "a header is looked for " + memory + `, then, for #include "…", in the folder of the program's name (the working directory, if that has none), then in the -I folders`
}

// someQuoted are the first names of a list.
func someQuoted(names []string) string {
	const most = 5
	s := quoted(names[:min(most, len(names))])
	if len(names) > most {
		s += fmt.Sprintf(" … (%d in all)", len(names))
	}
	return s
}

// badFolder is for an -I that names no folder.
func (h *hinting) badFolder() string {
	for _, o := range ParseOptions(h.Options) {
		switch {
		case o.Name != "--include-path" || !o.Has:
		case strings.ContainsAny(o.Value, `"'`) && isDir(strings.Trim(o.Value, `"'`)):
			return fmt.Sprintf("options[%d] %s has quotes, which belong to the folder's name here, where no shell takes them off: leave them out", o.Index, quoted(o.Args))
		case !isDir(o.Value):
			return fmt.Sprintf("options[%d] %s: there is no folder %q", o.Index, quoted(o.Args), o.Value)
		}
	}
	return ""
}

// cudaHeader is for one of CUDA's own headers.
func (h *hinting) cudaHeader(name string) string {
	dirs, err := h.p.c.IncludeDirs()
	if err != nil {
		s := fmt.Sprintf("%s is one of CUDA's headers, and those of CUDA %s are not where this NVRTC is: install them from where it came%s, or give their folder with -I", name, h.Version, h.packages(name))
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

// packages are those that have the header, in the version of this NVRTC.
func (h *hinting) packages(name string) string {
	var all []string
	v := h.Version
	if strings.HasPrefix(h.Path, "/") && !strings.Contains(h.Path, "-packages/") {
		all = append(all, "Debian and Ubuntu: nvidia-cuda-dev, if it is of this version")
	}
	if v.AtLeast(11, 8) {
		wheel, pin := "nvidia-cuda-runtime", fmt.Sprintf("==%s.*", v)
		switch {
		case strings.HasPrefix(name, "crt/") && v.AtLeast(13, 0):
			wheel = "nvidia-cuda-crt"
		case strings.HasPrefix(name, "crt/"):
			wheel = "nvidia-cuda-nvcc"
		case strings.HasPrefix(name, "curand"):
			wheel, pin = "nvidia-curand", "" // which counts otherwise
		case coreLibraries().MatchString(name):
			wheel = "nvidia-cuda-cccl"
		}
		if !v.AtLeast(13, 0) {
			wheel += fmt.Sprintf("-cu%d", v.Major)
		}
		all = append(all, fmt.Sprintf("pip: %q", wheel+pin))
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}
