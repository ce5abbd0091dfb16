package forms

import (
	"fmt"
	"math"
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// Errors is how exact the results of an approximate form are.
//
// Safe for concurrent use after it is made; its fields must not change.
type Errors struct {
	Allowed   string  // what the manual allows
	Want, Got float64 // the largest error of the recorded and of the simulated results, as a share of that
	Apart     uint64  // how far they are apart at most, in units of the last place
}

// bound finds the bound of an approximate case.
func (c *Case) bound() (bound, bool) {
	name := strings.TrimSuffix(strings.ReplaceAll(c.Form, ".ftz", ""), "x2")
	if c.Form == "rsqrt.approx.f64" {
		name = "rsqrt.approx full"
	}
	b, ok := bounds[name]
	return b, ok
}

// Measure compares the results of an approximate case with recorded ones and with the exact results. Its error is the first simulated one that is
// further off than is allowed, or that is not the special value that was recorded.
func (c *Case) Measure(want, got []golden.Output) (Errors, error) {
	b, ok := c.bound()
	if !ok {
		return Errors{}, fmt.Errorf("%s: no bound is written down for it", c.Name)
	}
	if len(want) != 1 || len(got) != 1 || len(want[0].Data) != len(got[0].Data) || want[0].Width != got[0].Width {
		return Errors{}, fmt.Errorf("%s: %s", c.Name, golden.Compare(want, got))
	}
	e := Errors{Allowed: b.text}
	k := kindOf(c.Out[0])
	operands := c.Operands()
	var failed error
	for i := range want[0].Len() {
		for lane := range max(k.lanes, 1) {
			x := make([]float64, len(operands))
			for j, o := range operands {
				x[j] = c.operand(k.float, golden.Output{Width: kindOf(c.In[j]).size, Data: o}.At(i)>>(16*lane))
			}
			w, g := want[0].At(i)>>(16*lane), got[0].At(i)>>(16*lane)
			if err := e.measure(c, b, k.float, x, w&(1<<k.float.bits()-1), g&(1<<k.float.bits()-1)); err != nil && failed == nil {
				failed = fmt.Errorf("%s of %v, tuple %d: %w", c.Name, x, i, err)
			}
		}
	}
	return e, failed
}

// operand is what the instruction takes an operand for.
func (c *Case) operand(f *format, v uint64) float64 {
	x := f.value(v & (1<<f.bits() - 1))
	if c.flushes() && math.Abs(x) < f.smallest() {
		return math.Copysign(0, x)
	}
	if strings.HasSuffix(c.Form, ".ftz.f64") { // the lower word does not count
		x = math.Float64frombits(math.Float64bits(x) &^ 0xffffffff)
	}
	return x
}

func (c *Case) flushes() bool { return strings.Contains(c.Form, ".ftz") }

func (e *Errors) measure(c *Case, b bound, f *format, x []float64, want, got uint64) error {
	exact := b.exact(x)
	far := max(b.far(x, exact), f.value(1))
	if c.flushes() && math.Abs(exact) < f.smallest()*1.001 {
		far = max(far, f.smallest())
	}
	w, g := f.value(want), f.value(got)
	huge := func(v float64) bool { return math.Abs(v) > f.largest()*0.999 }
	switch special := w != w || g != g || math.IsInf(w, 0) || math.IsInf(g, 0); {
	case want == got:
	case w == 0 && g == 0, special && !(huge(w) && huge(g) && huge(exact) && math.Signbit(w) == math.Signbit(g)):
		return fmt.Errorf("%#x instead of %#x", got, want)
	case !special && far == far:
		e.Apart = max(e.Apart, f.apart(want, got))
	}
	if w != w || g != g || huge(exact) || far != far || exact != exact {
		return nil
	}
	share := func(v float64) float64 {
		if v == exact {
			return 0
		}
		return math.Abs(v-exact) / far
	}
	e.Want, e.Got = max(e.Want, share(w)), max(e.Got, share(g))
	if share(g) > 1 || share(w) > 1 {
		return fmt.Errorf("%#x (%v) is the simulated result, %#x (%v) the recorded one: one is further than is allowed from %v", got, g, want, w, exact)
	}
	return nil
}

// value is the number that bits stand for.
func (f *format) value(v uint64) float64 {
	sign, exp, man := v>>(f.bits()-1)&1, int(v>>f.man&(1<<f.exp-1)), v&(1<<f.man-1)
	var x float64
	switch {
	case exp == 1<<f.exp-1 && man != 0:
		return math.NaN()
	case exp == 1<<f.exp-1:
		x = math.Inf(1)
	case exp == 0:
		x = math.Ldexp(float64(man), 1-f.bias()-f.man)
	default:
		x = math.Ldexp(float64(man|1<<f.man), exp-f.bias()-f.man)
	}
	if sign != 0 {
		x = -x
	}
	return x
}

// smallest is the smallest number that is not subnormal, largest the largest of all.
func (f *format) smallest() float64 { return math.Ldexp(1, 1-f.bias()) }
func (f *format) largest() float64 {
	return math.Ldexp(float64(uint64(1)<<(f.man+1)-1), f.bias()-f.man)
}

// apart is how many numbers of the format lie between two.
func (f *format) apart(a, b uint64) uint64 {
	order := func(v uint64) int64 {
		if s := uint64(1) << (f.bits() - 1); v&s != 0 {
			return -int64(v &^ s)
		}
		return int64(v)
	}
	d := order(a) - order(b)
	return uint64(max(d, -d))
}
