package rtc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A Kernel is a __global__ function of a Module together with the signature
// that its arguments are checked against. [Module.Kernel] finds one.
//
// Safe for concurrent use. The Module owns it; there is nothing to close.
type Kernel struct {
	mod       *Module
	functions atomic.Pointer[[]*function] // one for each device that it ran on
	mu        sync.Mutex                  // for changing the list

	name    string // as the user gave it
	entry   string // in the compiled module
	sig     abi.Signature
	writes  []bool // by argument: what it points to may be written
	options LaunchOptions
}

// A function is a kernel that is loaded on a device.
type function struct {
	in    *loaded
	dev   *Device
	raw   *driver.Function
	slots []abi.Slot
	spare atomic.Pointer[call] // one that nobody uses: sooner had than from the pool
	calls sync.Pool            // *call, more of them
}

// Kernel finds a kernel by name. The name is an export, as it was written in
// ModuleConfig.Exports but for blanks, or the name of an entry point, which for
// a kernel that is extern "C" is its own. The error for one that there isn't
// says what there is of that name, or lists the kernels that there are.
//
// signature is the kernel's parameter list in C, such as
// "const float *x, float *y, float alpha"; see [abi.ParseSignature] for the
// types. It may be left out when the compiled name tells it, as those of
// exports do: it is then read from there. Either way it is held against the
// parameters of the compiled kernel: a difference in their count, sizes or
// offsets, or between floating-point numbers and integers, is an error. So is
// one from the types in the compiled name, where it has them: see
// [abi.Signature.CheckMangled]. Which arrays a kernel reads, and which it
// writes, is told by const.
func (m *Module) Kernel(name string, signature ...string) (*Kernel, error) {
	if m == nil {
		return nil, failed("kernel", name, errNilModule)
	}
	k, err := m.kernel(name, signature)
	if err != nil {
		return nil, &opError{op: "kernel", name: name, of: m.name, err: err}
	}
	return k, nil
}

func (m *Module) kernel(name string, signature []string) (*Kernel, error) {
	if m == nil || m.initial == nil {
		return nil, errUnmadeModule
	}
	if m.closed.Load() {
		return nil, fmt.Errorf("the module is %w", ErrClosed)
	}
	if len(signature) > 1 {
		return nil, fmt.Errorf("%d signatures given; a kernel has one: write its parameters as one string, with commas", len(signature))
	}
	entry, slots, err := m.initial.find(name, m.build)
	if err != nil {
		return nil, err
	}
	k := &Kernel{mod: m, name: name, entry: entry}
	if len(signature) == 1 {
		if k.sig, err = abi.ParseSignature(signature[0]); err == nil {
			err = m.holdAgainstName(k.sig, name, entry)
		}
	} else {
		k.sig, err = abi.FromMangled(entry)
	}
	if err != nil {
		return nil, err
	}
	if slots != nil {
		if err := k.sig.Check(name, slots); err != nil {
			return nil, err
		}
	}
	if err := k.sig.CheckNumbers(name, m.initial.code().numbers[entry]); err != nil {
		return nil, err
	}
	k.writes = make([]bool, len(k.sig.Params))
	for i := range k.sig.Params {
		k.writes[i] = !k.sig.Params[i].ReadOnly()
	}
	k.functions.Store(new([]*function))
	return k, nil
}

// holdAgainstName checks a stated signature against the types in the compiled
// name.
func (m *Module) holdAgainstName(sig abi.Signature, name, entry string) error {
	err := sig.CheckMangled(name, entry, abi.Host)
	if err != nil && m.build == nil { // compiled elsewhere, perhaps where long is another
		for _, model := range []abi.DataModel{abi.LP64, abi.LLP64} {
			if sig.CheckMangled(name, entry, model) == nil {
				return nil
			}
		}
	}
	return err
}

// Name is the name that the kernel was asked for by; nil has none.
func (k *Kernel) Name() string {
	if k == nil {
		return ""
	}
	return k.name
}

