package rediscache

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/purecuda/purecuda/rtc/cache"
)

// All goes through the entries of all servers. It asks for each one's size.
func (s *Store) All(ctx context.Context) iter.Seq2[cache.Info, error] {
	return func(yield func(cache.Info, error) bool) {
		if s.closed.Load() {
			yield(cache.Info{}, cache.ErrClosed)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		found := make(chan cache.Info)
		ended := make(chan error, 1)
		go func() { // the servers of a cluster are gone through at once
			ended <- s.eachServer(ctx, func(ctx context.Context, server *redis.Client) error { return s.scan(ctx, server, found) })
			close(found)
		}()
		defer func() {
			cancel()
			for range found { // until all have seen that
			}
		}()
		seen := map[cache.Key]bool{} // Redis may name one twice
		for info := range found {
			if seen[info.Key] {
				continue
			}
			seen[info.Key] = true
			if !yield(info, nil) {
				return
			}
		}
		if err := <-ended; err != nil {
			yield(cache.Info{}, explain("all", err))
		}
	}
}

func (s *Store) eachServer(ctx context.Context, f func(context.Context, *redis.Client) error) error {
	switch c := s.client.(type) {
	case *redis.ClusterClient:
		return c.ForEachMaster(ctx, f)
	case *redis.Client:
		return f(ctx, c)
	}
	return fmt.Errorf("the servers of a %T are not known: %w", s.client, errors.ErrUnsupported)
}

// scan tells of the entries of one server.
func (s *Store) scan(ctx context.Context, server *redis.Client, found chan<- cache.Info) error {
	pattern := escape.Replace(s.config.Prefix) + strings.Repeat("[0-9a-f]", 64)
	for cursor := uint64(0); ; {
		names, next, err := server.Scan(ctx, cursor, pattern, 500).Result()
		if err != nil {
			return err
		}
		sizes := make([]*redis.IntCmd, len(names))
		_, err = server.Pipelined(ctx, func(p redis.Pipeliner) error {
			for i, name := range names {
				sizes[i] = p.StrLen(ctx, name)
			}
			return nil
		})
		if err != nil && !strings.HasPrefix(err.Error(), "WRONGTYPE") {
			return err
		}
		for i, name := range names {
			key, err := cache.ParseKey(strings.TrimPrefix(name, s.config.Prefix))
			if err != nil {
				continue
			}
			select {
			case found <- cache.Info{Key: key, Bytes: sizes[i].Val()}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// escape has a prefix stand for itself in a pattern.
var escape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`)

// Delete removes an entry.
func (s *Store) Delete(ctx context.Context, key cache.Key) error {
	if s.closed.Load() {
		return cache.ErrClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	return explain("delete", s.client.Unlink(ctx, s.name(key)).Err())
}
