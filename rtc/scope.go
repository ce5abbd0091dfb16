package rtc

import (
	"errors"
	"fmt"
)

// An Owner is what arrays are made on: a *Device, or a *Scope of one. It closes
// them when it is closed itself.
//
// Safe for concurrent use.
type Owner interface {
	owner() (*Device, *lifetime)
}

func (d *Device) owner() (*Device, *lifetime) {
	if d == nil {
		return nil, nil
	}
	return d, &d.life
}

func (s *Scope) owner() (*Device, *lifetime) {
	if s == nil {
		return nil, nil
	}
	return s.dev, &s.life
}

// A Scope owns the arrays that were made with it and frees them when its
// function returns. [Device.Scope] makes one.
//
// Safe for concurrent use.
type Scope struct {
	dev  *Device
	life lifetime
}

// Device is the device of the scope.
func (s *Scope) Device() *Device {
	if s == nil {
		return nil
	}
	return s.dev
}

// Scope calls f with a new Scope and then closes what was made with it, newest
// first, also when f fails or panics. It returns f's error, joined with those
// of the closing.
//
//	err := dev.Scope(func(s *rtc.Scope) error {
//		tmp, err := rtc.Zeros[float32](s, 1<<20) // freed on return
//		…
//	})
func (d *Device) Scope(f func(*Scope) error) (err error) {
	if err := d.use(); err != nil {
		return fmt.Errorf("rtc: scope: %w", err)
	}
	if f == nil {
		return errors.New("rtc: scope: the function is nil")
	}
	s := &Scope{dev: d}
	if err := d.life.add(s); err != nil {
		return fmt.Errorf("rtc: scope: device %d is %w", d.ordinal, err)
	}
	defer func() { err = joined(err, s.Close()) }()
	return f(s)
}

// Close frees what was made with the scope so far; nothing can be made with it
// afterwards. Device.Scope calls it. It is safe on nil, and later calls do
// nothing.
func (s *Scope) Close() error {
	if s == nil || s.dev == nil {
		return nil
	}
	err := s.life.close()
	s.dev.life.remove(s)
	return err
}
