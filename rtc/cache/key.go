package cache

import (
	"bytes"
	"encoding/hex"
	"fmt"
)

// A Key names an entry: the SHA-256 of everything that decides what the
// compiler makes. Package rtc/compile makes them.
type Key [32]byte

// String is the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey reads what String writes.
func ParseKey(text string) (Key, error) {
	var k Key
	if len(text) != 2*len(k) {
		return Key{}, fmt.Errorf("cache: parse key: %q is not 64 hexadecimal digits", text)
	}
	if _, err := hex.Decode(k[:], []byte(text)); err != nil {
		return Key{}, fmt.Errorf("cache: parse key: %q: %w", text, err)
	}
	return k, nil
}

func (k Key) compare(o Key) int { return bytes.Compare(k[:], o[:]) }