// Entry is the kernel's name in the compiled module: mangled, unless it is
// extern "C".
func (k *Kernel) Entry() string {
	if k == nil {
		return ""
	}
	return k.entry
}

// Signature is the list of the kernel's parameters; nil has none.
func (k *Kernel) Signature() abi.Signature {
	if k == nil {
		return abi.Signature{}
	}
	return k.sig
}

// Module is the module that the kernel is in.
func (k *Kernel) Module() *Module {
	if k == nil {
		return nil
	}
	return k.mod
}

// String is the name with the signature: axpy(const float *x, float *y).
func (k *Kernel) String() string {
	if k == nil {
		return "no kernel"
	}
	return fmt.Sprintf("%s(%s)", k.name, strings.TrimSpace(k.sig.String()))
}

// Function is the kernel as the driver knows it on dev, for its attributes and
// for calls that this package has no word for. It loads the module there if
// need be. The Module owns it.
func (k *Kernel) Function(dev *Device) (*driver.Function, error) {
	if err := k.made(); err != nil {
		return nil, fmt.Errorf("rtc: function: %w", err)
	}
	f, err := k.on(context.Background(), dev)
	if err != nil {
		return nil, failed("kernel", k.name, err)
	}
	return f.raw, nil
}

var (
	errNilKernel    = errors.New("the kernel is nil")
	errNilModule    = errors.New("the module is nil")
	errUnmadeModule = errors.New("the module was not made by NewModule or LoadModule")
)

// made tells nil from the zero value, which launches find unusable at less cost.
func (k *Kernel) made() error {
	if k != nil && k.mod == nil {
		return unmade("Kernel")
	}
	return k.usable()
}

func (k *Kernel) usable() error {
	if k == nil || k.mod == nil {
		return errNilKernel
	}
	return nil
}

// on finds the kernel on dev, and loads the module there the first time. Only
// then does it ask whether dev can be used.
func (k *Kernel) on(ctx context.Context, dev *Device) (*function, error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	for _, f := range *k.functions.Load() {
		if f.dev == dev && !f.in.gone.Load() {
			return f, nil
		}
	}
	if err := dev.use(); err != nil {
		return nil, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	return k.load(ctx, dev)
}

func (k *Kernel) load(ctx context.Context, dev *Device) (*function, error) {
	l, err := k.mod.on(ctx, dev)
	if err != nil {
		return nil, err
	}
	raw, err := l.raw.Function(k.entry)
	if err != nil {
		return nil, err
	}
	f := &function{in: l, dev: dev, raw: raw}
	if f.slots, err = k.slotsOn(l.art, raw); err != nil {
		return nil, err
	}
	if err := k.sig.Check(k.name, f.slots); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	next := []*function{}
	for _, other := range *k.functions.Load() {
		switch {
		case other.in == l:
			return other, nil
		case !other.in.gone.Load(): // what is gone need not be kept
			next = append(next, other)
		}
	}
	next = append(next, f)
	k.functions.Store(&next)
	return f, nil
}

// slotsOn finds out the parameters of the compiled kernel: from the code, else
// from the driver (12.4 and later), else by C's rules from the signature.
// Launching with too few of them would crash the process.
func (k *Kernel) slotsOn(art *artifact, raw *driver.Function) ([]abi.Slot, error) {
	code := art.code()
	if code.known {
		if slots, err := code.slots(k.entry); err != nil || slots != nil {
			return slots, err
		}
	}
	if params, err := raw.Params(); err == nil {
		slots := make([]abi.Slot, len(params))
		for i, p := range params {
			slots[i] = abi.Slot{Offset: int(p.Offset), Size: int(p.Size)}
		}
		return slots, nil
	}
	if code.err != nil {
		return nil, fmt.Errorf("its parameters can't be told: %w", code.err)
	}
	return k.sig.Layout(abi.Host)
}
