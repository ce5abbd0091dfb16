package jitlink

//go:generate go run github.com/purecuda/purecuda/dl/mkapi

import (
	"errors"

	"github.com/purecuda/purecuda/dl"
)

// A handle is an nvJitLinkHandle.
type handle uintptr

// UnsupportedError says that the nvJitLink in use is too old for what was asked.
type UnsupportedError = dl.UnsupportedError

// api is the table of C functions; zapi.go has a method for each.
type api struct {
	table *dl.Table
	have  dl.Version
}

func (a *api) result(fn int, r uintptr) error {
	if code := Result(int32(r)); code != Success {
		return &Error{Function: a.table.Decl(fn).Name, Result: code}
	}
	return nil
}

func (a *api) missing(err error) error {
	var u *dl.UnsupportedError
	if errors.As(err, &u) {
		u.Have = a.have
	}
	return err
}
