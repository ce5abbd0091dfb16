package graph_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// TestContextEndsBehindDo: Run and Trace end with their context while a function
// of Do has an array, also beside those that wait for it without one.
func TestContextEndsBehindDo(t *testing.T) {
	dev := simulated(t, sim.Config{})
	x, err := rtc.Zeros[uint32](dev, width)
	require.NoError(t, err)
	mix, _ := kernels(t)
	g := graph.New(dev)
	defer g.Close()
	_, err = g.Kernel(mix, one, block, 0, x, x, x, uint32(1))
	require.NoError(t, err)
	exec, err := g.Instantiate()
	require.NoError(t, err)
	calls := map[string]func(context.Context) error{
		"Run": g.Run,
		"Trace": func(ctx context.Context) error {
			_, err := g.Trace(ctx)
			return err
		},
	}
	others := map[string]func() error{
		"Enqueue": func() error { return g.Enqueue(dev.Stream()) },
		"Launch":  func() error { return exec.Launch(dev.Stream()) },
	}
	for name, call := range calls {
		for beside, other := range others {
			t.Run(name+" beside "+beside, func(t *testing.T) {
				began, end := make(chan struct{}), make(chan struct{})
				over, waited := make(chan error, 1), make(chan error, 1)
				go func() {
					over <- dev.Stream().Do(nil, []rtc.Copyable{x}, func(uintptr) error {
						close(began)
						<-end
						return nil
					})
				}()
				<-began
				go func() { waited <- other() }()
				time.Sleep(10 * time.Millisecond)
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
				defer cancel()
				got := make(chan error, 1)
				go func() { got <- call(ctx) }()
				select {
				case err := <-got:
					require.ErrorIs(t, err, context.DeadlineExceeded)
				case <-time.After(20 * time.Second):
					t.Error("it waits for the function of Do after its context has ended")
				}
				require.Empty(t, waited)
				close(end)
				require.NoError(t, <-over)
				require.NoError(t, <-waited)
				require.NoError(t, call(context.Background()))
			})
		}
	}
}
