package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is quoted in a message is shortened; the data of the error are whole.
func TestLongTextsAreClipped(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	const mark = "…(100000 bytes in all)…"
	_, err := ParseSignature(long)
	var bad *SignatureError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, long, bad.Signature)
	require.Equal(t, long, bad.Param)
	for _, err := range []error{
		err,
		&SignatureError{Signature: "int a", Name: long, Param: "int a", Msg: "no"},
		&SignatureError{Signature: "int a", Msg: long},
		&SignatureError{Signature: long, Index: -1, Msg: "no"},
		&LayoutError{Kernel: long, Msg: "no"},
		&LayoutError{Kernel: "k", Name: long, Index: -1, Msg: long},
		&ArgumentError{Kernel: long, Name: "x", Want: "float", Got: "int", Msg: "no"},
		&ArgumentError{Kernel: "k", Want: long, Got: "int", Msg: "no"},
		&CountError{Kernel: "k", Want: 1, Signature: long},
	} {
		require.Contains(t, err.Error(), mark)
		require.Less(t, len(err.Error()), 5000)
		require.True(t, strings.ToValidUTF8(err.Error(), "?") == err.Error())
	}
	require.Equal(t, strings.Repeat("x", 512), clip(strings.Repeat("x", 512)))
}
