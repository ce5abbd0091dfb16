package misuse

import (
	"errors"
	"runtime"

	"github.com/purecuda/purecuda/driver/sim"
)

// Batches are runs of scenarios that share a process: those that are alone have one each.
//
// Safe for concurrent use.
func Batches(all []Scenario) [][]Scenario {
	var batches [][]Scenario
	open := false
	for _, s := range all {
		if s.Alone || !open {
			batches = append(batches, nil)
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], s)
		open = !s.Alone
	}
	return batches
}

// RunUntilLost runs the scenarios of a batch and gives those that are left when one has lost the GPU.
func (p *Process) RunUntilLost(batch []Scenario, failed func(error)) (left []Scenario) {
	for i, s := range batch {
		if err := p.Run(s); err != nil {
			failed(err)
		}
		if i < len(batch)-1 && !p.Sound() {
			return batch[i+1:]
		}
	}
	return nil
}

// Simulate gives the answers of the simulated driver, without calls that kill a process.
//
// Safe for concurrent use.
func Simulate(all []Scenario, dead map[Call]string) (answers []Answer, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, batch := range Batches(all) {
		for len(batch) > 0 {
			d, e := sim.New(sim.Config{})
			if e != nil {
				return nil, e
			}
			p := &Process{Driver: d, Dead: dead}
			var now Call
			p.Before = func(c Call) { now = c }
			p.After = func(code string) { answers = append(answers, Answer{now, code}) }
			batch = p.RunUntilLost(batch, func(e error) { err = errors.Join(err, e) })
		}
	}
	return answers, err
}
