package jitlink_test

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/jitlink"
)

// library opens the nvJitLink that ci/setup has unpacked, or the machine's own.
func library(t *testing.T) *jitlink.Library {
	t.Helper()
	path := ""
	if found, _ := filepath.Glob("../../.deps/nvjitlink-*/usr/lib/*/libnvJitLink.so.*"); len(found) > 0 {
		path = filepath.Dir(found[0])
	}
	l, err := jitlink.Open(jitlink.Config{Path: path})
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), "nvjitlink") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return l
}

const caller = `
.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .u32 r) twice (.param .u32 x);
.visible .entry k(.param .u64 out)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<3>;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, 21;
	{
	.param .b32 a;
	st.param.b32 [a], %r1;
	.param .b32 b;
	call.uni (b), twice, (a);
	ld.param.b32 %r2, [b];
	}
	st.global.u32 [%rd2], %r2;
	ret;
}
`

const callee = `
.version 8.0
.target sm_75
.address_size 64
.visible .func (.param .u32 r) twice (.param .u32 x)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [x];
	add.u32 %r2, %r1, %r1;
	st.param.u32 [r], %r2;
	ret;
}
`

func TestLink(t *testing.T) {
	l := library(t)
	require.NotEmpty(t, l.Path())
	t.Log(l.Path(), l.Version())
	k, err := l.NewLink("-arch=sm_75")
	require.NoError(t, err)
	defer k.Close()
	require.NoError(t, k.Add(jitlink.PTX, []byte(caller), "caller.ptx"))
	require.NoError(t, k.Add(jitlink.PTX, []byte(callee), "callee.ptx"))
	require.NoError(t, k.Complete())
	cubin, err := k.Cubin()
	require.NoError(t, err)
	cubin[20], cubin[21], cubin[22], cubin[23] = 1, 0, 0, 0 // NVIDIA puts a version of its own there
	f, err := elf.NewFile(bytes.NewReader(cubin))
	require.NoError(t, err)
	require.NotNil(t, f.Section(".text.k"))
	require.NoError(t, k.Close())
	require.NoError(t, k.Close())
	require.ErrorIs(t, k.Complete(), jitlink.ErrClosed)
}

func TestErrors(t *testing.T) {
	l := library(t)
	_, err := l.NewLink("-lineinfo")
	require.ErrorIs(t, err, jitlink.MissingArch)
	require.ErrorContains(t, err, "-arch=sm_90")

	_, err = l.NewLink("-arch=sm_75", "-nonsense")
	require.ErrorIs(t, err, jitlink.UnrecognizedOption)
	require.ErrorContains(t, err, "-nonsense")

	_, err = l.NewLink("-arch=sm_75", "-a\x00b")
	require.ErrorContains(t, err, "option 1")
	require.ErrorContains(t, err, "offset 2")

	t.Run("unresolved", func(t *testing.T) {
		k, err := l.NewLink("-arch=sm_75")
		require.NoError(t, err)
		defer k.Close()
		require.NoError(t, k.Add(jitlink.PTX, []byte(caller), "caller.ptx"))
		err = k.Complete()
		require.Error(t, err) // which name it is, 12.4 writes to the standard output only
		_, err = k.Cubin()
		require.Error(t, err)
	})
	t.Run("bad PTX", func(t *testing.T) {
		k, err := l.NewLink("-arch=sm_75")
		require.NoError(t, err)
		defer k.Close()
		bad := strings.Replace(callee, "add.u32", "sum.u32", 1)
		err = k.Add(jitlink.PTX, []byte(bad), "bad.ptx")
		if err == nil {
			err = k.Complete()
		}
		require.ErrorIs(t, err, jitlink.PTXCompile)
		require.ErrorContains(t, err, "sum")
		require.Contains(t, k.Log(), "sum")
	})
	t.Run("no bytes", func(t *testing.T) {
		k, err := l.NewLink("-arch=sm_75")
		require.NoError(t, err)
		defer k.Close()
		require.ErrorIs(t, k.Add(jitlink.PTX, nil, "empty"), jitlink.InvalidInput)
		require.Error(t, k.AddFile(jitlink.Any, "no/such/file"))
	})
}

func TestLinksSideBySide(t *testing.T) {
	l := library(t)
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		all.Go(func() {
			k, err := l.NewLink("-arch=sm_75")
			if err != nil {
				errs[i] = err
				return
			}
			defer k.Close()
			errs[i] = errors.Join(k.Add(jitlink.PTX, []byte(caller), "a"), k.Add(jitlink.PTX, []byte(callee), "b"), k.Complete())
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
}
