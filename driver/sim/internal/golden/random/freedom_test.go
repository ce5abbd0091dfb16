package random

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// kernel is a program of one thread that has some lines between loading and storing: %g0 and %g1 hold NaNs of double precision, %f0 holds one of
// single precision, %f1 holds the bits of the integer 6, %p0 is false.
func kernel(lines string) *Program {
	w := &writer{dice: golden.NewDice("freedom"), threads: 32, indent: 1}
	w.p(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{")
	for _, b := range banks {
		w.p(".reg .%s %%%s<%d>;", b.decl, b.letter, b.n)
	}
	w.p(".reg .b64 %%in, %%out, %%t64;\n.reg .b32 %%gid, %%t<4>;\nld.param.u64 %%out, [out];\nmov.u32 %%gid, %%tid.x;")
	for _, b := range banks {
		for i := range b.n {
			if b.letter == "p" {
				w.p("setp.ne.u32 %%p%d, %%gid, %%gid;", i)
			} else {
				w.p("mov.%s %%%s%d, 0;", b.decl, b.letter, i)
			}
		}
	}
	w.p("mov.b64 %%g0, 0x7ff8000000000001;\nmov.b64 %%g1, 0xfff8000000000002;\nmov.b32 %%f0, 0x7fc00003;\nmov.b32 %%f1, 6;")
	w.p("%s", lines)
	w.end()
	w.p("}")
	return &Program{Text: w.out.String(), Grid: dims(1), Block: dims(1)}
}

func dims(x uint32) [3]uint32 { return [3]uint32{x, 1, 1} }

// TestFreedoms takes a line and what ptxas may make of it: the results of both are agreed to, those of a third do not.
func TestFreedoms(t *testing.T) {
	for _, x := range []struct{ line, taken, wrong string }{
		{"@%p0 testp.finite.f32 %p1, %f1;", "testp.finite.f32 %p1, %f1;", "mov.b32 %f2, 1;"},
		{"@%p0 set.gt.f32.f32 %f1, %f0, %f0;", "mov.b32 %f1, 0x40c00000;", "mov.b32 %f1, 0;"},
		{"min.f32 %f2, %f0, %f0;", "mov.f32 %f2, %f0;", "mov.f32 %f2, %f1;"},
		{"abs.f32 %f2, %f0;", "mov.f32 %f2, %f0;", "mov.b32 %f2, 0xffc00003;"},
		{"neg.f32 %f2, %f0;", "mov.b32 %f2, 0xffc00003;", "mov.b32 %f2, 0x7fc00003;"},
		{"@!%p0 neg.f64 %g2, %g0;", "mov.b64 %g2, 0xfff8000000000001;", "mov.b64 %g2, 0xfff8000000000002;"},
		{"add.rn.f64 %g2, %g0, %g1;", "mov.b64 %g2, %g0;", "mov.b64 %g2, 0xfff8000000000000;"},
		{"sub.rz.f64 %g2, %g0, %g1;", "mov.b64 %g2, %g0;", "mov.b64 %g2, 0x7ff8000000000002;"},
		{"fma.rp.f64 %g2, %g0, %g1, %g3;", "mov.b64 %g2, %g0;", "mov.b64 %g2, %g3;"},
		{"max.f64 %g2, %g0, %g1;\nmin.f64 %g3, %g0, %g1;", "mov.b64 %g2, %g0;\nmov.b64 %g3, %g1;", "mov.b64 %g2, %g0;\nmov.b64 %g3, %g2;\nmov.b32 %f2, 1;"},
	} {
		p := kernel(x.line)
		for _, made := range []string{x.line, x.taken, x.wrong} {
			out, err := kernel(made).Run(golden.Simulated{})
			require.NoError(t, err)
			ok, err := p.Agrees(golden.Simulated{}, Digest(out))
			require.NoError(t, err)
			assert.Equal(t, made != x.wrong, ok, "%s as %s", x.line, made)
		}
	}
}

// TestFree has the lines of programs: those that ptxas may take otherwise are found, and the others are left alone.
func TestFree(t *testing.T) {
	kinds := map[string]int{}
	for seed := range 60 {
		for line := range strings.Lines(New(seed).Text) {
			line = strings.TrimSuffix(line, "\n")
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			guarded := fields[0][0] == '@'
			if guarded {
				fields = fields[1:]
			}
			opcode := fields[0]
			operands := strings.Split(strings.TrimSuffix(strings.Join(fields[1:], ""), ";"), ",")
			want := opcode == "neg.f64" || opcode == "neg.f32" || opcode == "abs.f32" || opcode == "sub.rz.f64" ||
				strings.HasSuffix(opcode, ".f64") && slices.Contains([]string{"add", "mul", "fma", "min", "max"}, opcode[:3]) ||
				(opcode == "min.f32" || opcode == "max.f32") && operands[1] == operands[2]
			assert.Equal(t, want, free(line) != "", line)
			assert.Equal(t, guarded && (opcode == "set.gt.f32.f32" || strings.HasPrefix(opcode, "testp")), faulty(line) != line && guarded, line)
			if want {
				kinds[fmt.Sprint(opcode, guarded)]++
			}
		}
	}
	assert.Greater(t, len(kinds), 15)
}
