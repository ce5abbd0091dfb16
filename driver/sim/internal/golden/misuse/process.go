package misuse

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A Process calls a driver as a C program would, from one thread.
//
// Not safe for concurrent use.
type Process struct {
	Driver dl.Resolver
	Dead   map[Call]string   // are not made, since they do not come back, and what they count as
	Before func(Call)        // told of each call that has an answer before it is made
	After  func(code string) // and of what came back

	scenario string
	kept     [][]byte // what C has the addresses of
	dev, ctx uintptr  // device 0 and its primary context
	modules  map[string]uintptr
	gates    []*gate
}

// A setupError is a call that a scenario needs and that failed.
type setupError struct{ text string }

func (e setupError) Error() string { return e.text }

// Run runs a scenario. An error says why it could not be made; the calls that were answered until then count.
func (p *Process) Run(s Scenario) (err error) {
	p.scenario = s.Name
	defer func() {
		p.release()
		switch r := recover().(type) {
		case nil:
		case setupError:
			err = fmt.Errorf("%s: %w", s.Name, r)
		default:
			panic(r)
		}
	}()
	if !s.Bare {
		if p.ctx == 0 {
			p.Must("cuInit", 0)
			p.ctx = p.Make("cuDevicePrimaryCtxRetain", p.dev)
		}
		p.Must("cuCtxSetCurrent", p.ctx)
	}
	s.Do(p)
	return nil
}

// call calls a function. One that the driver doesn't have is an error of the set-up.
func (p *Process) call(function string, words []uintptr) driver.Result {
	f, err := p.Driver.Lookup(function)
	if err != nil {
		panic(setupError{err.Error()})
	}
	return driver.Result(int32(f.CallSlice(words)))
}

// Ask makes a call that has an answer.
func (p *Process) Ask(label, function string, words ...uintptr) {
	c := Call{p.scenario, function}
	if label != "" {
		c.Name += ": " + label
	}
	p.Before(c)
	code, dead := p.Dead[c]
	if !dead {
		code = p.code(function, words)
	}
	p.After(code)
}

// code is the name of what a call gives. A crash of a Go function is one, too.
func (p *Process) code(function string, words []uintptr) (code string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case setupError:
			panic(r)
		default:
			code = Crash
		}
	}()
	return p.call(function, words).Name()
}

// Sound reports whether nothing took the GPU from the process.
func (p *Process) Sound() bool {
	return p.call("cuCtxSetCurrent", []uintptr{p.ctx}) == driver.Success && p.call("cuCtxSynchronize", nil) == driver.Success
}

// Must makes a call that a scenario needs.
func (p *Process) Must(function string, words ...uintptr) {
	if r := p.call(function, words); r != driver.Success {
		panic(setupError{function + ": " + r.Name()})
	}
}

// Try makes a call whose result does not matter: what it gives back may be gone.
func (p *Process) Try(function string, words ...uintptr) { p.call(function, words) }

// Make calls a function whose first word says where to put what it makes, and gives that.
func (p *Process) Make(function string, words ...uintptr) uintptr {
	out := p.Out()
	p.Must(function, append([]uintptr{out}, words...)...)
	return p.Get(out)
}

// Room is zeroed memory that stays where it is.
func (p *Process) Room(n int) uintptr { return p.keep(make([]byte, n+1)) }

func (p *Process) keep(b []byte) uintptr {
	p.kept = append(p.kept, b)
	return callee.Address(&b[0])
}

// Out is the address of memory for a result.
func (p *Process) Out() uintptr { return p.Room(64) }

// Get is the word at an address.
func (p *Process) Get(at uintptr) uintptr { return *callee.At[uintptr](at) }

// Text is the address of a C string.
func (p *Process) Text(s string) uintptr { return p.keep(append([]byte(s), 0)) }

// Words is the address of some memory: 64-bit words. [pair] makes one of two halves.
func (p *Process) Words(words ...uint64) uintptr {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return p.keep(append(b, make([]byte, 64)...))
}

func pair(low, high uint32) uint64 { return uint64(low) | uint64(high)<<32 }

// minus is a negative int as a word.
func minus(n int32) uintptr { return uintptr(uint32(-n)) }

// huge is more than any memory.
const huge = uintptr(math.MaxInt64 &^ 0xffff)

// Params is the address of the addresses of arguments that have 8 bytes or less.
func (p *Process) Params(values ...uintptr) uintptr {
	at := p.Room(8*len(values) + 8)
	for i, v := range values {
		callee.Put(at+uintptr(8*i), p.Words(uint64(v)))
	}
	return at
}

// ByValue are the words of a call that takes an IPC handle by value: a Go function gets its address, C the handle itself.
func (p *Process) ByValue(function string, out, handle uintptr, more ...uintptr) []uintptr {
	f, err := p.Driver.Lookup(function)
	if err != nil {
		panic(setupError{err.Error()})
	}
	if f.Go != nil {
		return append([]uintptr{out, handle}, more...)
	}
	words := make([]uintptr, 6, 14) // on amd64 the handle is on the stack, behind six words in registers
	words[0] = out
	copy(words[1:], more)
	for i := range uintptr(8) {
		words = append(words, p.Get(handle+8*i))
	}
	return words
}
