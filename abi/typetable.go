package abi

import (
	"slices"
	"strconv"
	"strings"
)

// A row of the type table: one type, its names (the first is the one printed), and
// its number. llp64 is left out where it is the same.
type typeRow struct {
	names       []string
	lp64, llp64 DType
	lanes       int
	align       int
	loose       bool
}

// rows lists every type that has a name of its own but the vectors that are
// built by rule (vectorBases).
var rows = []typeRow{
	{names: []string{"bool", "_Bool"}, lp64: Bool},
	{names: []string{"char"}, lp64: Int8},
	{names: []string{"signed char"}, lp64: Int8},
	{names: []string{"unsigned char", "uchar"}, lp64: Uint8},
	{names: []string{"short"}, lp64: Int16},
	{names: []string{"unsigned short", "ushort"}, lp64: Uint16},
	{names: []string{"int"}, lp64: Int32},
	{names: []string{"unsigned int", "uint"}, lp64: Uint32},
	{names: []string{"long"}, lp64: Int64, llp64: Int32},
	{names: []string{"unsigned long", "ulong"}, lp64: Uint64, llp64: Uint32},
	{names: []string{"long long"}, lp64: Int64},
	{names: []string{"unsigned long long"}, lp64: Uint64},
	{names: []string{"int8_t"}, lp64: Int8},
	{names: []string{"int16_t"}, lp64: Int16},
	{names: []string{"int32_t"}, lp64: Int32},
	{names: []string{"int64_t"}, lp64: Int64},
	{names: []string{"uint8_t"}, lp64: Uint8},
	{names: []string{"uint16_t"}, lp64: Uint16},
	{names: []string{"uint32_t"}, lp64: Uint32},
	{names: []string{"uint64_t"}, lp64: Uint64},
	{names: []string{"size_t"}, lp64: Uint64},
	{names: []string{"ptrdiff_t"}, lp64: Int64},
	{names: []string{"intptr_t"}, lp64: Int64},
	{names: []string{"uintptr_t"}, lp64: Uint64},
	{names: []string{"char8_t"}, lp64: Uint8},
	{names: []string{"char16_t"}, lp64: Uint16},
	{names: []string{"char32_t"}, lp64: Uint32},
	{names: []string{"wchar_t"}, lp64: Int32, llp64: Uint16},
	{names: []string{"cudaTextureObject_t"}, lp64: Uint64},
	{names: []string{"cudaSurfaceObject_t"}, lp64: Uint64},
	{names: []string{"CUdeviceptr"}, lp64: Uint64},

	{names: []string{"float"}, lp64: Float32},
	{names: []string{"double"}, lp64: Float64},
	{names: []string{"__half", "half"}, lp64: Float16},
	{names: []string{"__nv_bfloat16", "nv_bfloat16"}, lp64: BF16},
	{names: []string{"__nv_fp8_e4m3"}, lp64: Float8E4M3},
	{names: []string{"__nv_fp8_e5m2"}, lp64: Float8E5M2},
	{names: []string{"cuda::std::complex<float>"}, lp64: Complex64, align: 8, loose: true},
	{names: []string{"cuda::std::complex<double>"}, lp64: Complex128, align: 16, loose: true},
	{names: []string{"thrust::complex<float>"}, lp64: Complex64, align: 8, loose: true},
	{names: []string{"thrust::complex<double>"}, lp64: Complex128, align: 16, loose: true},

	{names: []string{"cuFloatComplex", "cuComplex"}, lp64: Float32, lanes: 2},
	{names: []string{"cuDoubleComplex"}, lp64: Float64, lanes: 2},
	{names: []string{"__half2", "half2"}, lp64: Float16, lanes: 2},
	{names: []string{"__nv_bfloat162", "nv_bfloat162"}, lp64: BF16, lanes: 2},
	{names: []string{"__nv_fp8x2_e4m3"}, lp64: Float8E4M3, lanes: 2},
	{names: []string{"__nv_fp8x4_e4m3"}, lp64: Float8E4M3, lanes: 4},
	{names: []string{"__nv_fp8x2_e5m2"}, lp64: Float8E5M2, lanes: 2},
	{names: []string{"__nv_fp8x4_e5m2"}, lp64: Float8E5M2, lanes: 4},
	{names: []string{"dim3"}, lp64: Uint32, lanes: 3},
}

// vectorBases are the bases of CUDA's vector types, which take 1 to 4 lanes. The
// four-lane types of 8-byte numbers have, since CUDA 13.0, forms with their
// alignment in the name: double4_16a, double4_32a.
var vectorBases = []typeRow{
	{names: []string{"char"}, lp64: Int8},
	{names: []string{"uchar"}, lp64: Uint8},
	{names: []string{"short"}, lp64: Int16},
	{names: []string{"ushort"}, lp64: Uint16},
	{names: []string{"int"}, lp64: Int32},
	{names: []string{"uint"}, lp64: Uint32},
	{names: []string{"long"}, lp64: Int64, llp64: Int32},
	{names: []string{"ulong"}, lp64: Uint64, llp64: Uint32},
	{names: []string{"longlong"}, lp64: Int64},
	{names: []string{"ulonglong"}, lp64: Uint64},
	{names: []string{"float"}, lp64: Float32},
	{names: []string{"double"}, lp64: Float64},
}

// types is the type table by every name in it; typeList is the text for errors.
var types, typeList = buildTypes()

func buildTypes() (map[string]Type, string) {
	table := map[string]Type{"void": {}}
	var list []string
	add := func(r typeRow) {
		t := Type{Kind: Scalar, Name: r.names[0], Lanes: r.lanes, lp64: r.lp64, llp64: r.llp64, align: r.align, loose: r.loose}
		if t.llp64 == Invalid {
			t.llp64 = t.lp64
		}
		if r.lanes > 0 {
			t.Kind = Vector
		}
		for _, name := range r.names {
			table[name] = t
		}
	}
	for _, r := range rows {
		add(r)
		list = append(list, r.names...)
	}
	slices.Sort(list)
	var bases []string
	for _, base := range vectorBases {
		name := base.names[0]
		bases = append(bases, name)
		for lanes := 1; lanes <= 4; lanes++ {
			r := base
			r.names, r.lanes = []string{name + strconv.Itoa(lanes)}, lanes
			add(r)
		}
		if base.lp64.Size() == 8 {
			for _, align := range []int{16, 32} {
				r := base
				r.names, r.lanes, r.align = []string{name + "4_" + strconv.Itoa(align) + "a"}, 4, align
				add(r)
			}
		}
	}
	text := strings.Join(list, ", ") + "; vectors of 1 to 4 lanes, such as float4, of " + strings.Join(bases, ", ")
	return table, text
}
