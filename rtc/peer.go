package rtc

import (
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// PeerAccess has the memory of two devices of one driver in reach of each other,
// where the hardware can, and reports whether it is: copies between them go
// directly then, else the driver makes them by way of the host. Copies ask for it
// by themselves. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html.
func (d *Device) PeerAccess(other *Device) (bool, error) {
	err := d.use()
	if err == nil {
		err = other.made()
	}
	if err == nil && d.drv != other.drv {
		err = fmt.Errorf("%v and %v are of different drivers", d, other)
	}
	reach := false
	if err == nil {
		reach, err = d.peerAccess(other)
	}
	if err != nil {
		return false, fmt.Errorf("rtc: peer access: %w", err)
	}
	return reach, nil
}

func (d *Device) peerAccess(other *Device) (bool, error) {
	if err := other.use(); err != nil {
		return false, err
	}
	if d.ctx == other.ctx || d.ordinal == other.ordinal {
		return true, nil
	}
	there, err := d.reachPeer(other)
	if err != nil {
		return false, err
	}
	back, err := other.reachPeer(d)
	return there && back, err
}

// A peer is a device that was asked about: whether its memory can be reached, as
// long as it is open.
type peer struct {
	ctx     *driver.Context
	reached bool
}

// reachPeer has other's memory in reach of d, and reports whether it is.
func (d *Device) reachPeer(other *Device) (bool, error) {
	if p, ok := d.peers.Load(other.ordinal); ok && p.(peer).ctx == other.ctx {
		return p.(peer).reached, nil
	}
	can, err := d.dev.CanAccessPeer(other.dev)
	if err == nil && can {
		err = d.ctx.EnablePeer(other.ctx)
	}
	if err != nil {
		return false, err
	}
	d.peers.Store(other.ordinal, peer{other.ctx, can})
	return can, nil
}
