package compile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A Service compiles with a store that is nil: Default is one where the cache is off.
func TestStoreIsNil(t *testing.T) {
	t.Setenv("PURECUDA_CACHE", "off")
	off := cache.Default(cache.OpenConfig{})
	assert.Nil(t, off)
	for _, store := range []cache.Store{off, (*cache.Memory)(nil), (*cache.Archive)(nil), (*cache.Tiered)(nil), cache.NewTiered(cache.TieredConfig{}, off)} {
		rig := newRig(t, stoppable)
		s := rig.service(compile.Config{Store: store})
		for range 2 {
			r := wait(t, submit(t, s, kernel))
			assert.Equal(t, compile.Compiled, r.Origin, "%T", store)
		}
	}
}

// No request is an error.
func TestNoRequest(t *testing.T) {
	_, err := compile.InProcess{}.Run(t.Context(), nil)
	assert.ErrorContains(t, err, "there is no request")
	_, err = compile.InProcess{}.Run(t.Context(), &compile.Request{Source: kernel})
	assert.ErrorContains(t, err, "no Compiler")
	_, err = compile.Confine(t.Context(), nil)
	assert.ErrorContains(t, err, "there is no request")
	_, err = compile.Enclose(t.Context(), nil)
	assert.ErrorContains(t, err, "there is no request")
}
