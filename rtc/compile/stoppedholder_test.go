package compile_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A process that was stopped while it held the lock of a kernel, by Ctrl-Z say, doesn't
// stop all others that want the same.
func TestStoppedHolderOfALock(t *testing.T) {
	t.Cleanup(compile.SetLongestLock(50 * time.Millisecond))
	r := newRig(t, unstopped)
	disk := cache.NewDisk(cache.DiskConfig{Dir: t.TempDir()})
	s := r.service(compile.Config{Store: disk})
	request := compile.Request{Source: "int x;", Name: "k.cu"}
	found, err := s.Lookup(context.Background(), request)
	require.NoError(t, err)
	unlock, err := disk.Lock(context.Background(), found.Key)
	require.NoError(t, err)
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	j, err := s.Submit(ctx, request)
	require.NoError(t, err)
	result, err := j.Wait(ctx)
	require.NoError(t, err)
	assert.Equal(t, compile.Compiled, result.Origin)
	found, err = s.Lookup(context.Background(), request)
	require.NoError(t, err)
	assert.NotNil(t, found.Entry, "it is kept all the same")
}
