package rtc

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A copy to Go's memory that waited for a Slice, with which the tracking ended, goes into the stream that keeps order by itself: on another it
// would come behind nothing that was given meanwhile.
func TestTransferAfterTracking(t *testing.T) {
	dev, err := OpenSimulated()
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	a, err := Zeros[uint32](dev, 4)
	require.NoError(t, err)
	s, uses := dev.Stream(), []use{{a.mem, true}}
	o := &dev.order
	o.mu.Lock()
	require.NoError(t, s.enter(context.Background(), uses, true))
	require.True(t, o.several)
	o.mu.Unlock()

	began := make(chan *Stream)
	go func() {
		on, err := a.mem.begin(context.Background(), false)
		if err != nil {
			t.Error(err)
		}
		began <- on
	}()
	select {
	case <-began:
		t.Fatal("it began while the array was written")
	case <-time.After(20 * time.Millisecond):
	}
	o.mu.Lock()
	s.leave(uses)
	require.False(t, o.several)
	o.mu.Unlock()
	o.copied.Broadcast()
	on := <-began
	require.True(t, on == dev.Stream(), "it goes into another stream")
	a.mem.finish(on, false)
}
