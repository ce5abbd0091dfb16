//go:build !rtcalone

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/purecuda/purecuda/rtc/cache/rediscache"
)

// redisHits has a hit in Redis beside the bare GET of the same bytes, by a client of the same kind: one connection each, over the loopback. The
// second store signs.
func redisHits(binary string, rounds int) (comparison, error) {
	ctx := context.Background()
	addr, stop, err := startRedis(binary)
	if err != nil {
		return comparison{}, err
	}
	defer stop()
	client := func() *redis.Client {
		return redis.NewClient(&redis.Options{Addr: addr, Protocol: 2, DisableIdentity: true, ContextTimeoutEnabled: true})
	}
	bare := client()
	defer bare.Close()
	key := numbered(1)
	var stores []*rediscache.Store
	for _, c := range []rediscache.Config{{}, {Prefix: "signed:", Sign: [][]byte{bytes.Repeat([]byte{7}, 32)}}} {
		s, err := rediscache.New(client(), c)
		if err != nil {
			return comparison{}, err
		}
		defer s.Close()
		if err := s.Put(ctx, key, cubin(1)); err != nil {
			return comparison{}, err
		}
		stores = append(stores, s)
	}
	name := "purecuda:" + key.String()
	ways, err := compare([]way{
		times("go-redis GET", func() error { _, err := bare.Get(ctx, name).Bytes(); return err }),
		times("rediscache.Store.Get", func() error { _, err := stores[0].Get(ctx, key); return err }),
		times("rediscache.Store.Get, signed", func() error { _, err := stores[1].Get(ctx, key); return err }),
	}, rounds, diskBlock, nil)
	return comparison{Title: "A hit in Redis, of a cubin of 20 KB", Ways: ways}, err
}

// startRedis starts a server on a free port of the loopback, with the libraries that lie beside it. It ends when stop is called or this process ends.
func startRedis(binary string) (addr string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	addr = l.Addr().String()
	l.Close()
	folder, err := os.MkdirTemp("", "redis")
	if err != nil {
		return "", nil, err
	}
	_, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command("sh", "-c", `"$@" >&2 & cat >/dev/null; kill -9 $!; wait`, "sh", binary,
		"--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no")
	beside := filepath.Join(filepath.Dir(binary), "..", "lib", "x86_64-linux-gnu")
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Trim(beside+":"+os.Getenv("LD_LIBRARY_PATH"), ":"))
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		os.RemoveAll(folder)
		return "", nil, err
	}
	stop = func() {
		in.Close()
		_ = cmd.Wait()
		os.RemoveAll(folder)
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
			return addr, stop, nil
		}
		if time.Since(began) > 10*time.Second {
			stop()
			return "", nil, fmt.Errorf("%s does not listen: %w", binary, failure(errors.New("no answer in 10 s"), said.String()))
		}
	}
}
