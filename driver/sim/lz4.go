package sim

import (
	"encoding/binary"
	"errors"
)

var errLZ4 = errors.New("no LZ4 block")

// lz4 unpacks an LZ4 block of that size unpacked. What follows the block, as padding, is left.
// See https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md.
func lz4(b []byte, size int) ([]byte, error) {
	out := make([]byte, 0, min(size, 255*len(b)))
	for len(out) < size {
		if len(b) == 0 {
			return nil, errLZ4
		}
		token := b[0]
		literals, rest, ok := lz4Length(int(token>>4), b[1:])
		if !ok || literals > len(rest) || literals > size-len(out) {
			return nil, errLZ4
		}
		out = append(out, rest[:literals]...)
		b = rest[literals:]
		if len(out) == size {
			return out, nil
		}
		if len(b) < 2 {
			return nil, errLZ4
		}
		back := int(binary.LittleEndian.Uint16(b))
		match, rest, ok := lz4Length(int(token&15), b[2:])
		match += 4
		if !ok || back == 0 || back > len(out) || match > size-len(out) {
			return nil, errLZ4
		}
		for range match { // one by one: the end may repeat what it has just written
			out = append(out, out[len(out)-back])
		}
		b = rest
	}
	return out, nil
}

// lz4Length reads the rest of a length, of which the token had room for 15.
func lz4Length(n int, b []byte) (int, []byte, bool) {
	if n < 15 {
		return n, b, true
	}
	for i, c := range b {
		n += int(c)
		if c != 255 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}
