package sim

// written tells the detector of uninitialised memory that the host wrote n bytes of a device.
func (d *Driver) written(at, n uint64) {
	if !d.config.Check.Uninitialised {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if dev, _ := d.find(at); dev != nil {
		dev.memory.Written(at, int64(n))
	}
}

// copied tells it that bytes were copied: those that nobody wrote are none now.
func (d *Driver) copied(to, from place, n uint64) {
	if to.host != nil || !d.config.Check.Uninitialised {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	dev, _ := d.find(to.at)
	switch source, _ := d.find(from.at); {
	case dev == nil:
	case from.host == nil && source == dev:
		dev.memory.Copied(to.at, from.at, int64(n))
	default:
		dev.memory.Written(to.at, int64(n))
	}
}
