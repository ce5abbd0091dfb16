package graph

import (
	"fmt"
	"math"
	"reflect"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// FillWith adds the filling of an array with a value of its type. Where a value of
// eight or sixteen bytes does not repeat its first four, the graph keeps an array
// of it to copy from.
func FillWith[T rtc.Element](g *Graph, a *rtc.Array, v T) (*Node, error) {
	n, err := g.fill(a, abi.DTypeOf[T](), words(reflect.ValueOf(v)), func() (*rtc.Array, error) { return rtc.Full(a.Device(), v, a.Shape()...) })
	if err != nil {
		return nil, fmt.Errorf("graph: add fill: %w", err)
	}
	return g.join(n, "fill")
}

// words is the memory of a value, four bytes each, the last padded with zeros.
func words(v reflect.Value) []uint32 {
	split := func(w uint64, size uintptr) []uint32 {
		if size == 8 {
			return []uint32{uint32(w), uint32(w >> 32)}
		}
		return []uint32{uint32(w << (64 - 8*size) >> (64 - 8*size))}
	}
	switch {
	case v.CanInt():
		return split(uint64(v.Int()), v.Type().Size())
	case v.CanUint():
		return split(v.Uint(), v.Type().Size())
	case v.CanComplex():
		half := reflect.TypeFor[float32]()
		if v.Type().Size() == 16 {
			half = reflect.TypeFor[float64]()
		}
		c := v.Complex()
		return append(words(reflect.ValueOf(real(c)).Convert(half)), words(reflect.ValueOf(imag(c)).Convert(half))...)
	case v.CanFloat() && v.Type().Size() == 4:
		return []uint32{math.Float32bits(float32(v.Float()))}
	case v.CanFloat():
		return split(math.Float64bits(v.Float()), 8)
	case v.Bool():
		return []uint32{1}
	}
	return []uint32{0}
}

func (g *Graph) fill(a *rtc.Array, t rtc.DType, value []uint32, full func() (*rtc.Array, error)) (*Node, error) {
	if err := g.usable(); err != nil {
		return nil, err
	}
	to, err := g.place(a)
	if err != nil {
		return nil, err
	}
	if t != to.DType {
		return nil, fmt.Errorf("%s does not hold %v", to.Name, t)
	}
	n := &Node{kind: Fill, on: to.Device, writes: []rtc.Copyable{a}}
	if to.Len == 0 {
		n.nothing()
		return n, nil
	}
	for _, w := range value {
		if w != value[0] {
			if n.own, err = full(); err != nil {
				return nil, because(err)
			}
			copied, err := g.copy(a, n.own)
			if err != nil {
				_ = n.close() // the first error is the one that counts
				return nil, err
			}
			n.reads, n.enqueue, n.add = copied.reads, copied.enqueue, copied.add
			return n, nil
		}
	}
	size := min(to.DType.Size(), 4)
	count := uint64(to.Bytes / size)
	n.enqueue = func(s *driver.Stream) error {
		switch size {
		case 1:
			return s.Memset8(to.Pointer, uint8(value[0]), count)
		case 2:
			return s.Memset16(to.Pointer, uint16(value[0]), count)
		}
		return s.Memset32(to.Pointer, value[0], count)
	}
	n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
		return dg.In(to.Device.Context()).AddMemset(to.Pointer, value[0], size, count, after...)
	}
	return n, nil
}
