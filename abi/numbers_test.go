package abi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckNumbers(t *testing.T) {
	const u, i, f = UnknownNumber, IntegerNumber, FloatingNumber
	for _, c := range []struct {
		signature string
		numbers   []Number
		wrong     string
	}{
		{"float a, int b, double c, const float *x", []Number{f, i, f, i}, ""},
		{"float a, int b, double c, const float *x", nil, ""},
		{"float a, int b, double c, const float *x", []Number{u, u, u, u}, ""},
		{"bool a, char b, size_t c, enum E d, __half e, float4 f, struct S g", []Number{i, i, i, i, i, u, u}, ""},
		{"int a", []Number{f}, "kernel k: argument 0 (a): signature says int, the compiled kernel takes a floating-point number"},
		{"int n, float a", []Number{i, i}, "argument 1 (a): signature says float, the compiled kernel takes an integer or a pointer"},
		{"double *x", []Number{f}, "argument 0 (x)"},
		{"enum E e", []Number{f}, "argument 0 (e)"},
		{"bool b", []Number{f}, "argument 0 (b)"},
	} {
		s, err := ParseSignature(c.signature)
		require.NoError(t, err)
		err = s.CheckNumbers("k", c.numbers)
		if c.wrong == "" {
			assert.NoError(t, err, c.signature)
			continue
		}
		assert.ErrorContains(t, err, c.wrong, c.signature)
	}
}
