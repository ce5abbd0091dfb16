package worker

import (
	"context"
	"os"

	"github.com/purecuda/purecuda/nvrtc"
)

// Ping sends a message to a worker and back.
func Ping(ctx context.Context, p *Pool, c *nvrtc.Compiler) error {
	k := kind{library: c.Path()}
	k.folder, _ = os.Getwd()
	w, err := p.take(ctx, k)
	if err != nil {
		return err
	}
	_, crash, err := p.ask(ctx, w, pack(msgPing))
	w.jobs = 0
	p.put(w, nil)
	if crash != nil {
		return crash
	}
	return err
}
