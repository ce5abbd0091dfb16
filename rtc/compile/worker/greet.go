package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// firstWord is how long a program may take to say that it is a worker: Main does
// so before all else. A variable for tests.
var firstWord = 10 * time.Second

// startTime is how long a worker may take from then on, until its NVRTC is ready,
// on a busy machine, too.
const startTime = time.Minute

// greet hears that it is a worker, has it start, waits until it is ready and bounds
// its memory.
func (w *worker) greet(memory int64) error {
	hint := "; call worker.Main first in its main, or have Config.Path be the command purecuda and Config.Args worker"
	err := w.hear(firstWord, msgHere, protocol)
	if err == nil {
		hint = ""
		err = writeFrame(w.requests, nil)
	}
	if err == nil {
		err = w.hear(startTime, msgReady)
	}
	if err == nil {
		err = w.process.BoundMemory(memory) // of what compiles ask for
	}
	if err == nil {
		w.used, _ = w.process.Usage() // to begin is no compile's time
		return nil
	}
	exit := w.end(err)
	if exit.Code == exitFailed { // it is Main that says why
		hint = ""
	}
	return fmt.Errorf("%s did not begin: %w (%s)%s%s", w.name, err, exit, said(exit.Stderr), hint)
}

// hear has the worker say a message. One that takes too long is killed.
func (w *worker) hear(within time.Duration, message ...string) error {
	late := time.AfterFunc(within, w.process.Kill) // pipes of Windows know no deadline
	b, err := readFrame(w.answers, 4<<10)
	switch {
	case !late.Stop():
		return fmt.Errorf("it said nothing for %v: %w", within, os.ErrDeadlineExceeded)
	case errors.Is(err, io.EOF) || isBroken(err) || errors.Is(err, os.ErrClosed): // whichever its end shows first
		return fmt.Errorf("it ended: %w", io.EOF)
	case err != nil:
		return err
	case string(b) != string(pack(message...)):
		return errors.New("it is no worker of this version")
	}
	return nil
}
