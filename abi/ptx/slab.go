package ptx

// A slab hands out nodes from chunks, because a tree has many small ones and allocating each would be most of a parse's time.
type slab[T any] struct{ free []T }

const slabMax = 1024

func (s *slab[T]) alloc() *T {
	if len(s.free) == cap(s.free) {
		n := min(max(16, 2*cap(s.free)), slabMax)
		s.free = make([]T, 0, n)
	}
	s.free = s.free[:len(s.free)+1]
	return &s.free[len(s.free)-1]
}

// slice copies from into the slab; appending to the result never reaches a neighbour.
func (s *slab[T]) slice(from []T) []T {
	if len(from) == 0 {
		return nil
	}
	if len(from) > slabMax/4 {
		return append(make([]T, 0, len(from)), from...)
	}
	if cap(s.free)-len(s.free) < len(from) {
		s.free = make([]T, 0, min(max(64, 2*cap(s.free), len(from)), slabMax))
	}
	at := len(s.free)
	s.free = append(s.free, from...)
	return s.free[at:len(s.free):len(s.free)]
}
