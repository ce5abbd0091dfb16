//go:build unix

package rediscache_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// hostile is a server that reads commands as Redis does and answers them as it likes.
func hostile(t *testing.T, answer func(c net.Conn, command []string)) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var running sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			running.Go(func() {
				defer c.Close()
				for r := bufio.NewReader(c); ; {
					command, err := readCommand(r)
					if err != nil {
						return
					}
					answer(c, command)
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range open {
			c.Close()
		}
		mu.Unlock()
		running.Wait()
	})
	return l.Addr().String()
}

func readCommand(r *bufio.Reader) (command []string, err error) {
	number := func(mark byte) (int, error) {
		line, err := r.ReadString('\n')
		if err != nil || line[0] != mark {
			return 0, io.ErrUnexpectedEOF
		}
		return strconv.Atoi(strings.TrimSpace(line[1:]))
	}
	n, err := number('*')
	for range n {
		size, err := number('$')
		if err != nil {
			return nil, err
		}
		b := make([]byte, size+2)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		command = append(command, string(b[:size]))
	}
	return command, err
}

// TestHostileServers: whatever the server answers, Get gives a miss or an error and no
// wrong entry, in its time, without all memory, and the tiers above go on.
func TestHostileServers(t *testing.T) {
	write := func(text string) func(net.Conn, []string) {
		return func(c net.Conn, _ []string) { _, _ = c.Write([]byte(text)) }
	}
	other := cache.Encode(cachetest.Key(2), cachetest.Entry(2, 1000))
	bulk := func(b []byte) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(b), b) }
	for name, answer := range map[string]func(net.Conn, []string){
		"nonsense":      write("HTTP/1.1 200 OK\r\n\r\n"),
		"zeros":         write(strings.Repeat("\x00", 100) + "\r\n"),
		"an empty line": write("\r\n"),
		"nested for ever": func(c net.Conn, _ []string) {
			for {
				if _, err := c.Write(bytes.Repeat([]byte("*1\r\n"), 1<<14)); err != nil {
					return
				}
			}
		},
		"OK":            write("+OK\r\n"),
		"a number":      write(":7\r\n"),
		"nil":           write("$-1\r\n"),
		"minus two":     write("$-2\r\n"),
		"a huge text":   write("$9223372036854775807\r\nx"),
		"8 GB":          write("$8589934592\r\nx"),
		"300 MB":        write("$314572800\r\nx"),
		"a longer one":  write("$99999999999999999999999\r\nx"),
		"a huge array":  write("*2147483647\r\n$1\r\nx\r\n"),
		"nested arrays": write(strings.Repeat("*1\r\n", 100_000)),
		"a huge map":    write("%1000000000\r\n"),
		"an error":      write("-ERR \x1b[2J\xff\r\n"),
		"an endless line": func(c net.Conn, _ []string) {
			for {
				if _, err := c.Write(bytes.Repeat([]byte("+"), 1<<16)); err != nil {
					return
				}
			}
		},
		"never":        func(net.Conn, []string) {},
		"closes":       func(c net.Conn, _ []string) { c.Close() },
		"closes in it": func(c net.Conn, _ []string) { _, _ = c.Write([]byte(bulk(other)[:300])); c.Close() },
		"byte by byte": func(c net.Conn, _ []string) {
			for i := range other {
				if _, err := c.Write([]byte(bulk(other)[i : i+1])); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		},
		"another entry":      write(bulk(other)),
		"MOVED":              write("-MOVED 1 127.0.0.1:1\r\n"),
		"MOVED for ever":     func(c net.Conn, _ []string) { fmt.Fprintf(c, "-MOVED 1 %s\r\n", c.LocalAddr()) },
		"more than one":      write("$-1\r\n" + strings.Repeat(bulk(other), 3)),
		"pushed":             write(">3\r\n+message\r\n+a\r\n+b\r\n"),
		"too much of a text": write(bulk(bytes.Repeat([]byte("x"), 20<<20))),
	} {
		for _, scheme := range []string{"redis", "redis-cluster"} {
			t.Run(name+"/"+scheme, func(t *testing.T) {
				ctx := context.Background()
				redis := open(t, scheme+"://"+hostile(t, answer)+"?timeout=300ms")
				s := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), redis)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				e, err := redis.Get(ctx, cachetest.Key(1))
				require.Error(t, err)
				assert.Nil(t, e)
				_ = redis.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 100))
				assert.Less(t, time.Since(start), 10*time.Second)
				runtime.ReadMemStats(&after)
				assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<20))
				require.NoError(t, s.Put(ctx, cachetest.Key(3), cachetest.Entry(3, 100)))
				_, err = s.Get(ctx, cachetest.Key(3))
				require.NoError(t, err)
				_, err = s.Get(ctx, cachetest.Key(4))
				require.ErrorIs(t, err, cache.ErrMiss)
				for range redis.All(ctx) {
				}
			})
		}
	}
}
