package abi

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	meters   float32
	flag     bool
	mode     uint8
	halfLike Half
)

func TestDTypeOf(t *testing.T) {
	for _, c := range []struct {
		got, want DType
	}{
		{DTypeOf[float32](), Float32}, {DTypeOf[float64](), Float64}, {DTypeOf[Half](), Float16}, {DTypeOf[BFloat16](), BF16},
		{DTypeOf[E4M3](), Float8E4M3}, {DTypeOf[E5M2](), Float8E5M2}, {DTypeOf[bool](), Bool},
		{DTypeOf[int8](), Int8}, {DTypeOf[int16](), Int16}, {DTypeOf[int32](), Int32}, {DTypeOf[rune](), Int32}, {DTypeOf[int64](), Int64},
		{DTypeOf[uint8](), Uint8}, {DTypeOf[byte](), Uint8}, {DTypeOf[uint16](), Uint16}, {DTypeOf[uint32](), Uint32}, {DTypeOf[uint64](), Uint64},
		{DTypeOf[complex64](), Complex64}, {DTypeOf[complex128](), Complex128}, {DTypeOf[Addr](), Uint64},
		{DTypeOf[meters](), Float32}, {DTypeOf[flag](), Bool}, {DTypeOf[mode](), Uint8}, {DTypeOf[halfLike](), Uint16},
		{DTypeOf[string](), Invalid}, {DTypeOf[*int](), Invalid}, {DTypeOf[any](), Invalid}, {DTypeOf[struct{}](), Invalid}, {DTypeOf[[2]int32](), Invalid},
		{DTypeOfType(nil), Invalid},
	} {
		require.Equal(t, c.want, c.got)
	}
	require.Equal(t, reflect.TypeFor[int]().Size(), uintptr(DTypeOf[int]().Size()))
	require.Equal(t, reflect.TypeFor[uint]().Size(), uintptr(DTypeOf[uint]().Size()))
}

func TestDTypeNames(t *testing.T) {
	seen := map[string]bool{}
	for d := Bool; d.Valid(); d++ {
		require.NotEmpty(t, d.String())
		require.False(t, seen[d.String()], d)
		seen[d.String()] = true
		back, err := ParseDType(d.String())
		require.NoError(t, err)
		require.Equal(t, d, back)

		// The C name is a type of the same size that takes arrays of d.
		c := lookup(d.CName())
		require.NotNil(t, c, d.CName())
		require.Equal(t, d.Size(), c.Size(Host))
		require.True(t, c.Accepts(d), d)
	}
	require.Equal(t, 18, int(Complex128)+1)
	require.Equal(t, "DType(200)", DType(200).String())
	require.Equal(t, "invalid", Invalid.String())
	require.Equal(t, "void", Invalid.CName())
	require.Zero(t, Invalid.Size())
	require.False(t, Invalid.Valid())
	_, err := ParseDType("invalid")
	require.EqualError(t, err, `abi: parse dtype: unknown element type "invalid"`)
}

func TestDataModel(t *testing.T) {
	require.Equal(t, runtime.GOOS == "windows", HostModel() == LLP64)
	require.Equal(t, []string{"host", "LP64", "LLP64", "host"}, []string{Host.String(), LP64.String(), LLP64.String(), DataModel(9).String()})
	require.Equal(t, HostModel(), DataModel(9).resolve())
}

func TestAccepts(t *testing.T) {
	long, ulong := Int64, Uint64
	if HostModel() == LLP64 {
		long, ulong = Int32, Uint32
	}
	all := []DType{}
	for d := Bool; d.Valid(); d++ {
		all = append(all, d)
	}
	for c, want := range map[string][]DType{
		"float":                      {Float32},
		"double":                     {Float64},
		"__half":                     {Float16},
		"__nv_bfloat16":              {BF16},
		"__nv_fp8_e4m3":              {Float8E4M3},
		"bool":                       {Bool},
		"char":                       {Int8, Uint8},
		"signed char":                {Int8},
		"int8_t":                     {Int8},
		"unsigned char":              {Bool, Uint8},
		"uint8_t":                    {Bool, Uint8},
		"int":                        {Int32},
		"unsigned":                   {Uint32},
		"long":                       {long},
		"unsigned long":              {ulong},
		"long long":                  {Int64},
		"int64_t":                    {Int64},
		"size_t":                     {Uint64},
		"unsigned short":             {Uint16},
		"float4":                     {Float32},
		"float2":                     {Float32, Complex64},
		"cuFloatComplex":             {Float32, Complex64},
		"cuDoubleComplex":            {Float64, Complex128},
		"double3":                    {Float64},
		"int2":                       {Int32},
		"__half2":                    {Float16},
		"cuda::std::complex<float>":  {Float32, Complex64},
		"cuda::std::complex<double>": {Float64, Complex128},
		"float *":                    {Uint64},
		"void *":                     {Uint64},
		"void":                       all,
		"struct P":                   all,
		"enum E":                     {Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64},
	} {
		sig := mustParse(t, "const "+c+" *x")
		elem := sig.Params[0].Type.Elem
		var got []DType
		for _, d := range all {
			if elem.Accepts(d) {
				got = append(got, d)
			}
		}
		require.Equal(t, want, got, c)
		require.True(t, elem.Accepts(Invalid), c)
		require.False(t, elem.Accepts(DType(77)), c)
	}
}
