package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/purecuda/purecuda/rtc/child"
)

// A kind is what workers must have in common to stand for each other.
type kind struct {
	library string // NVRTC's file
	folder  string // the working directory, which relative names start from
}

// A worker is a process that compiles, one request at a time.
type worker struct {
	kind
	process  *child.Process
	requests *os.File
	answers  *os.File
	hello    hello
	jobs     int
	limit    int64         // of an answer
	used     time.Duration // processor time, before the compile that runs
	expiry   *time.Timer   // of an idle one
}

// A hello is what a worker says of itself.
type hello struct{ version, build string }

// startTime is how long a worker may take to begin, on a busy machine, too.
const startTime = time.Minute

// self is this program, whatever became of its file.
const self = "/proc/self/exe"

// launch starts one, which is ready when greet has returned.
func launch(c Config, k kind) (*worker, error) {
	path := c.Path
	if path == "" {
		if !called.Load() {
			return nil, ErrNoMain
		}
		path = self
	}
	childRequests, requests, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, childAnswers, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childRequests.Close(), requests.Close())
	}
	w := &worker{kind: k, requests: requests, answers: answers, limit: c.Output}
	w.process, err = child.Start(child.Config{
		Path:  path,
		Args:  append([]string{"purecuda-compile-worker"}, c.Args...),
		Env:   setup{library: k.library, memory: c.Memory, stack: c.Stack}.environment(),
		Dir:   k.folder,
		Files: []*os.File{childRequests, childAnswers},
		// A compile is stopped earlier by the Pool. This is for a worker whose Pool
		// can't: because its process is stopped, say.
		Limits: child.Limits{CPU: 2*c.CPU + 10*time.Second, OpenFiles: 64, NoWriting: true},
	})
	if err != nil {
		return nil, errors.Join(err, requests.Close(), answers.Close())
	}
	return w, nil
}

// greet gives the worker its start and hears what it is.
func (w *worker) greet() error {
	err := w.shake()
	if err == nil {
		return nil
	}
	w.kill()
	<-w.process.Done()
	exit := w.process.Exit()
	return fmt.Errorf("it did not begin: %w (%s)%s", err, exit, said(exit.Stderr))
}

func (w *worker) shake() error {
	if err := w.answers.SetReadDeadline(time.Now().Add(startTime)); err != nil {
		return err
	}
	if err := writeFrame(w.requests, nil); err != nil {
		return err
	}
	b, err := readFrame(w.answers, 4<<10)
	if errors.Is(err, io.EOF) {
		return errors.New("it ended")
	}
	if err != nil {
		return err
	}
	parts, err := texts(b)
	if err != nil || len(parts) != 4 || parts[0] != msgHello || parts[1] != protocol {
		return errors.New("it is no worker of this version")
	}
	w.hello = hello{version: parts[2], build: parts[3]}
	return w.answers.SetReadDeadline(time.Time{})
}

// ask sends a message and gives the answer.
func (w *worker) ask(message []byte) ([]byte, error) {
	if err := writeFrame(w.requests, message); err != nil {
		return nil, err
	}
	return readFrame(w.answers, w.limit)
}

// kill ends the worker and returns at once.
func (w *worker) kill() {
	w.process.Kill()
	_ = w.requests.Close()
	_ = w.answers.Close()
}
