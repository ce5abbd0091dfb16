package driver

import "fmt"

// A Pointer is an address in device memory. The zero Pointer is null.
type Pointer uint64

func (p Pointer) String() string { return fmt.Sprintf("%#x", uint64(p)) }
