//go:build !linux

package sim

import "errors"

// A shared is memory that other processes can have as well: on Linux alone, as with CUDA.
type shared struct{ bytes []byte }

func newShared(int) (*shared, error)         { return nil, errors.ErrUnsupported }
func (s *shared) name() (sharedName, error)  { return sharedName{}, errors.ErrUnsupported }
func (n *sharedName) open() (*shared, error) { return nil, errors.ErrUnsupported }
func (s *shared) export() (uintptr, error)   { return 0, errors.ErrUnsupported }
func importShared(uintptr) (*shared, error)  { return nil, errors.ErrUnsupported }
func (s *shared) hide()                      {}
func (s *shared) close()                     {}

// canShare says whether processes can share memory here.
const canShare = false
