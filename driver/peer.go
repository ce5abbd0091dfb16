package driver

import (
	"errors"
	"fmt"
)

// A PeerAttribute is a fact about the link between two devices.
type PeerAttribute int32

// The facts that the driver documents.
const (
	PeerPerformanceRank PeerAttribute = 1 // CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: 0 is the best
	PeerAccessSupported PeerAttribute = 2 // CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED
	PeerNativeAtomics   PeerAttribute = 3 // CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
	PeerArrayAccess     PeerAttribute = 4 // CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED
)

// CanAccessPeer reports whether kernels on d can use the memory of the other
// device.
func (d *Device) CanAccessPeer(other *Device) (bool, error) {
	v := new(int32)
	err := d.driver.api.deviceCanAccessPeer(v, d.handle, other.handle)
	return *v != 0, explain(err, fmt.Sprintf("peer access from %s to %s", d, other), "")
}

// PeerAttribute reads a fact about the link from d to the other device.
func (d *Device) PeerAttribute(a PeerAttribute, other *Device) (int, error) {
	v := new(int32)
	err := d.driver.api.deviceGetP2PAttribute(v, a, d.handle, other.handle)
	return int(*v), explain(err, fmt.Sprintf("link from %s to %s", d, other), "")
}

// EnablePeer lets kernels in c use the memory of the other context, on another
// device. It works one way, and once is enough: a second time is no error.
func (c *Context) EnablePeer(other *Context) error {
	err := c.Do(func() error { return c.api.ctxEnablePeerAccess(other.handle, 0) })
	if errors.Is(err, PeerAccessAlreadyEnabled) {
		return nil
	}
	return explain(err, fmt.Sprintf("enable peer access from %s to %s", c.device, other.device), "")
}

// DisablePeer undoes EnablePeer; undoing nothing is no error.
func (c *Context) DisablePeer(other *Context) error {
	err := c.Do(func() error { return c.api.ctxDisablePeerAccess(other.handle) })
	if errors.Is(err, PeerAccessNotEnabled) {
		return nil
	}
	return explain(err, fmt.Sprintf("disable peer access from %s to %s", c.device, other.device), "")
}

// CopyPeer puts a copy between the memory of two contexts into the stream;
// peer access need not be enabled, then the copy goes by way of the host.
func (s *Stream) CopyPeer(dst Pointer, dstCtx *Context, src Pointer, srcCtx *Context, n uint64) error {
	if n == 0 {
		return nil
	}
	if !dstCtx.life.enter() {
		return dstCtx.closedError()
	}
	defer dstCtx.life.leave()
	if !srcCtx.life.enter() {
		return srcCtx.closedError()
	}
	defer srcCtx.life.leave()
	return s.work(func() string { return fmt.Sprintf("copy %d bytes from %s to %s", n, srcCtx.device, dstCtx.device) }, func() error {
		return s.ctx.api.memcpyPeerAsync(dst, dstCtx.handle, src, srcCtx.handle, n, s.handle)
	})
}
