package cache

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBreaker(t *testing.T) {
	var b breaker
	now := time.Unix(1000, 0)
	call := func(o outcome) (opened, closed bool) {
		t.Helper()
		ok, trial := b.allow(now)
		assert.True(t, ok)
		return b.done(o, trial, now)
	}
	spared := func() { t.Helper(); ok, _ := b.allow(now); assert.False(t, ok); assert.True(t, b.down(now)) }

	for _, o := range []outcome{failed, failed, worked, failed, unknown, failed} { // three, but not in a row
		opened, closed := call(o)
		assert.False(t, opened || closed)
	}
	opened, _ := call(failed)
	assert.True(t, opened)
	spared()
	// Calls that were on their way when it opened don't make it longer.
	for range 10 {
		opened, _ = b.done(failed, false, now)
		assert.False(t, opened)
	}
	for pause := time.Second; pause <= 32*time.Second; pause *= 2 {
		now = now.Add(pause - 1)
		spared()
		now = now.Add(1)
		ok, trial := b.allow(now)
		assert.True(t, ok && trial)
		second, _ := b.allow(now)
		assert.False(t, second, "one call decides")
		opened, closed := b.done(failed, trial, now)
		assert.False(t, opened || closed, "it was open")
	}
	now = now.Add(time.Minute)
	call(failed)
	now = now.Add(time.Minute) // no longer than that
	call(unknown)              // says nothing: the next decides
	_, closed := call(worked)
	assert.True(t, closed)
	assert.False(t, b.down(now))

	back := b.lose()
	spared()
	back()
	opened, closed = call(worked)
	assert.False(t, opened || closed)
}
