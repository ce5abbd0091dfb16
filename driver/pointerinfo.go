package driver

import "fmt"

// A PointerAttribute is a fact about an address.
type PointerAttribute int32

// The facts that fit a number, of those the driver documents.
const (
	PointerMemoryType     PointerAttribute = 2  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE: 1 host, 2 device
	PointerBufferID       PointerAttribute = 7  // CU_POINTER_ATTRIBUTE_BUFFER_ID: unique in the process
	PointerIsManaged      PointerAttribute = 8  // CU_POINTER_ATTRIBUTE_IS_MANAGED
	PointerDeviceOrdinal  PointerAttribute = 9  // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
	PointerIPCCapable     PointerAttribute = 10 // CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
	PointerRangeStart     PointerAttribute = 11 // CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
	PointerRangeSize      PointerAttribute = 12 // CU_POINTER_ATTRIBUTE_RANGE_SIZE
	PointerMapped         PointerAttribute = 13 // CU_POINTER_ATTRIBUTE_MAPPED
	PointerAllowedHandles PointerAttribute = 14 // CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: ShareKind bits
)

// PointerAttribute asks the driver about an address.
func (c *Context) PointerAttribute(a PointerAttribute, p Pointer) (uint64, error) {
	v := new(uint64)
	err := c.Do(func() error { return c.api.pointerGetAttribute(pointer(v), a, p) })
	return *v, explain(err, fmt.Sprintf("ask about address %s", p), "")
}

// AddressRange is the allocation that an address lies in: where it begins, and
// its size in bytes.
func (c *Context) AddressRange(p Pointer) (Pointer, uint64, error) {
	base, size := new(Pointer), new(uint64)
	err := c.Do(func() error { return c.api.memGetAddressRange(base, size, p) })
	return *base, *size, explain(err, fmt.Sprintf("range of address %s", p), "")
}
