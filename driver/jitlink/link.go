package jitlink

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// ErrClosed is matched by the error of every use of a Link after its Close.
var ErrClosed = errors.New("closed")

// An Input is a kind of code that nvJitLink takes.
type Input int32

// The kinds that nvJitLink documents.
const (
	Cubin  Input = 1  // NVJITLINK_INPUT_CUBIN
	PTX    Input = 2  // NVJITLINK_INPUT_PTX
	LTOIR  Input = 3  // NVJITLINK_INPUT_LTOIR
	Fatbin Input = 4  // NVJITLINK_INPUT_FATBIN
	Object Input = 5  // NVJITLINK_INPUT_OBJECT: a host object with device code in it
	Files  Input = 6  // NVJITLINK_INPUT_LIBRARY: a .a with device code in it
	Any    Input = 10 // NVJITLINK_INPUT_ANY: nvJitLink looks for itself
)

// A Link makes one cubin of several pieces of code.
//
// Safe for concurrent use. Calls on one Link take turns.
//
// Manual: https://docs.nvidia.com/cuda/nvjitlink/index.html
type Link struct {
	api *api
	// All calls for one handle come from one thread: nvJitLink keeps state by
	// thread, and after an error in one crashes in another. Its recursion gets a
	// large stack, too.
	thread *dl.Thread

	mu     sync.Mutex
	handle handle
	closed bool
	linked bool
	read   [2]int // how much of either log has been told
}

// NewLink begins a link. The options are nvJitLink's, passed as they are;
// -arch=sm_XX must be among them.
func (l *Library) NewLink(options ...string) (*Link, error) {
	const op = "begin a link"
	pointers := make([]*byte, len(options)+1) // never empty: it refuses null
	for i, o := range options {
		c, err := dl.CString(o)
		if err != nil {
			return nil, fmt.Errorf("jitlink: %s: option %d: %w", op, i, err)
		}
		pointers[i] = &c[0]
	}
	thread, err := dl.NewThread(stack)
	if err != nil {
		return nil, fmt.Errorf("jitlink: %s: %w", op, err)
	}
	k := &Link{api: l.api, thread: thread}
	err = k.do(op+" with "+strings.Join(options, " "), func() error {
		h := new(handle)
		err := l.api.create(h, uint32(len(options)), &pointers[0])
		k.handle = *h
		return err
	})
	runtime.KeepAlive(pointers)
	if err != nil {
		_ = k.Close()
		return nil, err
	}
	return k, nil
}

// stack is for the compiler of PTX, which recurses.
const stack = 256 << 20

// failed puts what was being done, and what nvJitLink has said about it, into an error.
func (k *Link) failed(op string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Errorf("jitlink: %s: %w", op, err)
	}
	return &Error{Op: op, Function: e.Function, Result: e.Result, Log: strings.TrimSpace(e.Log + "\n" + k.news())}
}

// do calls f on the link's thread, in turn with other calls.
func (k *Link) do(op string, f func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return fmt.Errorf("jitlink: %s: %w", op, ErrClosed)
	}
	var err error
	if lost := k.thread.Do(func() {
		if err = f(); err != nil {
			err = k.failed(op, err)
		}
	}); lost != nil {
		return fmt.Errorf("jitlink: %s: %w", op, lost)
	}
	return err
}

// Add adds a piece of code; the name is for messages. Each piece of PTX is
// compiled now.
func (k *Link) Add(kind Input, data []byte, name string) error {
	op := "add " + name
	if len(data) == 0 {
		return &Error{Op: op, Function: "nvJitLinkAddData", Result: InvalidInput, Log: "no bytes"}
	}
	cname, err := dl.CString(name)
	if err != nil {
		return fmt.Errorf("jitlink: %s: %w", op, err)
	}
	if kind == PTX && data[len(data)-1] != 0 {
		data = append(data[:len(data):len(data)], 0) // its size is with a NUL behind it
	}
	return k.do(op, func() error {
		defer runtime.KeepAlive(data)
		return k.api.addData(k.handle, kind, firstByte(data), uint64(len(data)), &cname[0])
	})
}

// AddFile adds a file.
func (k *Link) AddFile(kind Input, path string) error {
	cpath, err := dl.CString(path)
	if err != nil {
		return fmt.Errorf("jitlink: add file: %w", err)
	}
	return k.do("add "+path, func() error { return k.api.addFile(k.handle, kind, &cpath[0]) })
}

// Complete links what was added. Nothing can be added then.
func (k *Link) Complete() error {
	return k.do("link", func() error {
		err := k.api.complete(k.handle)
		k.linked = err == nil
		return err
	})
}

// Cubin is the machine code, after Complete.
func (k *Link) Cubin() ([]byte, error) {
	var out []byte
	err := k.do("get the cubin", func() error {
		if !k.linked { // nvJitLink itself gives some bytes all the same
			return &Error{Function: "nvJitLinkGetLinkedCubin", Result: InvalidInput, Log: "nothing was linked"}
		}
		n := new(uint64)
		if err := k.api.getLinkedCubinSize(k.handle, n); err != nil {
			return err
		}
		out = make([]byte, *n+1)
		if err := k.api.getLinkedCubin(k.handle, firstByte(out)); err != nil {
			return err
		}
		out = out[:*n]
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// PTX is the linked PTX, after Complete of LTO IR with the options -lto and -ptx.
func (k *Link) PTX() ([]byte, error) {
	var out string
	err := k.do("get the PTX", func() error {
		var err error
		out, err = k.text(k.api.getLinkedPtxSize, k.api.getLinkedPtx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return []byte(out), nil
}

// Log is all that nvJitLink has said, errors first.
func (k *Link) Log() string {
	var failures, notes string
	_ = k.do("log", func() error { // after Close there is none
		failures, _ = k.text(k.api.getErrorLogSize, k.api.getErrorLog)
		notes, _ = k.text(k.api.getInfoLogSize, k.api.getInfoLog)
		return nil
	})
	return strings.TrimSpace(failures + "\n" + notes)
}

// news is what the logs have more than when it was called last.
func (k *Link) news() string {
	if k.handle == 0 {
		return ""
	}
	var parts []string
	for i, get := range []func() (string, error){
		func() (string, error) { return k.text(k.api.getErrorLogSize, k.api.getErrorLog) },
		func() (string, error) { return k.text(k.api.getInfoLogSize, k.api.getInfoLog) },
	} {
		s, err := get()
		if err != nil || len(s) <= k.read[i] {
			continue
		}
		if more := strings.TrimSpace(s[k.read[i]:]); more != "" {
			parts = append(parts, more)
		}
		k.read[i] = len(s)
	}
	return strings.Join(parts, "\n")
}

func (k *Link) text(size func(handle, *uint64) error, get func(handle, *byte) error) (string, error) {
	n := new(uint64)
	if err := size(k.handle, n); err != nil {
		return "", err
	}
	b := make([]byte, *n+1)
	if err := get(k.handle, &b[0]); err != nil {
		return "", err
	}
	return strings.TrimRight(string(b), "\x00"), nil
}

// Close ends the link. It is safe on nil and more than once.
func (k *Link) Close() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil
	}
	k.closed = true
	defer k.thread.Close()
	if k.handle == 0 {
		return nil
	}
	var err error
	if lost := k.thread.Do(func() {
		h := new(handle)
		*h = k.handle
		err = k.api.destroy(h)
	}); lost != nil {
		err = lost
	}
	if err != nil {
		return fmt.Errorf("jitlink: end a link: %w", err)
	}
	return nil
}
