package nvrtc_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// patience is how long tests wait for what a busy machine does late.
const patience = 2 * time.Minute

// blocking plays an NVRTC whose compiles wait until released is closed, and
// says on began that they have begun.
func blocking(config nvrtctest.Config) (nvrtctest.Config, chan struct{}, chan struct{}) {
	released, began := make(chan struct{}), make(chan struct{}, 100)
	config.Compile = func(c *nvrtctest.Compile) {
		began <- struct{}{}
		if c.Wait(released) {
			c.Default()
		}
	}
	return config, released, began
}

func TestNothingIsDoneWhenTheContextHasEnded(t *testing.T) {
	c, fake := bindTo(t, nvrtctest.Config{})
	p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = p.Compile(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "nvrtc: compile k.cu: context canceled")
	ctx, cancel = context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	assert.ErrorIs(t, p.Compile(ctx), context.DeadlineExceeded)
	reason := errors.New("the user left")
	ctx, cause := context.WithCancelCause(context.Background())
	cause(reason)
	err = p.Compile(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, reason)
	assert.Empty(t, fake.Compiles())
}

func TestCancelledCompileStopsFromCUDA128(t *testing.T) {
	config, _, began := blocking(nvrtctest.Config{Version: dlVersion(12, 8)})
	c, fake := bindTo(t, config)
	p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-began; cancel() }()
	assert.ErrorIs(t, p.Compile(ctx), context.Canceled)
	require.Eventually(t, func() bool { return fake.Running() == 0 && c.Busy() == 0 }, patience, time.Millisecond, "NVRTC was told to stop")
	assert.Equal(t, nvrtc.Cancelled, fake.Compiles()[0].Result)
	// The program can be compiled again.
	require.Eventually(t, func() bool { return !errors.Is(p.Compile(expired(t)), nvrtc.ErrBusy) }, patience, time.Millisecond)
}

func expired(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	cancel()
	return ctx
}

func TestCancelledCompileGoesOnBefore128(t *testing.T) {
	config, released, began := blocking(nvrtctest.Config{Version: dlVersion(11, 8)})
	c, fake := bindTo(t, config)
	p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	<-p.Idle()
	go func() { <-began; cancel() }()
	assert.ErrorIs(t, p.Compile(ctx), context.Canceled)
	assert.Equal(t, 1, fake.Running())
	assert.Equal(t, 1, c.Busy(), "its thread is counted")

	// Meanwhile the program is busy, and none of this waits or touches it.
	assert.ErrorIs(t, p.Compile(context.Background()), nvrtc.ErrBusy)
	_, err = p.PTX()
	assert.ErrorIs(t, err, nvrtc.ErrBusy)
	assert.EqualError(t, err, "nvrtc: PTX of k.cu: the program is being compiled")
	_, err = p.LoweredName("k")
	assert.ErrorIs(t, err, nvrtc.ErrBusy)
	assert.Empty(t, p.Log())
	assert.Empty(t, p.Diagnostics())

	// Closed now, freed when the compile ends.
	require.NoError(t, p.Close())
	require.NoError(t, p.Close())
	assert.Equal(t, 1, fake.Live())
	idle := p.Idle()
	select {
	case <-idle:
		assert.Fail(t, "it still compiles")
	default:
	}
	assert.ErrorIs(t, p.Compile(context.Background()), nvrtc.ErrClosed)
	close(released)
	<-idle
	assert.Zero(t, fake.Live())
	require.Eventually(t, func() bool { return fake.Live() == 0 && c.Busy() == 0 }, patience, time.Millisecond)
}

func TestCloseStopsACompile(t *testing.T) {
	config, _, began := blocking(nvrtctest.Config{})
	c, fake := bindTo(t, config)
	p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { <-began; assert.NoError(t, p.Close()) }()
	assert.ErrorIs(t, p.Compile(ctx), nvrtc.ErrClosed)
	assert.Zero(t, fake.Live())
}

func TestCompilerCloseClosesPrograms(t *testing.T) {
	config, _, began := blocking(nvrtctest.Config{})
	c, fake := bindTo(t, config)
	for range 3 {
		p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{})
		require.NoError(t, err)
		go func() { _ = p.Compile(t.Context()) }()
	}
	<-began
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	require.Eventually(t, func() bool { return fake.Live() == 0 && fake.Running() == 0 }, patience, time.Millisecond)
	_, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{})
	assert.ErrorIs(t, err, nvrtc.ErrClosed)
	assert.NoError(t, (*nvrtc.Compiler)(nil).Close())
	assert.NoError(t, (*nvrtc.Program)(nil).Close())
}

