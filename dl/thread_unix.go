//go:build (darwin || freebsd || linux || netbsd) && (amd64 || arm64)

package dl

import (
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// pthreads are the C library's functions that make a thread.
type pthreads struct {
	create, attrInit, attrDestroy, attrSetStackSize, attrSetDetachState Func
}

var findPthreads = sync.OnceValues(func() (*pthreads, error) {
	p := &pthreads{}
	for name, f := range map[string]*Func{
		"pthread_create":              &p.create,
		"pthread_attr_init":           &p.attrInit,
		"pthread_attr_destroy":        &p.attrDestroy,
		"pthread_attr_setstacksize":   &p.attrSetStackSize,
		"pthread_attr_setdetachstate": &p.attrSetDetachState,
	} {
		addr, err := processSymbol(name)
		if err != nil {
			return nil, err
		}
		f.Addr = addr
	}
	return p, nil
})

// processSymbol finds a function as the dynamic linker does for a library that
// imports it: in the program and in what was loaded with it. Before glibc 2.34
// threads were in a library of their own, which need not be loaded yet.
func processSymbol(name string) (uintptr, error) {
	runtime.LockOSThread() // for dlerror, which belongs to the thread
	defer runtime.UnlockOSThread()
	addr, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
	if err == nil && addr != 0 {
		return addr, nil
	}
	if h, e := purego.Dlopen("libpthread.so.0", purego.RTLD_NOW|purego.RTLD_GLOBAL); e == nil {
		if addr, e := purego.Dlsym(h, name); e == nil && addr != 0 {
			return addr, nil
		}
	}
	return 0, fmt.Errorf("the C library has no %s: %w", name, err)
}

// PTHREAD_CREATE_DETACHED: nobody joins the thread; its stack goes with it.
var detached = map[bool]uintptr{false: 1, true: 2}[runtime.GOOS == "darwin"]

func createThread(start, arg uintptr, stack int) error {
	p, err := findPthreads()
	if err != nil {
		return err
	}
	// A pthread_attr_t has at most 64 bytes in the C libraries we know.
	attr := new([32]uintptr)
	if r := p.attrInit.Call(uintptr(unsafe.Pointer(attr))); r != 0 {
		return fmt.Errorf("pthread_attr_init: %w", syscall.Errno(int32(r)))
	}
	defer p.attrDestroy.Call(uintptr(unsafe.Pointer(attr)))
	if r := p.attrSetStackSize.Call(uintptr(unsafe.Pointer(attr)), uintptr(stack)); r != 0 {
		return fmt.Errorf("pthread_attr_setstacksize: %w", syscall.Errno(int32(r)))
	}
	if r := p.attrSetDetachState.Call(uintptr(unsafe.Pointer(attr)), detached); r != 0 {
		return fmt.Errorf("pthread_attr_setdetachstate: %w", syscall.Errno(int32(r)))
	}
	thread := new(uintptr)
	if r := p.create.Call(uintptr(unsafe.Pointer(thread)), uintptr(unsafe.Pointer(attr)), start, arg); r != 0 {
		return fmt.Errorf("pthread_create: %w", syscall.Errno(int32(r)))
	}
	return nil
}
