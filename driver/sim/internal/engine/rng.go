package engine

// An rng is a SplitMix64 generator (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (r *rng) below(n int) int { return int(r.next() % uint64(n)) }
