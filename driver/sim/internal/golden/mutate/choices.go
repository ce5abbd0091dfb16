package mutate

import "github.com/purecuda/purecuda/driver/sim/internal/golden"

// Choices decide what is changed: the bytes that a fuzzer gives, and when they are used up others made of them.
//
// Not safe for concurrent use.
type Choices struct {
	bytes []byte
	more  *golden.Dice
}

// NewChoices makes choices of bytes.
func NewChoices(b []byte) *Choices { return &Choices{b, golden.NewDice(string(b))} }

// below is a number from 0 to n-1, n at most 65536.
func (c *Choices) below(n int) int {
	if n <= 1 {
		return 0
	}
	if len(c.bytes) == 0 {
		return c.more.Below(n)
	}
	v := int(c.bytes[0])
	c.bytes = c.bytes[1:]
	if n > 256 && len(c.bytes) > 0 {
		v = v<<8 | int(c.bytes[0])
		c.bytes = c.bytes[1:]
	}
	return v % n
}

func pick[T any](c *Choices, of []T) T { return of[c.below(len(of))] }

// numbers are those at which something may break.
var numbers = []int64{0, 1, -1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 1023, 1024, 4095, 65535, 65536, 1 << 20, 1 << 24, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40, 1<<63 - 1, -1 << 63, -4, -8, -128, -32768, -1 << 31}
