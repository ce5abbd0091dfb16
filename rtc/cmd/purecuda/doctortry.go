package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A trial is a compile, or a launch on a device.
type trial struct {
	On        string  `json:"on,omitempty"`
	Simulated bool    `json:"simulated,omitempty"`
	Target    string  `json:"target,omitempty"`
	Works     bool    `json:"works"`
	Error     string  `json:"error,omitempty"`
	MS        float64 `json:"ms"`
}

const trialSource = `extern "C" __global__ void doctor(const int *x, int *y) { y[threadIdx.x] = 3 * x[threadIdx.x] + 1; }`

// trialPTX does the same, for machines that have no NVRTC.
const trialPTX = `.version 6.0
.target sm_50
.address_size 64
.visible .entry doctor(.param .u64 doctor_param_0, .param .u64 doctor_param_1)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [doctor_param_0];
	ld.param.u64 %rd2, [doctor_param_1];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.u32 %r2, [%rd4];
	mad.lo.s32 %r3, %r2, 3, 1;
	st.global.u32 [%rd5], %r3;
	ret;
}
`

// trialTime is what a trial may take: a GPU that hangs is a finding.
const trialTime = time.Minute

// try compiles and launches: on each GPU, or where there is none on a simulated
// device.
func (d *diagnosis) try(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	service := compile.NewService(compile.Config{}) // past the cache
	defer service.Close()
	d.Compile = d.tryCompile(ctx, service)
	if d.Compile.Works {
		d.Worker = d.tryWorker(ctx)
	}
	var open []func() (*rtc.Device, error)
	for _, one := range d.Driver.Devices {
		open = append(open, func() (*rtc.Device, error) {
			return rtc.OpenWith(rtc.OpenConfig{Ordinal: one.Ordinal, Driver: d.Driver.open})
		})
	}
	if len(open) == 0 {
		open = append(open, rtc.OpenSimulated)
	}
	for i, open := range open {
		t := d.tryLaunch(ctx, service, open)
		if t.On == "" {
			t.On = fmt.Sprintf("device %d", i)
		}
		if !t.Works {
			d.problem("a launch on %s failed: %s", t.On, firstLine(t.Error))
		}
		d.Launches = append(d.Launches, t)
	}
}

// tryWorker compiles in a child process. Programs that want none do without.
func (d *diagnosis) tryWorker(ctx context.Context) (t trial) {
	pool, err := worker.NewPool(worker.Config{Workers: 1})
	if err == nil {
		defer pool.Close()
		began := time.Now()
		_, err = pool.Run(ctx, &compile.Request{Source: trialSource, Name: "doctor.cu", Compiler: d.NVRTC.open})
		t.MS = ms(began)
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		t.Error = err.Error()
	case err != nil:
		t.Error = err.Error()
		d.note("workers (rtc/compile/worker) don't work here: %s", firstLine(t.Error))
	default:
		t.Works = true
	}
	return t
}

func (d *diagnosis) tryCompile(ctx context.Context, service *compile.Service) trial {
	if d.NVRTC.open == nil {
		return trial{Error: "there is no NVRTC"}
	}
	began := time.Now()
	mod, err := rtc.NewModuleContext(ctx, trialSource, rtc.ModuleConfig{Name: "doctor.cu", Compiler: d.NVRTC.open, Service: service})
	t := trial{MS: ms(began)}
	if err != nil {
		t.Error = fmt.Sprintf("%+v", detail(err))
		d.problem("a compile failed: %s", firstLine(err.Error()))
		return t
	}
	t.Target, t.Works = mod.Target(), true
	_ = mod.Close()
	return t
}

// detail is a refusal of NVRTC's, which says everything with %+v, or err.
func detail(err error) error {
	var refused *nvrtc.CompileError
	if errors.As(err, &refused) {
		return refused
	}
	return err
}

func (d *diagnosis) tryLaunch(ctx context.Context, service *compile.Service, open func() (*rtc.Device, error)) (t trial) {
	began := time.Now()
	defer func() { t.MS = ms(began) }()
	failed := func(err error) trial {
		t.Error = err.Error()
		return t
	}
	dev, err := open()
	if err != nil {
		return failed(err)
	}
	defer dev.Close()
	t.On, t.Simulated = dev.String(), dev.Simulated()
	var mod *rtc.Module
	if d.Compile.Works {
		mod, err = rtc.NewModuleContext(ctx, trialSource, rtc.ModuleConfig{Name: "doctor.cu", Compiler: d.NVRTC.open, Service: service, For: dev})
	} else {
		mod, err = rtc.LoadModule([]byte(trialPTX), rtc.ModuleConfig{})
	}
	if err != nil {
		return failed(err)
	}
	t.Target = mod.Target()
	kernel, err := mod.Kernel("doctor", "const int *x, int *y")
	if err != nil {
		return failed(err)
	}
	const n = 64
	in := make([]int32, n)
	for i := range in {
		in[i] = int32(i * i)
	}
	x, err := rtc.FromSlice(dev, in)
	if err != nil {
		return failed(err)
	}
	y, err := rtc.Zeros[int32](dev, n)
	if err != nil {
		return failed(err)
	}
	if err := kernel.LaunchContext(ctx, dev, rtc.Dim(1), rtc.Dim(n), 0, x, y); err != nil {
		return failed(err)
	}
	out, err := rtc.ToSliceContext[int32](ctx, y)
	if err != nil {
		return failed(err)
	}
	for i, got := range out {
		if want := 3*in[i] + 1; got != want {
			return failed(fmt.Errorf("it calculates wrongly: element %d is %d, not %d", i, got, want))
		}
	}
	t.Works = true
	return t
}

func ms(began time.Time) float64 { return float64(time.Since(began).Microseconds()) / 1000 }
