package dl

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCallbackOfAGoFunction(t *testing.T) {
	var got [][]uintptr
	c := NewCallback(2, func(args []uintptr) uintptr {
		got = append(got, args)
		return args[0] + args[1]
	})
	other := NewCallback(2, func([]uintptr) uintptr { return 0 })
	f := &Func{Go: func(args []uintptr) uintptr { return InvokeCallback(args[0], 40, args[1]) }}
	word, err := c.For(f)
	require.NoError(t, err)
	require.EqualValues(t, 42, f.Call(word, 2))
	require.Equal(t, [][]uintptr{{40, 2}}, got)
	otherWord, err := other.For(f)
	require.NoError(t, err)
	require.NotEqual(t, word, otherWord)
	require.PanicsWithValue(t, "dl: invoke callback: 0xffffff is no callback given to a Go function", func() { InvokeCallback(0xffffff) })
}

func TestCallbackHasOneAddress(t *testing.T) {
	for n := range MaxCallbackArgs + 1 {
		c := NewCallback(n, func(args []uintptr) uintptr {
			sum := uintptr(100)
			for i, a := range args {
				sum += a * uintptr(i+1)
			}
			return sum
		})
		f := &Func{Addr: 1}
		var mu sync.Mutex
		addrs := map[uintptr]bool{}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				addr, err := c.For(f)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					addrs[addr] = true
				}
			})
		}
		wg.Wait()
		require.Len(t, addrs, 1, "%d arguments", n)
		for addr := range addrs {
			// The address is code: it can be called as C would.
			args := []uintptr{1, 2, 3, 4}[:n]
			want := uintptr(100)
			for i, a := range args {
				want += a * uintptr(i+1)
			}
			require.Equal(t, want, (&Func{Addr: addr}).Call(args...))
		}
	}
	_, err := NewCallback(MaxCallbackArgs+1, nil).For(&Func{Addr: 1})
	require.EqualError(t, err, "dl: callback: 5 arguments, at most 4")
}
