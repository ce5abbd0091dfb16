package compile

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/purecuda/purecuda/rtc/cache"
)

// fields are what a key is made of: each with its label and the number of its
// values, each value with its length, so that no two lists are written alike.
type fields struct {
	h   hash.Hash
	buf []byte
}

func newFields() *fields { return &fields{h: sha256.New(), buf: make([]byte, 0, 512)} }

func (f *fields) add(label string, values ...string) {
	f.text(label)
	f.number(len(values))
	for _, v := range values {
		f.text(v)
	}
}

func (f *fields) number(n int) {
	f.buf = binary.AppendUvarint(f.buf, uint64(n))
}

func (f *fields) text(s string) {
	f.number(len(s))
	for {
		n := min(len(s), cap(f.buf)-len(f.buf))
		f.buf = append(f.buf, s[:n]...)
		if s = s[n:]; s == "" {
			return
		}
		f.flush()
	}
}

func (f *fields) flush() {
	f.h.Write(f.buf)
	f.buf = f.buf[:0]
}

func (f *fields) key() cache.Key {
	f.flush()
	var k cache.Key
	f.h.Sum(k[:0])
	return k
}
