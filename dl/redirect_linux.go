//go:build linux && (amd64 || arm64)

package dl

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Redirect changes which functions the library calls. A library calls another
// one's function through a slot of its own, which the dynamic linker filled
// with the function's address when the library was opened; Redirect puts the
// address of a few instructions there that look at the first argument. Nothing
// outside the library changes, and what the library calls next uses it, on
// every thread, in flight or not.
//
// Every slot must hold the address that the process knows the function by
// (or that of an equal redirection: the same may be asked again). If one does
// not, or the library has none, nothing at all is changed, and the error says
// which and why. It lasts as long as the process.
//
// Safe for concurrent use.
func (l *Library) Redirect(redirects ...Redirect) error {
	fail := func(err error) error {
		return fmt.Errorf("dl: redirect calls of %s: %w", l.path, err)
	}
	maps, err := readMaps()
	if err != nil {
		return fail(err)
	}
	base, dynamic, err := l.linkMap(maps)
	if err != nil {
		return fail(err)
	}
	redirecting.Lock()
	defer redirecting.Unlock()
	change := map[uintptr]uintptr{} // by slot
	for _, r := range redirects {
		slots, err := importSlots(maps, base, dynamic, r.Symbol)
		if err != nil {
			return fail(err)
		}
		if len(slots) == 0 {
			return fail(fmt.Errorf("it does not import %s", r.Symbol))
		}
		function, err := processSymbol(r.Symbol)
		if err != nil {
			return fail(err)
		}
		stub, err := stubFor(function, r)
		if err != nil {
			return fail(err)
		}
		for _, slot := range slots {
			p, err := maps.word(slot)
			if err != nil {
				return fail(err)
			}
			switch held := atomic.LoadUintptr(p); held {
			case function:
				change[slot] = stub
			case stub: // done before
			default:
				return fail(fmt.Errorf("its slot for %s holds %#x, not the function's address %#x", r.Symbol, held, function))
			}
		}
	}
	for slot, stub := range change {
		if err := maps.store(slot, stub); err != nil {
			return fail(err)
		}
	}
	return nil
}

// linkMap asks the dynamic linker where the library lies: what to add to its
// addresses, and where its table of tables is.
func (l *Library) linkMap(maps mappings) (base, dynamic uintptr, err error) {
	const rtldDILinkmap = 2
	addr, err := processSymbol("dlinfo")
	if err != nil {
		return 0, 0, err
	}
	dlinfo, link := Func{Addr: addr}, new(uintptr)
	if r := int32(dlinfo.Call(l.handle, rtldDILinkmap, uintptr(unsafe.Pointer(link)))); r != 0 || *link == 0 {
		return 0, 0, errors.New("dlinfo does not know it")
	}
	// struct link_map begins with l_addr, l_name and l_ld.
	for i, p := range map[uintptr]*uintptr{0: &base, 16: &dynamic} {
		field, err := maps.word(*link + i)
		if err != nil {
			return 0, 0, err
		}
		*p = *field
	}
	return base, dynamic, nil
}

// store writes a slot, in a page that is made writable for the moment if it
// isn't. A word is stored at once, so that a call meanwhile finds the one
// address or the other.
func (m mappings) store(slot, value uintptr) error {
	p, err := m.word(slot)
	if err != nil {
		return err
	}
	if at := m.find(slot); at.prot&syscall.PROT_WRITE == 0 {
		size := uintptr(os.Getpagesize())
		page := slot &^ (size - 1)
		if _, _, e := syscall.Syscall(syscall.SYS_MPROTECT, page, size, at.prot|syscall.PROT_WRITE); e != 0 {
			return fmt.Errorf("mprotect: %w", e)
		}
		defer syscall.Syscall(syscall.SYS_MPROTECT, page, size, at.prot)
	}
	atomic.StoreUintptr(p, value)
	return nil
}

// redirecting guards the stubs and the slots.
var redirecting sync.Mutex

// A stub is what the code of a stub goes by. Both words are set before any
// slot holds the stub's address, and never change then.
type stub struct {
	function uintptr
	zero     uint64 // bit n: the answer to a first argument of n is 0
}

const stubCount = 8

// stubTable and stubEntry give the address of the stubs' table and of the code of one.
func stubTable() *[stubCount]stub
func stubEntry(i uintptr) uintptr

// stubFor finds the stub for a redirection, or takes a free one.
func stubFor(function uintptr, r Redirect) (uintptr, error) {
	want := stub{function: function}
	for _, v := range r.Zero {
		if v < 0 || v > 63 {
			return 0, fmt.Errorf("%s: a first argument of %d: only 0 to 63 can be told apart", r.Symbol, v)
		}
		want.zero |= 1 << v
	}
	for i := range stubTable() {
		s := &stubTable()[i]
		if s.function == 0 {
			*s = want
		}
		if *s == want {
			return stubEntry(uintptr(i)), nil
		}
	}
	return 0, fmt.Errorf("%s: all %d redirections of the process are in use", r.Symbol, stubCount)
}
