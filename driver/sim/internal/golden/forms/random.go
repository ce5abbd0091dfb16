package forms

import "hash/fnv"

// A random gives the same numbers for the same name for ever: SplitMix64.
type random uint64

func newRandom(name string) *random {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := random(h.Sum64())
	return &r
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() >> 11 % uint64(n)) }

// one is true once in n times.
func (r *random) one(n int) bool { return r.below(n) == 0 }
