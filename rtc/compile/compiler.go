package compile

import (
	"sync"

	"github.com/purecuda/purecuda/nvrtc"
)

// A compiler is the one that was given, or the machine's, opened when first
// needed. A failure is not kept, since what was missing may be put right.
type compiler struct {
	given *nvrtc.Compiler

	mu     sync.Mutex
	opened *nvrtc.Compiler
}

func (c *compiler) get() (*nvrtc.Compiler, error) {
	if c.given != nil {
		return c.given, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opened == nil {
		opened, err := nvrtc.Open(nvrtc.Config{})
		if err != nil {
			return nil, err
		}
		c.opened = opened
	}
	return c.opened, nil
}

func (c *compiler) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened.Close()
}
