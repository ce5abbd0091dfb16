package misuse

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/purecuda/purecuda/dl"
)

// What a child process tells is on lines of its output that begin so: what libcuda prints stands between them.
const (
	mark    = "\x01"
	asked   = mark + "asked"
	gave    = mark + "gave"
	failing = mark + "failed"
	begun   = mark + "begun" // the number of a scenario
	ended   = mark + "ended"
)

const (
	firstVariable = "PURECUDA_MISUSE_FIRST" // the number of the first scenario that a child runs
	deadVariable  = "PURECUDA_MISUSE_DEAD"  // the calls that it must not make
)

// IsChild reports whether this process is to call [Child].
func IsChild() bool { return os.Getenv(firstVariable) != "" }

// Child runs the scenarios of a batch, from the one that the environment names on, until the GPU is lost.
func Child(r dl.Resolver, all []Scenario, to io.Writer) error {
	first, err := strconv.Atoi(os.Getenv(firstVariable))
	if err != nil || first < 0 || first >= len(all) {
		return fmt.Errorf("%s is %q, there are %d scenarios", firstVariable, os.Getenv(firstVariable), len(all))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tell := func(words ...string) { fmt.Fprintln(to, "\n"+strings.Join(words, "\t")) }
	p := &Process{Driver: r, Dead: map[Call]string{}}
	for _, line := range strings.Split(os.Getenv(deadVariable), "\n") {
		if words := strings.Split(line, "\t"); len(words) == 3 {
			p.Dead[Call{words[0], words[1]}] = words[2]
		}
	}
	p.Before = func(c Call) { tell(asked, c.Name, c.Function) }
	p.After = func(code string) { tell(gave, code) }
	for i := first; i < len(all) && (i == first || !all[i].Alone && !all[first].Alone); i++ {
		if i > first && !p.Sound() {
			break
		}
		tell(begun, strconv.Itoa(i))
		if err := p.Run(all[i]); err != nil {
			tell(failing, err.Error())
		}
		tell(ended, strconv.Itoa(i))
	}
	return nil
}

// A Recorder asks a driver in child processes.
//
// Not safe for concurrent use.
type Recorder struct {
	Command  func() *exec.Cmd // of a child, with its environment
	Patience time.Duration    // with a call
	Log      func(format string, args ...any)

	dead map[Call]string // the calls that did not come back
}

// Record gives the answers to all scenarios. What could not be asked is logged.
func (r *Recorder) Record(all []Scenario) []Answer {
	answers := map[int][]Answer{}
	r.dead = map[Call]string{}
	for at := 0; at < len(all); {
		at = r.child(all, at, answers)
	}
	var list []Answer
	for i := range all {
		list = append(list, answers[i]...)
	}
	return list
}

// child runs one child and gives the number of the scenario to go on with.
func (r *Recorder) child(all []Scenario, first int, answers map[int][]Answer) (next int) {
	var dead []string
	for c, code := range r.dead {
		dead = append(dead, c.Name+"\t"+c.Function+"\t"+code)
	}
	cmd := r.Command()
	cmd.Env = append(cmd.Env, firstVariable+"="+strconv.Itoa(first), deadVariable+"="+strings.Join(dead, "\n"))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.Log("scenario %d: %v", first, err)
		return len(all)
	}
	r.Log("%d of %d: %s", first+1, len(all), all[first].Name)
	late := time.AfterFunc(r.Patience, func() { _ = cmd.Process.Kill() })
	var now *Call
	at, inside, next := first, false, first
	var last string
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), "\t")
		switch {
		case words[0] == begun && len(words) == 2:
			at, _ = strconv.Atoi(words[1])
			inside = true
			answers[at] = nil
		case words[0] == ended:
			inside, next = false, at+1
		case words[0] == asked && len(words) == 3:
			now = &Call{words[1], words[2]}
		case words[0] == gave && len(words) == 2 && now != nil:
			answers[at] = append(answers[at], Answer{*now, words[1]})
			now = nil
		case words[0] == failing:
			r.Log("not asked: %s", strings.Join(words[1:], " "))
		default:
			if lines.Text() != "" {
				last = lines.Text()
			}
			continue
		}
		late.Reset(r.Patience)
	}
	hung := !late.Stop()
	err = cmd.Wait()
	switch {
	case now != nil:
		code := Crash
		if hung {
			code = Hang
		}
		r.Log("%s, %s: %s (%v)", now.Name, now.Function, code, err)
		r.dead[*now] = code
		return at
	case inside:
		r.Log("%s: the process ended outside of a call: %v; %s", all[at].Name, err, last)
		return at + 1
	case next == first:
		r.Log("%s: the process ended before it began: %v; %s", all[first].Name, err, last)
		return first + 1
	}
	return next
}
