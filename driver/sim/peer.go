package sim

import "github.com/purecuda/purecuda/driver/sim/internal/engine"

// join gives each device the memory of the host, and that of the devices whose contexts one of its own was allowed to use.
func (d *Driver) join() {
	for _, dev := range d.devices {
		others := []*engine.Memory{d.hosts.memory}
		for _, c := range d.contexts {
			for peer := range c.peers {
				if c.device == dev && peer.device != dev {
					others = append(others, peer.device.memory)
				}
			}
		}
		dev.memory.Join(others...)
	}
}
