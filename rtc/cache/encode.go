package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
)

// An entry in bytes, numbers little endian, each text and count with 4 bytes of
// length before it:
//
//	magic     8
//	version   4
//	SHA-256  32   of all that follows
//	key      32
//	kind      1
//	arch, compiler, log, image, PTX
//	lowered names, signatures: a count, then names and values in the order of the names
//
// There is one way to write an entry, and nothing else is read.
const (
	magic      = "\x89purcu\r\n" // a transfer as text would change it
	version    = 1
	sumAt      = len(magic) + 4
	keyAt      = sumAt + sha256.Size
	headerSize = keyAt + len(Key{})
)

// Encode returns an entry as Disk and other stores keep it; nothing for nil.
func Encode(key Key, e *Entry) []byte {
	if e == nil {
		return nil
	}
	size := headerSize + 1 + 7*4 + len(e.Arch) + len(e.Compiler) + len(e.Log) + len(e.Image) + len(e.PTX)
	for _, m := range []map[string]string{e.Lowered, e.Signatures} {
		for k, v := range m {
			size += 8 + len(k) + len(v)
		}
	}
	b := make([]byte, keyAt, size)
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[len(magic):], version)
	b = append(b, key[:]...)
	b = append(b, byte(e.Kind))
	b = appendText(b, e.Arch)
	b = appendText(b, e.Compiler)
	b = appendText(b, e.Log)
	b = appendText(b, e.Image)
	b = appendText(b, e.PTX)
	b = appendMap(b, e.Lowered)
	b = appendMap(b, e.Signatures)
	sum := sha256.Sum256(b[keyAt:])
	copy(b[sumAt:], sum[:])
	return b
}

func appendText[T ~string | ~[]byte](b []byte, s T) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func appendMap(b []byte, m map[string]string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m)))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b = appendText(appendText(b, k), m[k])
	}
	return b
}

// Decode reads what Encode wrote for key, or returns a *DamagedError. The
// entry's Image and PTX are parts of data.
func Decode(key Key, data []byte) (*Entry, error) {
	if reason := checkHeader(key, data); reason != "" {
		return nil, &DamagedError{Key: key, Reason: reason}
	}
	if sum := sha256.Sum256(data[keyAt:]); !bytes.Equal(sum[:], data[sumAt:keyAt]) {
		return nil, &DamagedError{Key: key, Reason: "its SHA-256 does not match: it was changed or cut short"}
	}
	r := reader{rest: data[headerSize:]}
	e := &Entry{Kind: Kind(r.take(1)[0])}
	e.Arch, e.Compiler, e.Log = string(r.text()), string(r.text()), string(r.text())
	e.Image, e.PTX = r.text(), r.text()
	e.Lowered, e.Signatures = r.texts(), r.texts()
	if r.bad || len(r.rest) > 0 {
		return nil, &DamagedError{Key: key, Reason: "its lengths do not add up"}
	}
	return e, nil
}

// checkHeader says what is wrong with data before its sum is looked at, or "".
func checkHeader(key Key, data []byte) string {
	switch {
	case len(data) < headerSize:
		return "it is cut short"
	case string(data[:len(magic)]) != magic:
		return "it is no entry of this cache"
	case binary.LittleEndian.Uint32(data[len(magic):]) != version:
		return "it is of another version of the format"
	case !bytes.Equal(data[keyAt:headerSize], key[:]):
		return "it belongs to another key"
	}
	return ""
}

// A reader takes an entry apart. After a fault it gives nothing.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return make([]byte, min(n, 4))
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) text() []byte {
	n := int64(binary.LittleEndian.Uint32(r.take(4)))
	if r.bad || n > int64(len(r.rest)) {
		r.bad = true
		return nil
	}
	if n == 0 {
		return nil
	}
	return r.take(int(n))
}

func (r *reader) texts() map[string]string {
	n := int64(binary.LittleEndian.Uint32(r.take(4)))
	if r.bad || n*8 > int64(len(r.rest)) { // so that a wrong count can't ask for memory
		r.bad = true
		return nil
	}
	if n == 0 {
		return nil
	}
	m := make(map[string]string, n)
	last := ""
	for i := range n {
		k, v := string(r.text()), string(r.text())
		if r.bad || (i > 0 && k <= last) {
			r.bad = true
			return nil
		}
		m[k], last = v, k
	}
	return m
}
