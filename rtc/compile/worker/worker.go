package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child"
)

// A kind is what workers must have in common to stand for each other.
type kind struct {
	library string // NVRTC's file
	folder  string // the working directory, which relative names start from
	needs   string // packed: the files and folders that the library reads
}

// kindFor is the kind of workers for a compiler.
func (p *Pool) kindFor(c *nvrtc.Compiler) kind {
	k := kind{library: c.Path(), needs: p.needs(c)}
	k.folder, _ = os.Getwd()
	return k
}

// A worker is a process that compiles, one request at a time.
type worker struct {
	kind
	name     string // the program's, for messages
	process  *child.Process
	requests *os.File
	answers  *os.File
	jobs     int
	asked    uint64        // messages
	limit    int64         // of an answer
	used     time.Duration // processor time, before the compile that runs
	expiry   *time.Timer   // of an idle one
}

// launch starts one, which is ready when greet has returned.
func (p *Pool) launch(k kind) (*worker, error) {
	c, path, name := p.config, p.config.Path, p.config.Path
	if path == "" {
		if !called.Load() {
			return nil, ErrNoMain
		}
		var err error
		if path, err = selfPath(); err != nil {
			return nil, err
		}
		name, _ = os.Executable()
	}
	needs, err := texts([]byte(k.needs))
	if err != nil {
		return nil, err
	}
	childRequests, requests, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, childAnswers, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childRequests.Close(), requests.Close())
	}
	w := &worker{kind: k, name: name, requests: requests, answers: answers, limit: c.Output}
	w.process, err = child.Start(child.Config{
		Path:       path,
		Args:       append([]string{"purecuda-compile-worker"}, c.Args...),
		Env:        setup{library: k.library, stack: c.Stack, walls: p.walls, read: append(needs, p.read...)}.environment(),
		Dir:        k.folder,
		Files:      []*os.File{childRequests, childAnswers},
		Namespaces: p.walls.Namespaces,
		// A compile is stopped earlier by the Pool. This is for a worker whose Pool
		// can't: because its process is stopped, say.
		Limits: child.Limits{CPU: c.lifeCPU(), OpenFiles: 64, NoWriting: true},
	})
	if err != nil {
		return nil, errors.Join(err, requests.Close(), answers.Close())
	}
	return w, nil
}

// ask sends a message and gives the answer: one to this message, and to none before it.
func (w *worker) ask(message []byte) ([]byte, error) {
	w.asked++
	number := binary.LittleEndian.AppendUint64(nil, w.asked)
	if err := writeFrame(w.requests, pack(number, message)); err != nil {
		return nil, err
	}
	b, err := readFrame(w.answers, w.limit)
	if err != nil {
		return nil, err
	}
	parts, err := unpack(b)
	if err != nil || len(parts) != 2 || !bytes.Equal(parts[0], number) {
		return nil, fmt.Errorf("%w: %d bytes that are no answer to this", errNonsense, len(b))
	}
	return parts[1], nil
}

// end ends a worker that did not answer because of err, and says how it ended: if
// it did so by itself it has a little time to say why.
func (w *worker) end(err error) child.Exit {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || isBroken(err) {
		select {
		case <-w.process.Done():
		case <-time.After(2 * time.Second):
		}
	}
	w.kill()
	<-w.process.Done()
	return w.process.Exit()
}

// kill ends the worker and returns at once.
func (w *worker) kill() {
	w.process.Kill()
	_ = w.requests.Close()
	_ = w.answers.Close()
}
