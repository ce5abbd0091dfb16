package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// TestCalled has a fault in a function say where that was called: with a line of the source, without one, deep in a recursion.
func TestCalled(t *testing.T) {
	m, err := ptx.Parse(`.version 8.1
.target sm_90
.address_size 64
.func load(.param .u64 at) {
	.reg .b64 %at;
	.reg .b32 %v;
	ld.param.u64 %at, [at];
	ld.u32 %v, [%at];
	ret;
}
.func deep(.param .u32 n) {
	.reg .pred %p;
	.reg .b32 %n;
	ld.param.u32 %n, [n];
	sub.u32 %n, %n, 1;
	setp.eq.u32 %p, %n, 0;
	@%p trap;
	{ .param .b32 a; st.param.b32 [a], %n; call deep, (a); }
	ret;
}
.visible .entry lines() {
	.loc 1 30 2
	{ .param .b64 a; st.param.b64 [a], 0; call load, (a); }
	ret;
}
.visible .entry plain() {
	{ .param .b64 a; st.param.b64 [a], 0; call load, (a); }
	{ .param .b64 a; st.param.b64 [a], 0; call load, (a); }
	ret;
}
.visible .entry recursion() {
	{ .param .b32 a; st.param.b32 [a], 9; call deep, (a); }
	ret;
}
.visible .entry here() {
	trap;
}
.file 1 "k.cu"
`)
	require.NoError(t, err)
	p, err := Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 20)})
	require.NoError(t, err)
	for name, want := range map[string]string{
		"lines":     "lines: null pointer: 4 bytes at 0x0; called at k.cu:30:2, block (0,0,0), thread (0,0,0), PTX line 8 (ld.u32)",
		"plain":     "plain: null pointer: 4 bytes at 0x0; called at PTX line 27, block (0,0,0), thread (0,0,0), PTX line 8 (ld.u32)",
		"recursion": "recursion: trap; called at PTX line 18 (8 times), PTX line 32, block (0,0,0), thread (0,0,0), PTX line 17 (trap)",
		"here":      "here: trap; block (0,0,0), thread (0,0,0), PTX line 36 (trap)",
	} {
		_, err := Run(context.Background(), &Launch{Kernel: p.Kernel(name), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}}, &Config{})
		assert.EqualError(t, err, want)
	}
}
