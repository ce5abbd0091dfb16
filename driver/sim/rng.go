package sim

// An rng is a SplitMix64 generator (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
type rng uint64

// below is a number from 0 to n-1.
func (r *rng) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}
