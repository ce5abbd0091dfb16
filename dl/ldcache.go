package dl

import (
	"bytes"
	"encoding/binary"
)

// cachedFiles lists the files in an ld.so.cache, which says where glibc's
// loader finds what the configured folders hold. Another format, or a damaged
// cache, gives what could be read.
//
// The format since glibc 2.2: a header of 48 bytes, then for each library 24
// bytes, of which the words at 4 and 8 are the offsets of its name and its
// path, counted from the header. An older table may stand before it.
func cachedFiles(cache []byte) []string {
	const magic, header, entry, longest = "glibc-ld.so.cache1.1", 48, 24, 4096
	start := bytes.Index(cache, []byte(magic))
	if start < 0 || len(cache)-start < header {
		return nil
	}
	cache = cache[start:]
	var order binary.ByteOrder = binary.LittleEndian
	n := uint64(order.Uint32(cache[len(magic):]))
	var out []string
	for i := range n {
		at := header + i*entry
		if at+entry > uint64(len(cache)) {
			break
		}
		path := uint64(order.Uint32(cache[at+8:]))
		if path >= uint64(len(cache)) {
			continue
		}
		text, _, ended := bytes.Cut(cache[path:min(path+longest, uint64(len(cache)))], []byte{0})
		if ended && len(text) > 0 && text[0] == '/' {
			out = append(out, string(text))
		}
	}
	return out
}
