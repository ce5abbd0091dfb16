package driver_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/jitlink"
)

// gpuKernels are for the tests on a GPU.
const gpuKernels = `
.version 6.0
.target sm_52
.address_size 64

.extern .shared .align 16 .b8 dynamic[];
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 message[6] = {119, 114, 111, 110, 103, 0};
.global .align 1 .b8 where[5] = {104, 101, 114, 101, 0};

// out[0] = the last byte of n bytes of dynamic shared memory, having been set to 7
.visible .entry shared(.param .u64 out, .param .u32 n)
{
	.reg .b64 %rd<5>;
	.reg .b32 %r<5>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [n];
	cvta.to.global.u64 %rd2, %rd1;
	sub.u32 %r2, %r1, 4;
	mov.u32 %r3, dynamic;
	add.u32 %r3, %r3, %r2;
	mov.u32 %r4, 7;
	st.volatile.shared.u32 [%r3], %r4;
	ld.volatile.shared.u32 %r4, [%r3];
	st.global.u32 [%rd2], %r4;
	ret;
}

// *p += 1 by each thread
.visible .entry count(.param .u64 p)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<3>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, 1;
	red.global.add.u32 [%rd2], %r1;
	ret;
}

// runs for ns nanoseconds
.visible .entry spin(.param .u64 ns)
{
	.reg .b64 %rd<5>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [ns];
	mov.u64 %rd2, %globaltimer;
LOOP:
	mov.u64 %rd3, %globaltimer;
	sub.u64 %rd4, %rd3, %rd2;
	setp.lt.u64 %p1, %rd4, %rd1;
	@%p1 bra LOOP;
	ret;
}

.visible .entry illegal()
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	mov.u64 %rd1, 64;
	mov.u32 %r1, 1;
	st.global.u32 [%rd1], %r1;
	ret;
}

.visible .entry trapped()
{
	trap;
	ret;
}

.visible .entry misaligned(.param .u64 p)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd1, %rd1;
	add.u64 %rd2, %rd1, 1;
	mov.u32 %r1, 1;
	st.global.u32 [%rd2], %r1;
	ret;
}

.visible .entry asserted()
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	mov.u64 %rd1, message;
	cvta.global.u64 %rd1, %rd1;
	mov.u64 %rd2, where;
	cvta.global.u64 %rd2, %rd2;
	mov.u32 %r1, 42;
	{
	.param .b64 a;
	.param .b64 b;
	.param .b32 c;
	.param .b64 d;
	.param .b64 e;
	st.param.b64 [a], %rd1;
	st.param.b64 [b], %rd2;
	st.param.b32 [c], %r1;
	st.param.b64 [d], %rd2;
	mov.u64 %rd1, 1;
	st.param.b64 [e], %rd1;
	call.uni __assertfail, (a, b, c, d, e);
	}
	ret;
}
`

// clusterKernels need compute capability 9.0.
const clusterKernels = `
.version 7.8
.target sm_90
.address_size 64

// out[block] = the number of blocks in its cluster
.visible .entry clusters(.param .u64 out)
{
	.reg .b64 %rd<5>;
	.reg .b32 %r<3>;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %cluster_nctaid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], %r2;
	ret;
}

.visible .entry compiled(.param .u64 out)
.explicitcluster
.reqnctapercluster 4, 1, 1
{
	.reg .b64 %rd<5>;
	.reg .b32 %r<3>;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %cluster_nctaid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], %r2;
	ret;
}
`

// The PTX that the GPU tests load must be right where there is no GPU, too.
func TestPTXIsValid(t *testing.T) {
	path := ""
	if found, _ := filepath.Glob("../.deps/nvjitlink-*/usr/lib/*/libnvJitLink.so.*"); len(found) > 0 {
		path = filepath.Dir(found[0])
	}
	l, err := jitlink.Open(jitlink.Config{Path: path})
	if err != nil {
		skip(t, "nvjitlink", err.Error())
	}
	for name, ptx := range map[string]string{"kernels": kernels, "gpuKernels": gpuKernels, "clusterKernels": clusterKernels} {
		k, err := l.NewLink("-arch=sm_90")
		require.NoError(t, err)
		require.NoError(t, k.Add(jitlink.PTX, []byte(ptx), name))
		require.NoError(t, k.Complete(), name)
		require.NoError(t, k.Close())
	}
}
