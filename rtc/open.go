package rtc

import (
	"fmt"
	"log/slog"
	"sync"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// An OpenConfig says how to open a device. The zero OpenConfig opens device 0
// of the machine's own CUDA driver.
//
// Safe for concurrent use after it is made; its fields must not change.
type OpenConfig struct {
	Ordinal int            // of the CUDA device, from 0
	Driver  *driver.Driver // nil: the machine's libcuda, opened once a process

	// AutoFree frees the memory of arrays that became unreachable without
	// Close, as far as the garbage collector has found them: at the next
	// Launch, copy, allocation or synchronisation of the device, never on the
	// collector's own thread. When memory runs out the collector is started.
	AutoFree bool

	// Pool, if not nil, has the memory of arrays come from a pool: see PoolConfig.
	Pool *PoolConfig

	// Leaked, if not nil, is told of every array that became unreachable
	// without Close, on a goroutine of its own, or was still open when its
	// device was closed, by Close; but of none of a Scope's. Finding out where an array was made costs
	// about a microsecond each. It must not use the device.
	Leaked func(Leak)
}

// Open opens CUDA device number ordinal. It is [OpenWith] with all else left
// as it is.
func Open(ordinal int) (*Device, error) {
	return OpenWith(OpenConfig{Ordinal: ordinal})
}

// OpenWith opens a device: it finds the driver, retains the device's primary
// context, which other users of the GPU in this process share, and makes the
// stream that launches run on. The caller owns the Device and closes it. Any
// driver from CUDA 8.0 on will do. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html.
//
// Where there is no driver or no GPU the error matches ErrNoDevice and says
// what was looked for. Opening one device twice gives two Devices that do not know of each
// other's arrays and kernels.
func OpenWith(c OpenConfig) (*Device, error) {
	drv := c.Driver
	if drv == nil {
		var err error
		if drv, err = machineDriver.get(); err != nil {
			return nil, fmt.Errorf("rtc: open device %d: %w", c.Ordinal, absent(err))
		}
	}
	d, err := newDevice(drv, c)
	if err != nil {
		return nil, fmt.Errorf("rtc: open device %d: %w", c.Ordinal, absent(err))
	}
	lastOpened.set(d)
	return d, nil
}

// The libraries of the machine, opened when first needed and kept: they can't
// be unloaded. A failure is not kept, since what was missing may be put right.
var (
	machineDriver   = once[*driver.Driver]{open: func() (*driver.Driver, error) { return driver.Open(driver.Config{}) }}
	machineCompiler = once[*nvrtc.Compiler]{open: func() (*nvrtc.Compiler, error) { return nvrtc.Open(nvrtc.Config{}) }}
	machineService  = sync.OnceValue(openService)
)

// openService makes the Service of modules that name none. It is the one place of
// the library that logs without being given a Logger: nobody can give it one, and
// each process that compiles all anew would do so in silence.
func openService() *compile.Service {
	disk := cache.Default(cache.OpenConfig{Logger: slog.Default().With("hint", "PURECUDA_CACHE names another folder, or is off")})
	if disk == nil {
		return compile.NewService(compile.Config{})
	}
	return compile.NewService(compile.Config{Store: cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), disk)})
}

type once[T any] struct {
	open func() (T, error)
	mu   sync.Mutex
	done bool
	val  T
}

func (o *once[T]) get() (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.val, nil
	}
	v, err := o.open()
	if err == nil {
		o.val, o.done = v, true
	}
	return v, err
}

// lastOpened is the device that a module is compiled for when its config names
// none.
var lastOpened openDevices

type openDevices struct {
	mu   sync.Mutex
	open []*Device
}

func (o *openDevices) set(d *Device) {
	o.mu.Lock()
	o.open = append(o.open, d)
	o.mu.Unlock()
}

func (o *openDevices) remove(d *Device) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, other := range o.open {
		if other == d {
			o.open = append(o.open[:i:i], o.open[i+1:]...)
			return
		}
	}
}

func (o *openDevices) get() *Device {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.open) == 0 {
		return nil
	}
	return o.open[len(o.open)-1]
}
