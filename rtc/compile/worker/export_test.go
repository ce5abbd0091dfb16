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
	_, err = p.ask(ctx, w, pack(msgPing))
	if err != nil {
		return err
	}
	w.jobs--
	p.put(w, nil)
	return nil
}
