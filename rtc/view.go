package rtc

import "fmt"

// Slice is the part of an array from index from up to, without, index to of its
// first axis, as s[from:to] is of a slice in Go. It is a view: it has the
// memory of a, is ordered with whatever else uses that, and is closed with a;
// its own Close does nothing. So what writes one part of an array does not
// overlap with what uses another part: work in chunks takes an array for each.
func (a *Array) Slice(from, to int) (*Array, error) {
	if err := a.use(); err != nil {
		return nil, fmt.Errorf("rtc: slice: %w", err)
	}
	if len(a.shape) == 0 {
		return nil, fmt.Errorf("rtc: slice: %v has no axis", a)
	}
	if from < 0 || to < from || to > a.shape[0] {
		return nil, fmt.Errorf("rtc: slice: [%d:%d] of %v, whose first axis has %d", from, to, a, a.shape[0])
	}
	shape := a.Shape()
	shape[0] = to - from
	v, err := a.view(shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: slice: %w", err)
	}
	if v.len > 0 {
		v.offset = a.offset + from*(v.Bytes()/(to-from))
	}
	return v, nil
}

// Reshape is a view of all of an array with other axes that count as many
// elements: see Slice.
func (a *Array) Reshape(shape ...int) (*Array, error) {
	if err := a.use(); err != nil {
		return nil, fmt.Errorf("rtc: reshape: %w", err)
	}
	v, err := a.view(shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: reshape: %w", err)
	}
	if v.len != a.len {
		return nil, fmt.Errorf("rtc: reshape: shape %v has %d elements, %v has %d", shape, v.len, a, a.len)
	}
	return v, nil
}

func (a *Array) view(shape []int) (*Array, error) {
	v, err := describe(a.dtype, shape)
	if err != nil {
		return nil, err
	}
	v.mem, v.offset, v.base = a.mem, a.offset, a
	return v, nil
}
