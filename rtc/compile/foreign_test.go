package compile_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A foreign store is a user's own, which may do what it likes.
type foreign struct {
	get  func() (*cache.Entry, error)
	put  func() error
	lock func() (func(), error)
}

func (f *foreign) Get(context.Context, cache.Key) (*cache.Entry, error) { return f.get() }
func (f *foreign) Put(context.Context, cache.Key, *cache.Entry) error   { return f.put() }
func (f *foreign) Lock(context.Context, cache.Key) (func(), error)      { return f.lock() }
func (f *foreign) Close() error                                         { return nil }

// TestForeignStores: whatever a store does, no compile fails for it, and no job waits
// for ever.
func TestForeignStores(t *testing.T) {
	t.Cleanup(compile.SetStorePatience(20 * time.Millisecond))
	fine := func() foreign {
		return foreign{
			get:  func() (*cache.Entry, error) { return nil, cache.ErrMiss },
			put:  func() error { return nil },
			lock: func() (func(), error) { return func() {}, nil },
		}
	}
	for name, bad := range map[string]func(f *foreign, hang <-chan struct{}){
		"Get panics": func(f *foreign, hang <-chan struct{}) { f.get = func() (*cache.Entry, error) { panic("get") } },
		"Get ends": func(f *foreign, hang <-chan struct{}) {
			f.get = func() (*cache.Entry, error) { runtime.Goexit(); return nil, nil }
		},
		"Get hangs": func(f *foreign, hang <-chan struct{}) {
			f.get = func() (*cache.Entry, error) { <-hang; return nil, nil }
		},
		"Get gives nothing": func(f *foreign, hang <-chan struct{}) { f.get = func() (*cache.Entry, error) { return nil, nil } },
		"Get gives an empty": func(f *foreign, hang <-chan struct{}) {
			f.get = func() (*cache.Entry, error) { return &cache.Entry{}, nil }
		},
		"Put panics":         func(f *foreign, hang <-chan struct{}) { f.put = func() error { panic("put") } },
		"Put hangs":          func(f *foreign, hang <-chan struct{}) { f.put = func() error { <-hang; return nil } },
		"Lock panics":        func(f *foreign, hang <-chan struct{}) { f.lock = func() (func(), error) { panic("lock") } },
		"Lock gives nothing": func(f *foreign, hang <-chan struct{}) { f.lock = func() (func(), error) { return nil, nil } },
		"Lock fails": func(f *foreign, hang <-chan struct{}) {
			f.lock = func() (func(), error) { return nil, errors.New("no") }
		},
		"the unlocking panics": func(f *foreign, hang <-chan struct{}) {
			f.lock = func() (func(), error) { return func() { panic("unlock") }, nil }
		},
		"the unlocking hangs": func(f *foreign, hang <-chan struct{}) {
			f.lock = func() (func(), error) { return func() { <-hang }, nil }
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := fine()
			hang := make(chan struct{})
			bad(&store, hang)
			s := newRig(t, unstopped).service(compile.Config{Store: &store, MaxThreads: 1, QueueSize: 1})
			t.Cleanup(func() { close(hang) }) // before the rig looks for goroutines
			for i := range 5 {                // no turn and no place is lost
				result := wait(t, submit(t, s, "int x"+strconv.Itoa(i)+";"))
				assert.Equal(t, compile.Compiled, result.Origin)
				assert.NotEmpty(t, result.Entry.Image)
			}
			assert.Equal(t, uint64(5), s.Stats().Compiles)
			require.NoError(t, s.Close())
		})
	}
}

// TestLockThatHangs ends with its job, and with the Service.
func TestLockThatHangs(t *testing.T) {
	rig, hang, asked := newRig(t, unstopped), make(chan struct{}), make(chan bool, 2)
	t.Cleanup(func() { close(hang) })
	store := &foreign{
		get:  func() (*cache.Entry, error) { return nil, cache.ErrMiss },
		put:  func() error { return nil },
		lock: func() (func(), error) { asked <- true; <-hang; return func() {}, nil },
	}
	s := rig.service(compile.Config{Store: store, MaxThreads: 1})
	one, two := submit(t, s, "int x;"), submit(t, s, "int y;")
	<-asked
	<-asked // the first waits without a turn by then
	one.Cancel()
	require.NoError(t, s.Close())
	_, err := two.Wait(context.Background())
	assert.ErrorIs(t, err, compile.ErrClosed)
	assert.Zero(t, s.Stats().Waiting)
}
