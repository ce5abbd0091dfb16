package driver

import "fmt"

// A ShareKind is how memory is given to another process.
type ShareKind int32

// The kinds that the driver documents.
const (
	ShareNone           ShareKind = 0 // CU_MEM_HANDLE_TYPE_NONE
	ShareFileDescriptor ShareKind = 1 // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR: Linux
	ShareWin32          ShareKind = 2 // CU_MEM_HANDLE_TYPE_WIN32: a HANDLE
)

// allocationProp is a CUmemAllocationProp.
type allocationProp struct {
	kind, handleTypes int32
	location          memLocation
	win32             uintptr
	flags             [8]byte
}

// accessDesc is a CUmemAccessDesc.
type accessDesc struct {
	location memLocation
	flags    int32
}

const accessReadWrite = 3 // CU_MEM_ACCESS_FLAGS_PROT_READWRITE

// PhysicalMemory is memory of a device that has no address until it is mapped.
// Unlike what Alloc gives, it can be shared with another process alone, without
// its neighbours. Since CUDA 10.2.
//
// Safe for concurrent use.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html
type PhysicalMemory struct {
	device *Device
	handle allocationHandle
	size   uint64
	share  ShareKind
	life   lifetime
}

func (d *Device) physicalProp(share ShareKind) *allocationProp {
	return &allocationProp{kind: allocationPinned, handleTypes: int32(share), location: memLocation{locationDevice, int32(d.handle)}}
}

// Granularity is the unit of physical memory, in bytes: 2 MiB on today's devices.
func (d *Device) Granularity() (uint64, error) {
	n := new(uint64)
	err := d.driver.api.memGetAllocationGranularity(n, d.physicalProp(ShareNone), 0)
	return *n, explain(err, "granularity of physical memory of "+d.String(), "")
}

// NewPhysical takes physical memory; the size is rounded up to the granularity.
func (d *Device) NewPhysical(bytes uint64, share ShareKind) (*PhysicalMemory, error) {
	unit, err := d.Granularity()
	if err != nil {
		return nil, err
	}
	m := &PhysicalMemory{device: d, share: share, size: (max(bytes, 1) + unit - 1) / unit * unit}
	if err := d.driver.api.memCreate(&m.handle, m.size, d.physicalProp(share), 0); err != nil {
		return nil, explain(err, fmt.Sprintf("take %d bytes of physical memory of %s", m.size, d), "")
	}
	d.driver.counts.others.Add(1)
	return m, nil
}

// ImportPhysical opens physical memory that another process exported: handle is
// the file descriptor or HANDLE, which stays the caller's; size is what that
// process says.
func (d *Device) ImportPhysical(handle uintptr, kind ShareKind, size uint64) (*PhysicalMemory, error) {
	m := &PhysicalMemory{device: d, size: size, share: kind}
	if err := d.driver.api.call(fnMemImportFromShareableHandle, word(&m.handle), handle, uintptr(kind)); err != nil {
		return nil, explain(err, "import physical memory", "")
	}
	d.driver.counts.others.Add(1)
	return m, nil
}

// Size is the size in bytes.
func (m *PhysicalMemory) Size() uint64 { return m.size }

func (m *PhysicalMemory) closedError() error {
	return fmt.Errorf("driver: physical memory: %w", ErrClosed)
}

// Export makes a file descriptor or HANDLE, for the ShareKind that the memory was
// made with. It is the caller's, who sends it to the other process and closes it.
func (m *PhysicalMemory) Export() (uintptr, error) {
	if !m.life.enter() {
		return 0, m.closedError()
	}
	defer m.life.leave()
	v := new(uint64) // a descriptor is an int and fills the lower half
	err := m.device.driver.api.memExportToShareableHandle(pointer(v), m.handle, m.share, 0)
	return uintptr(*v), explain(err, "export physical memory", "")
}

// Close gives the memory back, when it is not mapped any more. It is safe on nil
// and more than once.
func (m *PhysicalMemory) Close() error {
	if m == nil {
		return nil
	}
	return m.life.close(func() error {
		err := m.device.driver.api.memRelease(m.handle)
		m.device.driver.counts.others.Add(-1)
		return m.device.driver.afterFault(err, "release physical memory")
	})
}

// A Mapping is physical memory at an address, for reading and writing by a
// context's device.
//
// Safe for concurrent use.
type Mapping struct {
	ctx    *Context
	memory *PhysicalMemory
	at     Pointer
	life   lifetime
}

// Map gives physical memory an address in the context.
func (c *Context) Map(m *PhysicalMemory) (*Mapping, error) {
	if !m.life.enter() {
		return nil, m.closedError()
	}
	defer m.life.leave()
	v := &Mapping{ctx: c, memory: m}
	err := c.Do(func() error {
		if err := c.api.memAddressReserve(&v.at, m.size, 0, 0, 0); err != nil {
			return err
		}
		err := c.api.memMap(v.at, m.size, 0, m.handle, 0)
		if err == nil {
			access := &accessDesc{location: memLocation{locationDevice, int32(c.device.handle)}, flags: accessReadWrite}
			if err = c.api.memSetAccess(v.at, m.size, access, 1); err == nil {
				return nil
			}
			_ = c.api.memUnmap(v.at, m.size)
		}
		_ = c.api.memAddressFree(v.at, m.size)
		return err
	})
	if err != nil {
		return nil, explain(err, fmt.Sprintf("map %d bytes of physical memory", m.size), "")
	}
	c.driver.counts.others.Add(1)
	if !c.children.add(v) {
		_ = v.Close()
		return nil, c.closedError()
	}
	return v, nil
}

// Pointer is the address.
func (v *Mapping) Pointer() Pointer { return v.at }

// Size is the size in bytes.
func (v *Mapping) Size() uint64 { return v.memory.size }

// Close takes the address away. No kernel may use it then. It is safe on nil
// and more than once.
func (v *Mapping) Close() error {
	if v == nil {
		return nil
	}
	return v.life.close(func() error {
		c := v.ctx
		err := c.bind(func() error {
			if err := c.api.memUnmap(v.at, v.memory.size); err != nil {
				return err
			}
			return c.api.memAddressFree(v.at, v.memory.size)
		})
		c.children.drop(v)
		c.driver.counts.others.Add(-1)
		return c.afterFault(err, "unmap physical memory")
	})
}
