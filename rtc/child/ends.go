package child

import (
	"fmt"
	"sync"
)

// How much is kept of either end of what a child says.
const (
	keptHead = 4 << 10
	keptTail = 4 << 10
)

// ends keep the beginning and the end of a text. It is the beginning that says
// why a program crashed, and the end what it came to.
type ends struct {
	mu         sync.Mutex
	head, tail []byte
	left       int // bytes between them
}

// Write is io.Writer's and takes everything.
func (e *ends) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := min(len(b), keptHead-len(e.head))
	e.head = append(e.head, b[:n]...)
	e.tail = append(e.tail, b[n:]...)
	if over := len(e.tail) - keptTail; over > 0 {
		e.left += over
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return len(b), nil
}

func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left == 0 {
		return string(e.head) + string(e.tail)
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", e.head, e.left, e.tail)
}
