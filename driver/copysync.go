package driver

// The copies that wait run on a stream that the context keeps for them, since
// the driver's own use the null stream and so wait for other streams.

// CopyToDevice copies src to the device and returns when it is there. It does
// not wait for work in streams.
func (c *Context) CopyToDevice(dst Pointer, src []byte) error {
	return c.copy(func(s *Stream) error { return s.CopyToDevice(dst, src) })
}

// CopyToHost copies memory of the device and returns when dst is filled. It
// does not wait for work in streams.
func (c *Context) CopyToHost(dst []byte, src Pointer) error {
	return c.copy(func(s *Stream) error { return s.CopyToHost(dst, src) })
}

// CopyDevice copies n bytes between two places and returns when it is done. It
// does not wait for work in streams.
func (c *Context) CopyDevice(dst, src Pointer, n uint64) error {
	return c.copy(func(s *Stream) error { return s.CopyDevice(dst, src, n) })
}

func (c *Context) copy(put func(*Stream) error) error {
	s, err := c.copyStream()
	if err != nil {
		return err
	}
	if err := put(s); err != nil {
		return err
	}
	return s.Synchronize()
}

func (c *Context) copyStream() (*Stream, error) {
	c.copying.Lock()
	defer c.copying.Unlock()
	if c.copies == nil {
		s, err := c.NewStream(StreamConfig{})
		if err != nil {
			return nil, err
		}
		c.copies = s
	}
	return c.copies, nil
}
