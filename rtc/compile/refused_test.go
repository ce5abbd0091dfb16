package compile_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// What can't be meant is refused, and the error names the field.
func TestRefused(t *testing.T) {
	rig := newRig(t, dl.Version{Major: 12, Minor: 8})
	good := compile.Request{Source: "k", Name: "k.cu"}
	for _, row := range []struct {
		config  compile.Config
		request compile.Request
		want    string
	}{
		{compile.Config{MaxThreads: -1}, good, "compile: submit k.cu: the config's MaxThreads is -1, less than 0"},
		{compile.Config{QueueSize: -5}, good, "compile: submit k.cu: the config's QueueSize is -5, less than 0"},
		{compile.Config{Timeout: -time.Second}, good, "compile: submit k.cu: the config's Timeout is -1s, less than 0"},
		{compile.Config{}, compile.Request{}, "compile: submit a source without a name: the request has no source"},
		{compile.Config{}, compile.Request{Source: "k", Name: "k.cu", Timeout: -1}, "compile: submit k.cu: the request's Timeout is -1ns, less than 0"},
	} {
		row.config.Compiler = rig.compiler
		s := compile.NewService(row.config)
		_, err := s.Submit(context.Background(), row.request)
		require.EqualError(t, err, row.want)
		_, err = s.Lookup(context.Background(), row.request)
		require.Error(t, err)
		require.NoError(t, s.Shutdown(context.Background()))
		assert.Zero(t, s.Stats().Jobs)
	}
}

func TestBatchForNothing(t *testing.T) {
	s := newRig(t, dl.Version{Major: 12, Minor: 8}).service(compile.Config{})
	_, err := s.Batch(context.Background(), compile.Request{Source: "k", Name: "k.cu"})
	require.EqualError(t, err, "compile: batch of k.cu: there are no architectures to compile for")
}

// Errors name a program as its owner did, or say that he did not.
func TestLabels(t *testing.T) {
	s := newRig(t, dl.Version{Major: 12, Minor: 8}).service(compile.Config{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Submit(ctx, compile.Request{Source: "k"})
	require.EqualError(t, err, "compile: submit a source without a name: context canceled")
	_, err = s.Submit(ctx, compile.Request{Source: "k", Name: "mine.cu"})
	require.EqualError(t, err, "compile: submit mine.cu: context canceled")
}

func TestLookup(t *testing.T) {
	rig := newRig(t, dl.Version{Major: 12, Minor: 8})
	store := cache.NewMemory(cache.MemoryConfig{})
	s := rig.service(compile.Config{Store: store})
	ctx, r := context.Background(), compile.Request{Source: "k", Name: "k.cu"}
	found, err := s.Lookup(ctx, r)
	require.NoError(t, err)
	assert.Nil(t, found.Entry)
	assert.NotZero(t, found.Key)
	assert.Zero(t, s.Stats(), "nothing was asked for")

	j, err := s.Submit(ctx, r)
	require.NoError(t, err)
	made, err := j.Wait(ctx)
	require.NoError(t, err)
	again, err := s.Lookup(ctx, r)
	require.NoError(t, err)
	assert.Equal(t, made.Key, again.Key)
	assert.Equal(t, found.Key, again.Key)
	assert.Same(t, made.Entry, again.Entry)
	assert.EqualValues(t, 1, s.Stats().Compiles)

	r.Source = "#define X <y>\n#include X"
	found, err = s.Lookup(ctx, r)
	require.NoError(t, err)
	assert.Contains(t, found.Uncached, "of a macro")
	assert.Nil(t, found.Entry)

	require.NoError(t, s.Close())
	_, err = s.Lookup(ctx, r)
	require.EqualError(t, err, "compile: look up k.cu: the service is closed")
}

// An entry says what its kernels take, as far as their names do.
func TestSignatures(t *testing.T) {
	nvrtctest.Real(t, dl.Version{Major: 11, Minor: 2})
	for _, c := range nvrtctest.Reals() {
		s := compile.NewService(compile.Config{Compiler: c})
		j, err := s.Submit(context.Background(), compile.Request{
			Source: `template <class T> __global__ void axpy(const T *x, T *y, T alpha) { *y += alpha * *x; }
__constant__ int table[4];
extern "C" __global__ void plain(int *p) { *p = table[0]; }`,
			Exports: []string{"axpy<float>", "axpy<double>", "&table", "plain"},
		})
		require.NoError(t, err)
		r, err := j.Wait(context.Background())
		require.NoError(t, err)
		assert.Len(t, r.Entry.Lowered, 4)
		assert.Equal(t, map[string]string{
			"axpy<float>":  "const float *, float *, float",
			"axpy<double>": "const double *, double *, double",
		}, r.Entry.Signatures, c.String())
		require.NoError(t, s.Close())
	}
}
