package corpus

import (
	"errors"
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// File is where the answers lie, seen from this package.
const File = "testdata/answers.gz"

// atOnce is how many texts are compiled at the same time.
const atOnce = 16

// Record runs questions on a machine and gives their answers by question. What the machine does not take is in the error, the others
// are answered.
//
// Safe for concurrent use.
func Record(m golden.Machine, questions []*Question) (map[*Question]golden.Answer, error) {
	type group struct {
		text      string
		questions []*Question
	}
	var groups []*group // questions with the same text: it is compiled once
	byText := map[string]*group{}
	for _, q := range questions {
		text := q.Program.patched(q.Text)
		if byText[text] == nil {
			byText[text] = &group{text: text}
			groups = append(groups, byText[text])
		}
		byText[text].questions = append(byText[text].questions, q)
	}
	answers, errs := map[*Question]golden.Answer{}, []error(nil)
	loaded, turns := make(chan func()), make(chan bool, atOnce)
	var compiling sync.WaitGroup
	for _, g := range groups {
		compiling.Go(func() {
			turns <- true
			module, err := m.Load(g.text)
			<-turns
			loaded <- func() {
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", g.questions[0].Name(), err))
					return
				}
				for _, q := range g.questions {
					outputs, err := q.Program.in(module)
					if err != nil {
						errs = append(errs, fmt.Errorf("%s: %w", q.Name(), err))
						continue
					}
					answers[q] = golden.Answer{Name: q.Name(), Key: q.Key(), Outputs: outputs}
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

// Write makes the file of answers, in the order of the questions.
//
// Safe for concurrent use.
func Write(path string, about golden.About, questions []*Question, answers map[*Question]golden.Answer) error {
	a := &golden.Answers{About: about}
	for _, q := range questions {
		if one, ok := answers[q]; ok {
			a.Answers = append(a.Answers, one)
		}
	}
	return a.Write(path)
}
