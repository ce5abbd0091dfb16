package forms

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// File is where the answers of a family lie, in the folder dir.
//
// Safe for concurrent use.
func File(dir, family string) string { return filepath.Join(dir, family+".gz") }

// A Verdict says how a case stands.
//
// Safe for concurrent use after it is made; its fields must not change.
type Verdict struct {
	State  State
	Err    error  // of what is Wrong or Refused
	Errors Errors // of an approximate form that is Right
}

// A State is what became of a case.
type State int

// The states of a case.
const (
	Right      State = iota // the engine gives what was recorded, or near enough
	Wrong                   // it does not
	Unrecorded              // nobody recorded what a GPU gives to this question
	Refused                 // the engine does not do the form, and says so
)

// Verify runs the case on the engine and compares with what a GPU gave: the answer of the family's file, nil where there is none.
func (c *Case) Verify(recorded *golden.Answer) Verdict {
	got, err := c.Simulate()
	var u *engine.UnsupportedError
	switch {
	case errors.As(err, &u):
		return Verdict{State: Refused, Err: err}
	case err != nil:
		return Verdict{State: Wrong, Err: fmt.Errorf("%s: %w", c.Name, err)}
	case recorded == nil || recorded.Key != c.Key():
		return Verdict{State: Unrecorded}
	}
	return c.Judge(recorded.Outputs, got)
}

// Judge compares results.
func (c *Case) Judge(want, got []golden.Output) Verdict {
	if Approximate(c.Form) {
		e, err := c.Measure(want, got)
		if err != nil {
			return Verdict{State: Wrong, Err: err}
		}
		return Verdict{State: Right, Errors: e}
	}
	if c.isProduct() {
		if err := c.judgeProduct(want, got); err != nil {
			return Verdict{State: Wrong, Err: err}
		}
		return Verdict{State: Right}
	}
	if d := golden.Compare(want, got); d != nil {
		return Verdict{State: Wrong, Err: fmt.Errorf("%s: %s; operands %s", c.Name, d, c.tuple(d.Index))}
	}
	return Verdict{State: Right}
}

// tuple describes the i-th operands.
func (c *Case) tuple(i int) string {
	s := ""
	for j, o := range c.Operands() {
		if x := (golden.Output{Width: kindOf(c.In[j]).size, Data: o}); i >= 0 && i < x.Len() {
			s += fmt.Sprintf(" %%%c=%#x", inNames[j], x.At(i))
		}
	}
	return s
}
