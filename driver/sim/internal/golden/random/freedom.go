package random

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// A freedom is a place where a GPU may do something else than a program's text says, because ptxas makes something else of it: the engine does
// what the text says. Six kinds are known, seen in machine code of CUDA 12.4 and in the answers of driver 580: three faults of ptxas, and
// three liberties that it takes with the bits of NaNs.
type freedom struct {
	line    int
	instead string
}

// Open are the programs whose recorded answers no choice of freedoms explains. They negate NaNs or take their magnitude, which ptxas
// makes part of some of the uses and not of others.
//
// Safe for concurrent use; it must not be changed.
var Open = map[int]bool{131: true, 252: true, 254: true, 328: true, 369: true}

// dropped are lines whose guard ptxas drops: they stand in a loop that a branch on the same predicate jumps over, and ptxas takes them to be in
// the part of the program where it is known, though the loop changes it.
var dropped = map[int]string{303: "\t@%p2 shr.s32 %r4, %r1, 24;"}

const guard = `^\s*(@!?%p\d )?`

var (
	guards = regexp.MustCompile(guard)
	// The guard of testp is dropped.
	testp = regexp.MustCompile(guard + `(testp\..*)$`)
	// Under a guard, set to a floating-point type converts what the register held to such a type where it is not to write it.
	set = regexp.MustCompile(guard + `(set\.\w+\.f32\.f32) (%f\d), (.*)$`)
	// The lesser of a register and itself is a copy, which keeps the payload of a NaN.
	same = regexp.MustCompile(guard + `(?:min|max)\.f32 (%f\d), (%f\d), (%f\d);$`)
	// neg and abs become part of what uses them, or of a selection: bits of a NaN are changed like those of a number.
	sign   = regexp.MustCompile(guard + `(neg|abs)\.f32 (%f\d), (%f\d);$`)
	sign64 = regexp.MustCompile(guard + `neg\.f64 (%g\d), (%g\d);$`)
	// Two operands change places; of two NaNs another one comes out.
	swap  = regexp.MustCompile(guard + `((?:add|mul|fma|min|max)\.(?:r[nzmp]\.)?f64) (%g\d), (%g\d), (%g\d)(.*)$`)
	minus = regexp.MustCompile(guard + `sub\.(r[nzmp])\.f64 (%g\d), (%g\d), (%g\d);$`)
)

// faulty is a line as ptxas takes it.
func faulty(line string) string {
	if m := testp.FindStringSubmatch(line); m != nil {
		return m[2]
	}
	if m := set.FindStringSubmatch(line); m != nil && m[1] != "" {
		return fmt.Sprintf("{ .reg .b32 %%w; .reg .f32 %%v; %s %%v, %s mov.b32 %%w, %s; abs.s32 %%w, %%w; cvt.rn.f32.s32 %s, %%w; %smov.f32 %s, %%v; }", m[2], m[4], m[3], m[3], m[1], m[3])
	}
	return line
}

// free is what ptxas may make of a line, "" where it has no choice that is known.
func free(line string) string {
	if m := same.FindStringSubmatch(line); m != nil && m[3] == m[4] {
		return fmt.Sprintf("%smov.f32 %s, %s;", m[1], m[2], m[3])
	}
	if m := sign.FindStringSubmatch(line); m != nil {
		op := map[string]string{"neg": "xor.b32 %w, %w, 0x80000000", "abs": "and.b32 %w, %w, 0x7fffffff"}[m[2]]
		return fmt.Sprintf("{ .reg .b32 %%w; mov.b32 %%w, %s; %s; %smov.b32 %s, %%w; }", m[4], op, m[1], m[3])
	}
	if m := sign64.FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("{ .reg .b64 %%w; mov.b64 %%w, %s; xor.b64 %%w, %%w, 0x8000000000000000; %smov.b64 %s, %%w; }", m[3], m[1], m[2])
	}
	if m := swap.FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("%s%s %s, %s, %s%s", m[1], m[2], m[3], m[5], m[4], m[6])
	}
	if m := minus.FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("{ .reg .f64 %%w; neg.f64 %%w, %s; %sadd.%s.f64 %s, %%w, %s; }", m[5], m[1], m[2], m[3], m[4])
	}
	return ""
}

// most is how many freedoms of a program are looked at together.
const most = 10

// Agrees reports whether the machine gives a program's wanted results, whose digest that is, for its text as ptxas may take it.
func (p *Program) Agrees(m golden.Machine, want []golden.Output) (bool, error) {
	out, err := p.Run(m)
	if err != nil || golden.Compare(want, Digest(out)) == nil {
		return err == nil, err
	}
	lines := strings.Split(p.Text, "\n")
	var all []freedom
	for i, l := range lines {
		if d, ok := dropped[p.Seed]; ok && l == d {
			l = guards.ReplaceAllString(l, "")
		}
		lines[i] = faulty(l)
		if f := free(l); f != "" {
			all = append(all, freedom{i, f})
		}
	}
	base, err := p.rewritten(lines, nil).Run(m)
	if err != nil || golden.Compare(want, Digest(base)) == nil {
		return err == nil, err
	}
	every, err := p.rewritten(lines, all).Run(m)
	if err != nil {
		return false, err
	}
	var live []freedom // those that make a difference: by themselves, or to all the others
	for i, f := range all {
		out, err := p.rewritten(lines, []freedom{f}).Run(m)
		if err != nil {
			return false, err
		}
		without, err := p.rewritten(lines, slices.Concat(all[:i], all[i+1:])).Run(m)
		if err != nil {
			return false, err
		}
		if (!bytes.Equal(out, base) || !bytes.Equal(without, every)) && len(live) < most {
			live = append(live, f)
		}
	}
	for set := 1; set < 1<<len(live); set++ {
		var taken []freedom
		for i, f := range live {
			if set>>i&1 != 0 {
				taken = append(taken, f)
			}
		}
		out, err := p.rewritten(lines, taken).Run(m)
		if err != nil || golden.Compare(want, Digest(out)) == nil {
			return err == nil, err
		}
	}
	return false, nil
}

// rewritten is the program with other lines.
func (p *Program) rewritten(lines []string, taken []freedom) *Program {
	lines = slices.Clone(lines)
	for _, f := range taken {
		lines[f.line] = f.instead
	}
	q := *p
	q.Text = strings.Join(lines, "\n")
	return &q
}
