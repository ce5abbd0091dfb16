package driver

import "fmt"

// A Pointer is an address in device memory. The zero Pointer is null.
type Pointer uint64

// String is the address in hexadecimal: 0x7f0000000200.
func (p Pointer) String() string { return fmt.Sprintf("%#x", uint64(p)) }
