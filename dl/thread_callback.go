//go:build (darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64)

package dl

import (
	"sync"

	"github.com/ebitengine/purego"
)

// A process has room for 2,000 callbacks and can't give one back, so that all
// threads start in the same one; which thread it is comes as the argument.
var threadCallback = sync.OnceValue(func() uintptr {
	return purego.NewCallback(threadStart)
})

// starting holds the threads that have been asked for and do not run yet.
var starting struct {
	sync.Mutex
	threads map[uintptr]*Thread
	last    uintptr
}

func startThread(t *Thread, stack int) error {
	starting.Lock()
	if starting.threads == nil {
		starting.threads = map[uintptr]*Thread{}
	}
	starting.last++
	id := starting.last
	starting.threads[id] = t
	starting.Unlock()
	err := createThread(threadCallback(), id, stack)
	if err != nil {
		started(id)
	}
	return err
}

func started(id uintptr) *Thread {
	starting.Lock()
	defer starting.Unlock()
	t := starting.threads[id]
	delete(starting.threads, id)
	return t
}

// threadStart is what the C library or Windows calls on the new thread. Its
// result is a thread's exit value, which nobody reads.
func threadStart(id uintptr) uintptr {
	started(id).serve()
	return 0
}
