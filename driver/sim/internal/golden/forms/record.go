package forms

import (
	"errors"
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// Record runs cases on a machine and gives their answers by case. Cases that the machine does not take are in the error, the others are answered.
//
// Safe for concurrent use.
func Record(m golden.Machine, cases []*Case) (map[*Case]golden.Answer, error) {
	answers, errs := map[*Case]golden.Answer{}, []error(nil)
	loaded := make(chan func())
	var compiling sync.WaitGroup
	for _, x := range Modules(cases) {
		compiling.Go(func() { // which takes much longer than running
			module, err := m.Load(x.Text())
			loaded <- func() {
				if err != nil {
					errs = append(errs, fmt.Errorf("module of %d kernels for %s: %w", len(x.Cases), x.Target.Arch, err))
					return
				}
				for _, c := range x.Cases {
					outputs, err := c.Run(module)
					if err != nil {
						errs = append(errs, fmt.Errorf("%s: %w", c.Name, err))
						continue
					}
					answers[c] = golden.Answer{Name: c.Name, Key: c.Key(), Outputs: outputs}
				}
				errs = append(errs, module.Close())
			}
		})
	}
	go func() {
		compiling.Wait()
		close(loaded)
	}()
	for run := range loaded {
		run()
	}
	return answers, errors.Join(errs...)
}

// Write makes the files of answers in the folder dir.
//
// Safe for concurrent use.
func Write(dir string, about golden.About, answers map[*Case]golden.Answer) error {
	for _, family := range Families() {
		a := &golden.Answers{About: about}
		for _, c := range Cases() {
			if one, ok := answers[c]; ok && c.Family == family {
				a.Answers = append(a.Answers, one)
			}
		}
		if len(a.Answers) == 0 {
			continue
		}
		if err := a.Write(File(dir, family)); err != nil {
			return err
		}
	}
	return nil
}
