package nvrtc

import "strings"

// Names of types that C++ has under other names, or CUDA C++ not at all.
var otherTypes = map[string]string{
	"uint": "unsigned int", "ushort": "unsigned short", "uchar": "unsigned char", "ulong": "unsigned long",
	"float32": "float", "float64": "double", "float16": "__half, of cuda_fp16.h", "bfloat16": "__nv_bfloat16, of cuda_bf16.h",
	"float16_t": "__half, of cuda_fp16.h", "bfloat16_t": "__nv_bfloat16, of cuda_bf16.h",
	"int8": "signed char", "int16": "short", "int32": "int", "int64": "long long", "byte": "unsigned char",
	"uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
	"string": "const char *", "boolean": "bool", "real": "float or double",
}

// Built-in variables, by their names without case and underscores.
var builtinVariables = map[string]string{
	"threadidx": "threadIdx", "blockidx": "blockIdx", "blockdim": "blockDim", "griddim": "gridDim", "warpsize": "warpSize",
	"blocksize": "blockDim", "gridsize": "gridDim", "threadid": "threadIdx", "blockid": "blockIdx",
}

var warpFunctions = pattern(`^__(?:shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot)$`)

// identifier is for a name that the compiler doesn't know.
func (h *hinting) identifier(m []string) string {
	name := m[1]
	if t := otherTypes[name]; t != "" {
		return name + " is no type here: write " + t
	}
	if v := builtinVariables[strings.ToLower(strings.ReplaceAll(name, "_", ""))]; v != "" {
		return "it is spelled " + v
	}
	switch {
	case warpFunctions().MatchString(name):
		return name + " is gone from compute_70 on: write " + name + "_sync, whose first argument is the mask of the threads that take part, such as 0xffffffff"
	case strings.HasPrefix(name, "cuda") && len(name) > 4 && name[4] >= 'A' && name[4] <= 'Z':
		return hostAPI(name)
	case name == "NULL":
		return "write nullptr"
	case name == "package" || name == "func" || name == "import":
		return "that is Go; the source must be CUDA C++"
	}
	return ""
}

func hostAPI(name string) string {
	return name + " is for code of the host, and NVRTC compiles for the device only: leave it out"
}
