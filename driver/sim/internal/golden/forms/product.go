package forms

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// productBounds are how far sums of products of numbers below 1 may be apart, for each of them: the manual does not say how tensor cores add.
var productBounds = map[string]float64{"f32": 0x1p-21, "f16x2": 0x1p-10, "f64": 0x1p-51}

var depth = regexp.MustCompile(`m\d+n\d+k(\d+)`)

// isProduct reports whether a case's results may differ by what its sums lose.
func (c *Case) isProduct() bool { return strings.HasSuffix(c.Name, " of "+string(unit)) }

// judgeProduct compares the results of a product of matrices.
func (c *Case) judgeProduct(want, got []golden.Output) error {
	k, err := strconv.Atoi(depth.FindStringSubmatch(c.Form)[1])
	if err != nil {
		return err
	}
	far := float64(k+1) * productBounds[c.Out[0]]
	if strings.Contains(c.Form, ".e4m3.") || strings.Contains(c.Form, ".e5m2.") {
		far *= 0x1p9 // of which some devices keep 13 bits
	}
	f, lanes := kindOf(c.Out[0]).float, max(kindOf(c.Out[0]).lanes, 1)
	for o := range want {
		if len(got) != len(want) || len(want[o].Data) != len(got[o].Data) {
			return fmt.Errorf("%s: %s", c.Name, golden.Compare(want, got))
		}
		for i := range want[o].Len() {
			for lane := range lanes {
				w, g := f.value(want[o].At(i)>>(16*lane)&(1<<f.bits()-1)), f.value(got[o].At(i)>>(16*lane)&(1<<f.bits()-1))
				if !(math.Abs(w-g) <= far) {
					return fmt.Errorf("%s: %v instead of %v, in number %d of output %d", c.Name, g, w, i, o)
				}
			}
		}
	}
	return nil
}
