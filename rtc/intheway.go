package rtc

import "context"

// inTheWay is the error for an array that makes c busy, as one does. It stands
// apart from that, which each launch asks that is tracked.
func (c *call) inTheWay() error {
	var in inTheWay
	for i, a := range c.arrays {
		if a != nil && a.mem.access.busy(c.k.writes[i]) {
			in.use = use{a.mem, c.k.writes[i]}
		}
	}
	return &in
}

// An inTheWay is the error of a launch with a context that would have to wait for
// a function of Do or a copy: who has the context does. A launch that needn't does
// not carry it that far.
type inTheWay struct{ use }

func (*inTheWay) Error() string { return errInTheWay.Error() }

// yield waits for what was in the way of a launch, if that is what err says, and
// then the launch is to be tried again. Otherwise it is why not.
func yield(ctx context.Context, err error) error {
	in, ok := err.(*inTheWay)
	if !ok {
		return err
	}
	o := &in.m.dev.order
	o.mu.Lock()
	defer o.mu.Unlock()
	for in.m.access.busy(in.write) && !in.m.closed() {
		if err := o.await(ctx); err != nil {
			return err
		}
	}
	return nil
}
