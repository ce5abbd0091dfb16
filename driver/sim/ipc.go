package sim

import (
	"bytes"
	"encoding/binary"
	"os"

	"github.com/purecuda/purecuda/driver"
)

// A sharedName is by what another process of the machine finds shared memory.
type sharedName struct {
	PID, FD        uint32
	Size, Dev, Ino uint64
}

// An ipcHandle is what the 64 bytes of a handle hold.
type ipcHandle struct {
	Magic [4]byte
	Kind  uint32
	Name  sharedName
	Bytes uint64 // of the allocation
}

const (
	ipcMemory = 1
	ipcEvent  = 2
)

func ipcMagic() [4]byte { return [4]byte{'p', 'c', 's', '1'} }

// pack makes the handle of something shared.
func pack(kind uint32, s *shared, size uint64) (h driver.IPCHandle, ok bool) {
	name, err := s.name()
	if err != nil {
		return h, false
	}
	var b bytes.Buffer
	// It can't fail: the struct has a size, and the buffer grows.
	_ = binary.Write(&b, binary.LittleEndian, ipcHandle{ipcMagic(), kind, name, size})
	copy(h[:], b.Bytes())
	return h, true
}

// unpack maps what a handle stands for, of another process.
func unpack(kind uint32, h driver.IPCHandle) (*shared, uint64, driver.Result) {
	var v ipcHandle
	_ = binary.Read(bytes.NewReader(h[:]), binary.LittleEndian, &v) // as above
	switch {
	case v.Magic != ipcMagic() || v.Kind != kind || v.Bytes > v.Name.Size || v.Name.Size > mostMemory:
		return nil, 0, driver.InvalidValue
	case v.Name.PID == uint32(os.Getpid()):
		return nil, 0, driver.InvalidContext
	}
	s, err := v.Name.open()
	if err != nil {
		return nil, 0, driver.InvalidHandle
	}
	return s, v.Bytes, driver.Success
}

// share makes an allocation one that other processes can have: its memory is another from now on. What is enqueued ends first.
func (d *Driver) share(at uint64) (driver.IPCHandle, driver.Result) {
	var h driver.IPCHandle
	_, found := d.find(at)
	if found == nil {
		return h, driver.InvalidValue
	}
	b := d.blocks[found.Base]
	switch {
	case b == nil || b.pool != nil:
		return h, driver.InvalidValue
	case !canShare:
		return h, driver.NotSupported
	}
	if b.shared == nil {
		d.queue.drain(func(s *stream) bool { return s.ctx.device == b.dev })
		s, err := newShared(roundUp(int(b.size), page))
		if err != nil {
			return h, driver.OutOfMemory
		}
		if b.shared != nil || !b.dev.memory.Replace(found.Base, s.bytes[:b.size]) {
			s.close()
			return h, driver.InvalidValue // it was freed, or shared, meanwhile
		}
		b.shared = s
	}
	h, ok := pack(ipcMemory, b.shared, uint64(b.size))
	if !ok {
		return h, driver.OperatingSystem
	}
	return h, d.broken()
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// openShared gives another process's memory an address.
func (d *Driver) openShared(ctx *context, h driver.IPCHandle) (uint64, driver.Result) {
	s, size, r := unpack(ipcMemory, h)
	if r != driver.Success {
		return 0, r
	}
	at, err := ctx.device.memory.Reserve(size, page)
	if err != nil {
		return 0, driver.MapFailed
	}
	ctx.device.memory.Place(at, s.bytes[:size])
	d.foreign[at] = ctx
	return at, driver.Success
}

// closeShared takes the address away again, when what is enqueued has ended.
func (d *Driver) closeShared(at uint64) driver.Result {
	ctx := d.foreign[at]
	if ctx == nil {
		return driver.InvalidValue
	}
	d.queue.drain(func(s *stream) bool { return s.ctx.device == ctx.device })
	if d.foreign[at] == ctx {
		d.dropForeign(at)
	}
	return d.broken()
}

func (d *Driver) dropForeign(at uint64) {
	m := d.foreign[at].device.memory
	m.Displace(at)
	m.Release(at)
	delete(d.foreign, at)
}
