package random

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// File is where the answers lie, seen from this package; Recorded is how many programs have one.
const (
	File     = "testdata/answers.gz"
	Recorded = 400
)

// Name is the program's in the file of answers.
func (p *Program) Name() string { return fmt.Sprint("program ", p.Seed) }

// Key is what the program is: its text, sizes and input.
func (p *Program) Key() string {
	return golden.Key(p.Text, p.Input(), []byte(fmt.Sprint(p.Grid, p.Block)))
}

// Digest is what is kept of an output.
//
// Safe for concurrent use.
func Digest(out []byte) []golden.Output {
	sum := sha256.Sum256(out)
	return []golden.Output{{Width: 1, Data: sum[:16]}}
}

// Outputs runs programs on a machine, several at once where that machine compiles them, and gives the outputs by program. What did not run is in
// the error.
//
// Safe for concurrent use.
func Outputs(m golden.Machine, programs []*Program) (map[*Program][]byte, error) {
	const atOnce = 16
	out, errs := map[*Program][]byte{}, []error(nil)
	var mu sync.Mutex
	var all sync.WaitGroup
	next := make(chan *Program)
	for range atOnce {
		all.Go(func() {
			for p := range next {
				b, err := p.Run(m)
				mu.Lock()
				if err != nil {
					errs = append(errs, fmt.Errorf("program %d: %w", p.Seed, err))
				} else {
					out[p] = b
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range programs {
		next <- p
	}
	close(next)
	all.Wait()
	return out, errors.Join(errs...)
}
