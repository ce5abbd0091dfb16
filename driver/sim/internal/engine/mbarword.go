package engine

import "fmt"

// An mbarrierWord is an mbarrier object, 64 bits in shared memory that programs do not look into. From the low end: 20 bits of arrivals
// that its phase still needs, 20 bits of arrivals that a phase needs, 21 bits of bytes that are still to come (signed), the phase, and a
// mark that an object is there. The state that an arrival gives is the word as it was before.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: mbarrier".
type mbarrierWord uint64

const (
	mbarrierMax = 1<<20 - 1
)

// newMbarrier is the word of an object in its first phase.
func newMbarrier(count uint32) mbarrierWord {
	return mbarrierWord(2)<<62 | mbarrierWord(count)<<20 | mbarrierWord(count)
}

func (m mbarrierWord) valid() bool     { return m>>62 == 2 }
func (m mbarrierWord) pending() uint32 { return uint32(m) & mbarrierMax }
func (m mbarrierWord) expected() uint32 {
	return uint32(m>>20) & mbarrierMax
}
func (m mbarrierWord) bytes() int64  { return int64(m<<3) >> 43 }
func (m mbarrierWord) phase() uint64 { return uint64(m) >> 61 & 1 }

// with is m with other counts.
func (m mbarrierWord) with(pending, expected uint32, bytes int64) mbarrierWord {
	return m>>61<<61 | mbarrierWord(bytes)&(1<<21-1)<<40 | mbarrierWord(expected)<<20 | mbarrierWord(pending)
}

// settled is m in its next phase if this one is complete.
func (m mbarrierWord) settled() mbarrierWord {
	if m.pending() > 0 || m.bytes() != 0 {
		return m
	}
	return m.with(m.expected(), m.expected(), 0) ^ 1<<61
}

// arrive is m after count arrivals, of which all coming phases need fewer by drop. It says what is wrong, or nothing.
func (m mbarrierWord) arrive(count, drop uint32) (mbarrierWord, string) {
	switch {
	case count == 0 || count > mbarrierMax:
		return m, fmt.Sprintf("%d arrivals: there can be 1 to %d", count, mbarrierMax)
	case count > m.pending():
		return m, fmt.Sprintf("%d arrivals, where the phase needs %d", count, m.pending())
	case drop > m.expected():
		return m, fmt.Sprintf("%d arrivals to drop, of %d", drop, m.expected())
	}
	return m.with(m.pending()-count, m.expected()-drop, m.bytes()).settled(), ""
}

// expect is m with n more bytes to come, fewer where n is negative.
func (m mbarrierWord) expect(n int64) (mbarrierWord, string) {
	n += m.bytes()
	if n > mbarrierMax || n < -mbarrierMax {
		return m, fmt.Sprintf("%d bytes are to come: the limit is %d", n, mbarrierMax)
	}
	return m.with(m.pending(), m.expected(), n), ""
}
