package dl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestMemoryIsWhatTheCallerPointsTo(t *testing.T) {
	require.Nil(t, Memory(0, 0))
	word := new(uint32)
	f := &Func{Go: func(args []uintptr) uintptr {
		copy(Memory(args[0], 4), []byte{1, 1, 1, 1})
		return uintptr(Memory(args[1], 3)[2])
	}}
	text := []byte("abc")
	require.EqualValues(t, 'c', f.Call(uintptr(unsafe.Pointer(word)), uintptr(unsafe.Pointer(&text[0]))))
	require.EqualValues(t, 0x01010101, *word)
}
