package sim

import (
	"io"
	"sync"
)

// output is Config.Output with writes that come one at a time.
type output struct {
	mu sync.Mutex
	to io.Writer
}

func (o *output) Write(b []byte) (int, error) {
	if o.to == nil {
		return len(b), nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(b)
}
