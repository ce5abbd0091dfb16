package child

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// A Process is a child that was started. It needs no closing: once it has ended,
// by itself or by Kill, nothing is left of it.
//
// Safe for concurrent use.
type Process struct {
	process *os.Process
	stderr  *ends
	done    chan struct{}
	exit    Exit // set before done is closed

	mu     sync.Mutex
	gone   bool // its number may be another's
	killed bool
	group  group // of what ends with it
}

// Start starts a child.
func Start(c Config) (*Process, error) {
	defer func() {
		for _, f := range c.Files {
			_ = f.Close()
		}
	}()
	p, err := start(c)
	if err != nil {
		return nil, fmt.Errorf("child: start %s: %w", c.Path, err)
	}
	return p, nil
}

// PID is the process's number, and its group's.
func (p *Process) PID() int { return p.process.Pid }

// Done is closed when the child has ended and nothing is left of it.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how it ended; the zero Exit before Done is closed.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{}
	}
}

// Kill ends the child and all processes of its group. It returns at once; that
// they are gone Done tells. It may be called several times, and on nil.
func (p *Process) Kill() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.killed = true
		p.group.kill()
	}
}

// BoundMemory has the child get no more than more bytes of memory beyond what it
// has now: a request for more fails. It can be lowered again, and not raised. It is
// for Linux and Windows; elsewhere the error matches errors.ErrUnsupported.
func (p *Process) BoundMemory(more int64) error {
	if more < 0 {
		return fmt.Errorf("child: bound memory: %d bytes are less than 0", more)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return nil
	}
	if err := p.boundMemory(more); err != nil {
		return fmt.Errorf("child: bound memory: %w", err)
	}
	return nil
}

// Usage is the processor time that the child has used so far and the memory that
// it has now, in bytes. Both are 0 once it has ended.
func (p *Process) Usage() (cpu time.Duration, resident int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return 0, 0
	}
	return p.usage()
}

// silence is how long a child's stderr may stay open after its end: somebody who
// left its group has it.
const silence = time.Second

// listen reads what the child says until it has ended, and somewhat longer.
func (p *Process) listen(from *os.File) (heard chan struct{}) {
	heard = make(chan struct{})
	go func() {
		defer close(heard)
		defer from.Close()
		_, _ = from.WriteTo(p.stderr)
	}()
	return heard
}
