package golden

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Key tells questions apart: it is made of the text that ran and of what it ran on.
//
// Safe for concurrent use.
func Key(text string, parts ...[]byte) string {
	h := sha256.New()
	for _, p := range append([][]byte{[]byte(text)}, parts...) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
