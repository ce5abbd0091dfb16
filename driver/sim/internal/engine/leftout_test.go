package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLeftOut refuses by name, when a module is loaded, what EXACT.md says is left out.
func TestLeftOut(t *testing.T) {
	for _, body := range []string{
		"vadd.u32.u32.u32.sat %r2, %r1.b0, %r0.h1, %r3;",
		"vset.s32.u32.lt %r2, %r1, %r0;",
		"vmad.s32.s32.s32.shr15 %r2, %r1, %r0, %r3;",
		"cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1;",
		"cvt.rn.satfinite.e5m2x2.f16x2 %h0, %r1;",
		"cvt.rn.f16x2.e4m3x2 %r2, %h0;",
		"cvt.rn.satfinite.f16.f32 %h0, %f0;",
		"cvt.rna.satfinite.tf32.f32 %r2, %f0;",
		"cvt.rn.bf16.f16 %h0, %h1;",
		"cvt.rn.f16.bf16 %h0, %h1;",
		"cvt.pack.sat.u16.s32 %r2, %r1, %r0;",
		"ld.global.b128 %rd5, [%rd2];",
		"atom.global.cas.b128 %rd5, [%rd2], %rd3, %rd4;",
		"multimem.ld_reduce.global.add.u32 %r2, [%rd0];",
		"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r2], %r1, [%r3];",
		"red.async.relaxed.cluster.global.add.u32 [%rd0], %r1;",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r2], 16;",
		"wgmma.fence.sync.aligned;",
		"alloca.u64 %rd5, 16;",
		"brkpt;",
	} {
		form := strings.TrimSuffix(strings.Fields(body)[0], ";")
		assert.EqualError(t, loadSmall(t, body), "unsupported instruction "+form+" (PTX line 22)")
	}
}