// TestEveryCancelStops: a compile that is cancelled is told to stop, even when
// nobody closes the program; and a stop that comes late is not the next
// compile's.
func TestEveryCancelStops(t *testing.T) {
	c, fake := bindTo(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) {
		if c.Options[0] == "-w" {
			c.Default()
			return
		}
		for !c.Stopped() {
			time.Sleep(time.Microsecond)
		}
		c.Result = nvrtc.Cancelled
	}})
	p, err := c.NewProgram("", nvrtc.ProgramConfig{})
	require.NoError(t, err)
	for range 2000 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		require.ErrorIs(t, p.Compile(ctx, "-G"), context.Canceled)
		ctx, cancel = context.WithCancel(context.Background())
		for err = p.Compile(ctx, "-w"); errors.Is(err, nvrtc.ErrBusy); err = p.Compile(ctx, "-w") {
			time.Sleep(time.Microsecond)
		}
		cancel()
		require.NoError(t, err)
	}
	assert.Zero(t, fake.Running())
}

// TestTenThousandCancelledCompilesUseOneCallback: also that a callback which has
// said stop says so to the end, which the double watches.
func TestTenThousandCancelledCompilesUseOneCallback(t *testing.T) {
	rounds := 10_000
	if testing.Short() {
		rounds = 500
	}
	began := make(chan struct{}, 1)
	c, fake := bindTo(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) {
		began <- struct{}{}
		for !c.Stopped() {
			time.Sleep(time.Microsecond)
		}
		c.Result = nvrtc.Cancelled
	}})
	for range rounds {
		p, err := c.NewProgram("", nvrtc.ProgramConfig{})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-began; cancel() }()
		require.ErrorIs(t, p.Compile(ctx), context.Canceled)
		require.NoError(t, p.Close())
	}
	require.Eventually(t, func() bool { return fake.Live() == 0 && fake.Running() == 0 }, patience, time.Millisecond)
	assert.Equal(t, 1, fake.Callbacks())
}

// TestManyAtOnce hammers programs from many goroutines: compiles with and
// without an end, outputs, closes at any time.
func TestManyAtOnce(t *testing.T) {
	c, fake := bindTo(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) {
		timer := make(chan struct{})
		time.AfterFunc(300*time.Microsecond, func() { close(timer) })
		if c.Wait(timer) {
			c.Default()
		}
	}})
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 20 {
				p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Exports: []string{"one<int>"}})
				if !assert.NoError(t, err) {
					return
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(100+50*(g+i)%700)*time.Microsecond)
				var inner sync.WaitGroup
				for range 3 {
					inner.Go(func() {
						err := p.Compile(ctx, "-arch=sm_90")
						if err == nil {
							name, err := p.LoweredName("one<int>")
							assert.True(t, err != nil || name == "_Z3oneIiE", name)
						} else {
							assert.True(t, errors.Is(err, nvrtc.ErrBusy) || errors.Is(err, nvrtc.ErrClosed) || errors.Is(err, context.DeadlineExceeded), "%v", err)
						}
						_, _ = p.CUBIN()
						_ = p.Log()
					})
				}
				if i%2 == 0 {
					inner.Go(func() { assert.NoError(t, p.Close()) })
				}
				inner.Wait()
				cancel()
				assert.NoError(t, p.Close())
			}
		})
	}
	wg.Wait()
	require.Eventually(t, func() bool { return fake.Live() == 0 && fake.Running() == 0 }, patience, time.Millisecond)
}

func TestPanicOfACompileFreesTheProgram(t *testing.T) {
	c, _ := bindTo(t, nvrtctest.Config{Compile: func(*nvrtctest.Compile) { panic("in the double") }})
	p, err := c.NewProgram("", nvrtc.ProgramConfig{})
	require.NoError(t, err)
	defer func() {
		// A goroutine of its own ends the process; a thread hands the panic on.
		require.Contains(t, fmt.Sprint(recover()), "in the double")
		_, err := p.PTX()
		require.ErrorIs(t, err, nvrtc.ErrNotCompiled)
		_ = p.Close()
	}()
	_ = p.Compile(context.Background())
}
