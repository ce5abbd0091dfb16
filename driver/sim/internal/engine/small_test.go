package engine

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// smallText is a kernel around a few instructions: %r0 is the thread, %r1 its input word; %rd0 and %rd1 are where its input and
// output words are, %rd2 and %rd3 where those of the first thread are.
func smallText(body string) string {
	return `.version 8.4
.target sm_90
.address_size 64
.global .align 16 .b8 global[1024];
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .pred %p<16>;
	.reg .b16 %h<16>;
	.reg .b32 %r<64>;
	.reg .f32 %f<64>;
	.reg .b64 %rd<32>;
	.reg .f64 %fd<32>;
	.shared .align 16 .b8 shared[8192];
	.local .align 16 .b8 local[64];
	ld.param.u64 %rd2, [in];
	ld.param.u64 %rd3, [out];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd4, %r0, 4;
	add.u64 %rd0, %rd2, %rd4;
	add.u64 %rd1, %rd3, %rd4;
	ld.global.u32 %r1, [%rd0];
` + body + `
	ret;
}
`
}

// A small is a small kernel's run.
type small struct {
	threads int
	in      func(i int) uint32 // nil: the thread's number
	inputs  int                // words of input, 0: one for each thread
	words   int                // of output, 0: one for each thread
	config  Config
}

// run gives the output words.
func (s small) run(t testing.TB, body string) ([]uint32, error) {
	t.Helper()
	if s.threads == 0 {
		s.threads = 32
	}
	if s.in == nil {
		s.in = func(i int) uint32 { return uint32(i) }
	}
	if s.words == 0 {
		s.words = s.threads
	}
	if s.inputs == 0 {
		s.inputs = s.threads
	}
	p, m := loadText(t, smallText(body))
	in, err := m.Alloc(int64(4 * s.inputs))
	require.NoError(t, err)
	out, err := m.Alloc(int64(4 * s.words))
	require.NoError(t, err)
	for i := range s.inputs {
		binary.LittleEndian.PutUint32(in.Data[4*i:], s.in(i))
	}
	if s.config.MaxSteps == 0 {
		s.config.MaxSteps = 1 << 24
	}
	l := &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{uint32(s.threads), 1, 1}, Params: params(in.Base, out.Base)}
	_, err = Run(context.Background(), l, &s.config)
	words := make([]uint32, s.words)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(out.Data[4*i:])
	}
	return words, err
}

// loadSmall is the error of loading a small kernel.
func loadSmall(t testing.TB, body string) error {
	t.Helper()
	m, err := ptx.Parse(smallText(body))
	require.NoError(t, err)
	_, err = Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 20)})
	return err
}

// lines joins instructions.
func lines(s ...string) string { return strings.Join(s, "\n") }
