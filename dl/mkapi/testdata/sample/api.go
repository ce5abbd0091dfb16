// Package sample is what mkapi's tests generate.
package sample

//go:generate go run github.com/purecuda/purecuda/dl/mkapi

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
)

// Result is a code.
type Result int32

type (
	handle uintptr
	point  struct{ x, y int32 }
)

type api struct{ table *dl.Table }

func (a *api) result(fn int, r uintptr) error {
	if r != 0 {
		return fmt.Errorf("%s: %d", a.table.Decl(fn).Name, int32(r))
	}
	return nil
}

func (a *api) missing(err error) error {
	var u *dl.UnsupportedError
	if errors.As(err, &u) {
		u.Have = dl.Version{Major: 2, Minor: 5}
	}
	return err
}

// Exercise calls every generated method once.
func Exercise(r dl.Resolver) []error {
	a := &api{table: dl.NewTable(r, decls)}
	text, list := []byte("x\x00"), []*byte{nil, nil}
	h, first, count, where := new(handle), new(uintptr), new(uint64), new(uintptr)
	factor, at, from, data := new(float32), new(point), new(int32), new(int64)
	_, nameErr := a.getName(*h)
	_, seedErr := a.seed()
	return []error{
		a.create(h, &text[0], -2, &list[0]),
		a.destroy(h),
		nameErr,
		a.getNames(7, first, count),
		a.scale(8, 1<<40, factor, at, 255),
		a.scaleOld(9, -1),
		seedErr,
		a.span(10, from, -1<<40, unsafe.Pointer(data), where, 65535),
	}
}
