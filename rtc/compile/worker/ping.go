package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/nvrtc"
)

// Ping has a worker answer, which compiles with c from then on, and starts one if
// none is ready: ahead of the first compile, so that this finds one, or to see that
// workers can be started here.
func (p *Pool) Ping(ctx context.Context, c *nvrtc.Compiler) error {
	if err := p.ping(ctx, c); err != nil {
		return fmt.Errorf("worker: ping: %w", err)
	}
	return nil
}

func (p *Pool) ping(ctx context.Context, c *nvrtc.Compiler) error {
	switch {
	case p == nil || p.slots == nil:
		return errUnmade
	case c == nil:
		return errors.New("the compiler is nil")
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return ended(ctx)
	case <-p.quit:
		return ErrClosed
	}
	defer func() { <-p.slots }()
	w, err := p.take(ctx, p.kindFor(c))
	if err != nil {
		return err
	}
	message := pack(msgPing)
	b, err := p.ask(ctx, w, message)
	if err == nil && !bytes.Equal(b, message) {
		err = p.crashed(w, fmt.Errorf("%w: to a ping", errNonsense))
	}
	if err != nil {
		return err
	}
	w.jobs-- // it has compiled nothing
	p.put(w, nil)
	return nil
}
