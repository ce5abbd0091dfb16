package engine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// TestRandomTogether puts real instructions together at random, some of them with a part of another. Each is refused or runs: to its end or a fault.
func TestRandomTogether(t *testing.T) {
	whole := strings.Split(`shfl.sync.bfly.b32 %r2|%p1, %r1, 3, 31, -1;shfl.down.b32 %r2, %r1, 1, 31;vote.sync.ballot.b32 %r2, %p1, -1;vote.sync.all.pred %p1, !%p2, -1
match.any.sync.b32 %r2, %r1, -1;match.all.sync.b64 %r2|%p1, %rd0, -1;redux.sync.add.s32 %r2, %r1, -1;activemask.b32 %r2;elect.sync %r2|%p1, -1
bar.sync 0;bar.arrive 1, 64;bar.red.popc.u32 %r2, 0, %p1;bar.red.and.pred %p1, 0, 64, %p2;barrier.sync 0;bar.warp.sync -1;barrier.cluster.arrive;barrier.cluster.wait
atom.global.add.u32 %r2, [%rd0], 1;atom.shared.cas.b64 %rd5, [%r5], %rd0, %rd1;atom.add.f32 %f2, [%rd0], %f1;atom.global.cas.b16 %h2, [%rd0], %h1, %h2
red.global.add.noftz.f16x2 [%rd0], %r1;red.shared.max.s64 [%r5], %rd0;atom.global.v2.f32.add {%f1, %f2}, [%rd2], {%f1, %f2}
mbarrier.init.shared.b64 [%r5+512], 40;mbarrier.arrive.shared.b64 %rd5, [%r5+512];mbarrier.arrive.expect_tx.shared.b64 _, [%r5+512], 16
mbarrier.test_wait.shared.b64 %p1, [%r5+512], %rd5;mbarrier.try_wait.parity.shared.b64 %p1, [%r5+512], 1;mbarrier.inval.shared.b64 [%r5+512];mbarrier.pending_count.b64 %r2, %rd5
cp.async.ca.shared.global [%r4], [%rd0], 4;cp.async.cg.shared.global [%r5], [%rd2], 16, %r1;cp.async.commit_group;cp.async.wait_group 0;cp.async.mbarrier.arrive.noinc.shared.b64 [%r5+512]
cp.async.bulk.commit_group;cp.async.bulk.wait_group.read 0;cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r5], 64
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd2], 16, [%r5+512]
mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2, %r3}, {%r1}, {%r1}, {%r2, %r3}
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%f1, %f2, %f3, %f4}
wmma.load.a.sync.aligned.row.m16n16k16.bf16 {%r6, %r7, %r8, %r9}, [%rd2], 16;wmma.store.d.sync.aligned.col.m16n16k16.s32 [%rd3], {%r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13}
ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r6, %r7}, [%r5];stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r6};movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r3
membar.gl;fence.acq_rel.gpu;nanosleep.u32 5;isspacep.shared %p1, %rd0;prefetch.global.L2 [%rd0];mapa.u64 %rd5, %rd0, 0;getctarank.u32 %r2, %r5;setmaxnreg.inc.sync.aligned.u32 64`,
		";")
	whole = strings.Split(strings.ReplaceAll(strings.Join(whole, ";"), "\n", ";"), ";")
	operands := strings.Split("%r1;%r2;%r2|%p1;%p1;!%p1;%rd1;%rd0;[%rd0];[%rd1+4];[%r5];[%r5+512];[shared];[%rd20];-1;0;1;4;16;31;0xffff;{%r1, %r2};{%r2};{%r2, %r3, %r4, %r6};"+
		"{%f1, %f2};%f1;%h1;_;%fd1;1.0;%tid.x;%laneid;shared", ";")
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	loaded, refused := 0, 0
	for range 3000 {
		body := atShared + "mov.f32 %f1, 0f3f800000; mov.u16 %h1, 7; mov.u64 %rd20, 0;\n"
		for range 1 + r.IntN(4) {
			form, rest, _ := strings.Cut(pick(whole), " ")
			mods := strings.Split(form, ".")
			switch r.IntN(8) {
			case 0: // a modifier less
				if i := r.IntN(len(mods)); i > 0 {
					mods = append(mods[:i:i], mods[i+1:]...)
				}
			case 1: // or one of another
				form, _, _ := strings.Cut(pick(whole), " ")
				other := strings.Split(form, ".")
				mods[r.IntN(len(mods))] = pick(other)
			}
			if r.IntN(4) == 0 {
				body += "setp.lt.u32 %p2, %r0, 16; @%p2 "
			}
			x := strings.Split(rest, ", ")
			switch r.IntN(4) {
			case 0: // another operand
				x[r.IntN(len(x))] = pick(operands)
			case 1: // one more or less
				if r.IntN(4) == 0 {
					x = append(x, pick(operands))
				} else if r.IntN(4) == 0 {
					x = x[1:]
				}
			}
			body += strings.Join(mods, ".") + " " + strings.Join(x, ", ") + ";\n"
		}
		m, err := ptx.Parse(smallText(body))
		if err != nil {
			continue
		}
		memory := NewMemory(1 << 20)
		p, err := Load(m, LoadConfig{Arch: 90, Memory: memory})
		if err != nil {
			refused++
			continue
		}
		loaded++
		in, err := memory.Alloc(4096)
		require.NoError(t, err)
		l := &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{40, 1, 1}, Params: params(in.Base, in.Base)}
		if _, err = Run(t.Context(), l, &Config{Workers: 1, MaxSteps: 10000}); err != nil {
			require.IsType(t, &Fault{}, err, body)
		}
	}
	t.Logf("%d loaded, %d were refused", loaded, refused)
	require.Greater(t, loaded, 300)
}
