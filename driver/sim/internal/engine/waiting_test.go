package engine

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEndless runs loops that never end in as many ways as there are to go round.
func TestEndless(t *testing.T) {
	for _, c := range []struct {
		name, body string
		blocks     uint32
		threads    int
		line       int
	}{
		{name: "one warp", body: "L: add.u32 %r2, %r2, 1;\nbra L;", line: 22},
		{name: "two warps, one of them ends", body: "setp.ge.u32 %p1, %r0, 32; @%p1 ret;\nL: add.u32 %r2, %r2, 1;\nbra L;", threads: 64, line: 23},
		{name: "barriers", body: "L: bar.sync 0;\nbra L;", threads: 128, line: 22},
		{name: "lanes that meet", body: "L: bar.warp.sync 0xffffffff;\nbra L;", line: 22},
		{name: "a lane's own loop", body: "setp.ne.u32 %p1, %r0, 7; @%p1 bra END;\nL: bra L;\nEND:", line: 23},
		{name: "a word that another block never writes", body: "L: ld.volatile.global.u32 %r2, [%rd2];\nsetp.eq.u32 %p1, %r2, 0; @%p1 bra L;", blocks: 80, line: 22},
		{name: "polled between barriers", body: "L: bar.sync 0; ld.volatile.global.u32 %r2, [%rd2];\nsetp.eq.u32 %p1, %r2, 0; @%p1 bra L;", blocks: 80, threads: 64, line: 22},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, m := loadText(t, smallText(c.body))
			in, err := m.Alloc(4096)
			require.NoError(t, err)
			threads := max(c.threads, 32)
			l := &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{max(c.blocks, 1), 1, 1}, Block: [3]uint32{uint32(threads), 1, 1}, Params: params(in.Base, in.Base)}
			for _, workers := range []int{1, 2} {
				_, err = Run(context.Background(), l, &Config{MaxSteps: 100000, Workers: workers})
				f, ok := err.(*Fault)
				require.True(t, ok, "%v", err)
				assert.Equal(t, Endless, f.Kind)
				assert.InDelta(t, c.line, f.Line, 1)
				assert.Equal(t, "more than 100000 steps", f.Detail)
			}
		})
	}
}

// TestStoppedBetweenBlocks: a launch of blocks that each end, whose context ends, says where it was; of one that was through by then there is nothing to say.
func TestStoppedBetweenBlocks(t *testing.T) {
	p, m := loadText(t, smallText("ret;"))
	in, err := m.Alloc(4096)
	require.NoError(t, err)
	for _, workers := range []int{1, 2} {
		l := &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{1<<31 - 1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params(in.Base, in.Base)}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, err = Run(ctx, l, &Config{Workers: workers})
		f, ok := err.(*Fault)
		require.True(t, ok, "%v", err)
		assert.Equal(t, Endless, f.Kind)
		assert.NotZero(t, f.Block[0])
		assert.Contains(t, f.Detail, "it was still running and was stopped")
		l.Grid[0] = 1
		_, err = Run(ctx, l, &Config{Workers: workers})
		assert.Equal(t, context.DeadlineExceeded, err)
	}
}

// TestPolledBetweenBarriers has a block that goes from barrier to barrier until one that begins later writes.
func TestPolledBetweenBarriers(t *testing.T) {
	body := lines("mov.u32 %r3, %ctaid.x; mov.u32 %r4, %nctaid.x; sub.u32 %r4, %r4, 1; setp.eq.u32 %p1, %r3, %r4; @%p1 bra LAST;",
		"L: bar.sync 0; ld.volatile.global.u32 %r2, [%rd2]; setp.eq.u32 %p2, %r2, 0; @%p2 bra L; ret;",
		"LAST: st.volatile.global.u32 [%rd2], 1;")
	p, m := loadText(t, smallText(body))
	in, err := m.Alloc(4096)
	require.NoError(t, err)
	l := &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{20, 1, 1}, Block: [3]uint32{64, 1, 1}, Params: params(in.Base, in.Base)}
	_, err = Run(context.Background(), l, &Config{Workers: 1, MaxSteps: 1 << 22})
	require.NoError(t, err)
}

func TestThreadSet(t *testing.T) {
	for want, s := range map[string]threadSet{
		"0 threads ()":           nil,
		"1 threads (5)":          threadSet(nil).with(0, 1<<5),
		"34 threads (31-63, 65)": threadSet(nil).with(0, 1<<31).with(1, full).with(2, 2),
		"64 threads (0-63)":      {full, full},
		"10 threads (0, 2, 4, 6, 8, 10, 12, 14, …)": {0x55555},
	} {
		assert.Equal(t, want, s.text("threads "))
	}
}

// TestInlined has code inlined in code that is inlined twice.
func TestInlined(t *testing.T) {
	text := smallText(lines(".loc 1 12 2", ".loc 1 7 2, function_name $L__info_string0, inlined_at 1 12 2", "mov.u32 %r2, 0;",
		".loc 1 13 2", ".loc 1 7 2, function_name $L__info_string0, inlined_at 1 13 2", ".loc 1 2 3, function_name $L__info_string1, inlined_at 1 7 2", "mov.u64 %rd4, 0;",
		".loc 1 3 4, function_name $L__info_string1, inlined_at 1 7 2", "ld.global.u32 %r2, [%rd4];")) + "\n.file 1 \"k.cu\"\n" +
		".section .debug_str\n{\n$L__info_string0:\n.b8 95,0\n$L__info_string1:\n.b8 95,0\n}\n"
	p, m := loadText(t, text)
	in, err := m.Alloc(4096)
	require.NoError(t, err)
	_, err = Run(context.Background(), &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Params: params(in.Base, in.Base)}, &Config{})
	require.EqualError(t, err, "k: null pointer: 4 bytes at 0x0; k.cu:3:4 (inlined at k.cu:7:2, k.cu:13:2), block (0,0,0), thread (0,0,0), PTX line 30 (ld.global.u32)")
}
