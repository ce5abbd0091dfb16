package cache

import (
	"crypto/sha256"
	"time"
)

// Seal puts a header with the right sum before an entry's fields.
func Seal(key Key, body []byte) []byte {
	data := append(Encode(key, &Entry{})[:headerSize], body...)
	sum := sha256.Sum256(data[keyAt:])
	copy(data[sumAt:], sum[:])
	return data
}

// SetTouch sets how old the time of last use may get.
func (d *Disk) SetTouch(age time.Duration) { d.touch = age }

// Abandoned is the age of a file that no living writer has.
const Abandoned = abandoned
