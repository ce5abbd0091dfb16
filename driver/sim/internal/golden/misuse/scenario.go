package misuse

// A Scenario is some calls that have an answer, and those that they need before.
//
// Safe for concurrent use after it is made; its fields must not change.
type Scenario struct {
	Name  string
	Bare  bool // nothing was called before, not even cuInit; else the primary context of device 0 is current
	Alone bool // runs in a process of its own: what it leaves behind would change the others
	Do    func(p *Process)
}

// Scenarios are all, in the order in which they run.
//
// Safe for concurrent use.
func Scenarios() []Scenario {
	var all []Scenario
	for _, some := range [][]Scenario{
		beginnings(), devices(), contexts(), memory(), copies(), hostMemory(), modules(), links(), functions(), launches(), streams(), events(),
		captures(), graphs(), pools(), virtualMemory(), sharing(), handles(), faults(),
	} {
		all = append(all, some...)
	}
	return all
}
