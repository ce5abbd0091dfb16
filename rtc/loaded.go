package rtc

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
)

// A loaded module is one in the memory of a device, or on its way there.
type loaded struct {
	mod  *Module
	dev  *Device
	done chan struct{} // closed when the three below are set
	err  error
	art  *artifact
	raw  *driver.Module // set before the device may close it

	gone    atomic.Bool // set under the device's lock
	end     closer
	copying sync.RWMutex // held for reading while a copy uses a variable of it
}

// on finds the module on dev, or compiles for it and loads it there. One of
// those who want it does, the others wait.
func (m *Module) on(ctx context.Context, dev *Device) (*loaded, error) {
	if m.loaded == nil {
		return nil, errUnmadeModule
	}
	for {
		m.mu.Lock()
		if m.closed.Load() {
			m.mu.Unlock()
			return nil, fmt.Errorf("module %s is %w", m.name, ErrClosed)
		}
		l := m.loaded[dev]
		if l == nil {
			l = &loaded{mod: m, dev: dev, done: make(chan struct{})}
			m.loaded[dev] = l
			m.mu.Unlock()
			l.load(ctx)
			return l, l.err
		}
		m.mu.Unlock()
		if again, err := follow(ctx, l.done, &l.err); !again {
			if err == nil {
				m.hits.Add(1)
			}
			return l, err
		}
	}
}

func (l *loaded) load(ctx context.Context) {
	defer close(l.done)
	if l.err = l.bring(ctx); l.err != nil {
		l.drop()
	}
}

func (l *loaded) bring(ctx context.Context) (err error) {
	if l.art, err = l.mod.artifactFor(ctx, l.dev); err != nil {
		return err
	}
	if l.raw, err = l.dev.ctx.LoadModule(l.art.image(l.dev), driver.LoadConfig{}); err != nil {
		return fmt.Errorf("load %s (%s) on device %d: %w", l.mod.name, l.art.target, l.dev.ordinal, err)
	}
	l.mod.loads.Add(1)
	if err := l.dev.life.add(l); err != nil {
		_ = l.raw.Close() // the device closes it as well
		return fmt.Errorf("device %d is %w", l.dev.ordinal, err)
	}
	return nil
}

// drop makes the module load anew for the next one who wants it.
func (l *loaded) drop() {
	l.mod.mu.Lock()
	if l.mod.loaded[l.dev] == l {
		delete(l.mod.loaded, l.dev)
	}
	l.mod.mu.Unlock()
}

// Close unloads l from its device, after the launches of it and the copies of
// its variables.
func (l *loaded) Close() error {
	return l.end.close(func() error {
		l.drop()
		if l.raw == nil {
			return nil // loading failed
		}
		l.dev.forbid(&l.gone)
		l.copying.Lock()
		defer l.copying.Unlock()
		err := joined(l.dev.drain(), unlessClosed(l.raw.Close()))
		l.dev.life.remove(l)
		return err
	})
}
