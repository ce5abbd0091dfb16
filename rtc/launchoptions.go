package rtc

import "github.com/purecuda/purecuda/driver"

// LaunchOptions are what a launch can ask for beside its sizes. The zero
// LaunchOptions asks for nothing.
//
// Safe for concurrent use after it is made; its fields must not change.
type LaunchOptions struct {
	// Cooperative has all blocks of the grid run at once, so that they can
	// wait for each other. A grid that does not fit is refused. CUDA 9.0.
	Cooperative bool
	// Cluster is the size of a cluster in blocks, which the grid must be a
	// multiple of. Zero: what the kernel was compiled with. CUDA 11.8, compute
	// capability 9.0.
	Cluster Dim3
	// Priority overrides the stream's; lower numbers are urgent. CUDA 11.8.
	Priority int
	// Programmatic lets the kernel begin before the one in front of it has
	// ended; it must wait for that by itself. CUDA 11.8, compute capability 9.0.
	Programmatic bool
	// Unordered lets launches begin before work on other streams that their
	// arrays depend on has ended: where the caller knows better, or orders them
	// himself. What comes later is still ordered behind them.
	Unordered bool
}

// With is the kernel, launched with options: all launches of the result have
// them, k itself is as it was.
func (k *Kernel) With(o LaunchOptions) *Kernel {
	if k == nil {
		return nil // which every launch refuses
	}
	v := &Kernel{mod: k.mod, name: k.name, entry: k.entry, sig: k.sig, writes: k.writes, options: o}
	v.functions.Store(new([]*function))
	return v
}

// config is a launch as the driver takes it.
func (k *Kernel) config(grid, block Dim3, shared int) (driver.LaunchConfig, error) {
	o := &k.options
	c := driver.LaunchConfig{
		Name:         k.name,
		SharedMem:    uint32(shared),
		Cooperative:  o.Cooperative,
		Priority:     o.Priority,
		Programmatic: o.Programmatic,
	}
	var err error
	if c.Grid, err = grid.words("grid"); err != nil {
		return c, err
	}
	if c.Block, err = block.words("block"); err != nil {
		return c, err
	}
	if o.Cluster != (Dim3{}) {
		c.Cluster, err = o.Cluster.words("cluster")
	}
	return c, err
}
