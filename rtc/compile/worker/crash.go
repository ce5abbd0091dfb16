package worker

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A CrashError is about a compile that killed its worker, twice. The Pool refuses
// the same from then on.
//
// Safe for concurrent use after it is made; its fields must not change.
type CrashError struct {
	Name    string // the program's
	Options []string
	Exit    child.Exit // of the worker
	Reason  string     // what went wrong, in words
}

// Error is the reason, and the first words that the worker left.
func (e *CrashError) Error() string {
	return fmt.Sprintf("the compiler crashed, twice: %s%s", e.Reason, said(e.Exit.Stderr))
}

// said is the first line of what a worker wrote, for messages.
func said(stderr string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if line == "" {
		return ""
	}
	return fmt.Sprintf(": %.200s", line)
}

// Go's runtime says on stderr which signal ended the process.
var crashSignal = regexp.MustCompile(`(?m)^(?:\[signal )?(SIG[A-Z]+)\b`)

// crashed ends a worker whose answer is none, and says what was the matter.
func (p *Pool) crashed(w *worker, err error) *CrashError {
	w.kill()
	<-w.process.Done()
	e := &CrashError{Exit: w.process.Exit()}
	var long *tooLong
	m := crashSignal.FindStringSubmatch(e.Exit.Stderr)
	switch {
	case errors.As(err, &long):
		e.Reason = fmt.Sprintf("what it made is too large: %d bytes, and the limit (Config.Output) is %d", long.size, long.limit)
	case errors.Is(err, errNonsense):
		e.Reason = err.Error()
	case e.Exit.CPU >= p.config.CPU:
		e.Reason = fmt.Sprintf("it used up the processor time of its worker (Config.CPU), %v", p.config.CPU)
	case strings.Contains(e.Exit.Stderr, "out of memory"):
		e.Reason = fmt.Sprintf("it needs more memory than a worker may have (Config.Memory), %d MiB", p.config.Memory>>20)
	case m != nil:
		e.Reason = m[1]
	default:
		e.Reason = e.Exit.String()
	}
	return e
}

// describe gives an error the names of package and program, unless it has them.
func describe(r *compile.Request, err error) error {
	var refused *nvrtc.CompileError
	if errors.As(err, &refused) {
		return err
	}
	name := r.Name
	if name == "" {
		name = "default_program"
	}
	return fmt.Errorf("worker: compile %s: %w", name, err)
}

// mostCrashes bounds how many are remembered.
const mostCrashes = 1000

// crashes remember what was refused, the last ones.
type crashes struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]*CrashError
	order [][sha256.Size]byte
}

// crashID tells compiles apart.
func crashID(k kind, message []byte) [sha256.Size]byte {
	return sha256.Sum256(pack([]byte(k.library), []byte(k.folder), message))
}

func (c *crashes) find(id [sha256.Size]byte) *CrashError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[id]
}

func (c *crashes) keep(id [sha256.Size]byte, e *CrashError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[[sha256.Size]byte]*CrashError{}
	}
	if c.known[id] == nil {
		c.order = append(c.order, id)
	}
	c.known[id] = e
	if len(c.order) > mostCrashes {
		delete(c.known, c.order[0])
		c.order = c.order[1:]
	}
}
