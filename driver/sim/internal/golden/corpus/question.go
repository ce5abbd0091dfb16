package corpus

import (
	"fmt"
	"math"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// A Question is a program with the text of one set.
//
// Safe for concurrent use after it is made; its fields must not change.
type Question struct {
	Set     *Set
	Program *Program
	Text    string
	Exact   bool // the results are laid down to the last bit
}

// Name tells the question apart from all others.
func (q *Question) Name() string {
	if q.Exact {
		return q.Set.Name + " " + q.Program.Name()
	}
	return q.Set.Name + " " + q.Program.Name() + " within a bound"
}

// Key is what the question is about: text and inputs.
func (q *Question) Key() string {
	return golden.Key(q.Text, append(q.Program.Inputs(), []byte(fmt.Sprint(q.Program.Grid, q.Program.Block, q.Program.Shared, q.Program.Patch)))...)
}

// Questions lists what there is to ask about sets: each program with the pinned text, and with the text as it is where that is another.
//
// Safe for concurrent use.
func Questions(sets []*Set) []*Question {
	var all []*Question
	for _, s := range sets {
		for _, p := range Programs() {
			text, ok := s.Texts[p.File]
			if !ok {
				continue
			}
			pinned := Pin(text)
			exact := !Approximate(text)
			all = append(all, &Question{s, p, pinned, exact})
			if exact && pinned != text {
				all = append(all, &Question{s, p, text, false})
			}
		}
	}
	return all
}

// RunsOn reports whether a device of that compute capability, times ten, takes the set's PTX.
func (s *Set) RunsOn(arch int) bool {
	for _, text := range s.Texts {
		_, rest, _ := strings.Cut(text, ".target sm_")
		var n int
		var suffix string
		if k, _ := fmt.Sscanf(rest, "%d%1s", &n, &suffix); k == 0 {
			return false
		}
		return n == arch || n < arch && suffix != "a" && suffix != "f"
	}
	return false
}

// Bound is how far a result may be from another that is computed with other roundings, as a share of the largest of its buffer. Where ptxas
// makes an fma of two instructions, or an instruction is an approximation, results differ by a few units in the last place, and by
// more where nearly equal numbers are subtracted.
//
// Safe for concurrent use.
func (t Type) Bound() float64 {
	return map[Type]float64{F64: 0x1p-44, F32: 0x1p-16, F16: 0x1p-7, BF16: 0x1p-4}[t]
}

// Judge compares results. They are in the order of the program's buffers that it writes. share is the largest difference, as a share of what is
// allowed.
func (q *Question) Judge(want, got []golden.Output) (share float64, err error) {
	if q.Exact {
		if d := golden.Compare(want, got); d != nil {
			return 0, fmt.Errorf("%s: %s", q.Name(), d)
		}
		return 0, nil
	}
	if share, err = q.Program.Near(want, got); err != nil {
		return share, fmt.Errorf("%s: %w", q.Set.Name, err)
	}
	return share, nil
}

// Near compares results that may differ by their types' bounds. share is the largest difference, as a share of what is allowed.
func (p *Program) Near(want, got []golden.Output) (share float64, err error) {
	n, name := 0, p.Name()
	for _, a := range p.Args {
		if !a.Out {
			continue
		}
		if n >= len(want) || n >= len(got) {
			return 0, fmt.Errorf("%s: %d and %d outputs", name, len(want), len(got))
		}
		w, g := want[n], got[n]
		if d := golden.Compare([]golden.Output{w}, []golden.Output{g}); d != nil && (!a.Type.Float() || d.Index < 0) {
			return share, fmt.Errorf("%s: output %d: %s", name, n, d)
		}
		s, at := a.Type.apart(w, g)
		share = max(share, s)
		if !(s <= 1) {
			i := at * w.Width
			return share, fmt.Errorf("%s: output %d: number %d is %v instead of %v", name, n, at, a.Type.value(g.Data[i:]), a.Type.value(w.Data[i:]))
		}
		n++
	}
	return share, nil
}

// apart is the largest difference of two floating-point outputs, as a share of the bound, and where it is.
func (t Type) apart(want, got golden.Output) (share float64, at int) {
	if !t.Float() {
		return 0, 0
	}
	largest := 0.0
	for i := range want.Len() {
		if v := math.Abs(t.value(want.Data[i*want.Width:])); v > largest && !math.IsInf(v, 0) {
			largest = v
		}
	}
	for i := range want.Len() {
		w, g := t.value(want.Data[i*want.Width:]), t.value(got.Data[i*got.Width:])
		if w == g || w != w && g != g {
			continue
		}
		s := math.Abs(w-g) / (t.Bound() * largest)
		if s != s || s > share {
			share, at = s, i
			if s != s {
				return math.Inf(1), i
			}
		}
	}
	return share, at
}

// Loads is what becomes of a text when the engine loads it: nil, or why not.
//
// Safe for concurrent use.
func Loads(text string) error {
	if _, err := ptx.Parse(text); err != nil {
		return err
	}
	m, err := golden.Simulated{}.Load(text)
	if err != nil {
		return err
	}
	return m.Close()
}
