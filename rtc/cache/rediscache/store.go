package rediscache

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/purecuda/purecuda/rtc/cache"
)

// Config says how entries are kept. Its zero value works.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Prefix begins every key in Redis; empty is "purecuda:".
	Prefix string
	// TTL is how long an entry stays after it was put; zero is 30 days, less
	// than zero for ever.
	TTL time.Duration
	// MaxEntry is the most bytes of an entry that is put or read; zero is 16 MiB.
	MaxEntry int64
	// Timeout is how long a call takes at most; zero is 500 ms.
	Timeout time.Duration
	// Sign holds keys, of 16 bytes or more, that all machines share. Entries are
	// signed with the first and read if any of them signed. To change keys, add
	// the new one at the end everywhere, then move it to the front everywhere,
	// then take the old one away. Empty: entries are not authenticated.
	Sign [][]byte
}

const usualEntry = 16 << 20 // of Config.MaxEntry

// A Store is a cache.Store, Walker and Counter in Redis. New or Open makes it.
//
// Safe for concurrent use.
type Store struct {
	counts cache.Counts
	client redis.UniversalClient
	config Config
	place  string // of the URL
	closed atomic.Bool
}

// New makes a Store of a client, which it closes when it is closed. Only one made
// with ContextTimeoutEnabled keeps to Config.Timeout, and only up to its own
// ReadTimeout. A server that names a length which no memory holds ends the program, unless
// the client's own connections are guarded, as those of Open are. That a key of Config.Sign is too short is an error.
func New(client redis.UniversalClient, c Config) (*Store, error) {
	if c.Prefix == "" {
		c.Prefix = "purecuda:"
	}
	if c.TTL == 0 {
		c.TTL = 30 * 24 * time.Hour
	}
	if c.MaxEntry <= 0 {
		c.MaxEntry = usualEntry
	}
	if c.Timeout <= 0 {
		c.Timeout = 500 * time.Millisecond
	}
	for i, key := range c.Sign {
		if len(key) < shortestKey {
			return nil, fmt.Errorf("rediscache: new: key %d to sign with has %d bytes; at least %d are needed", i+1, len(key), shortestKey)
		}
	}
	return &Store{client: client, config: c}, nil
}

// String says that it is Redis, and where, if a URL told.
func (s *Store) String() string { return strings.TrimSpace("redis " + s.place) }

// Get reads the entry under key.
func (s *Store) Get(ctx context.Context, key cache.Key) (*cache.Entry, error) {
	if s.closed.Load() {
		return nil, cache.ErrClosed
	}
	e, err := s.get(ctx, key)
	s.counts.Get(err)
	return e, err
}

func (s *Store) get(ctx context.Context, key cache.Key) (*cache.Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	// A range, so that nobody can have us read without end.
	limit := s.config.MaxEntry + signatureSize
	data, err := s.client.GetRange(ctx, s.name(key), 0, limit).Bytes()
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "WRONGTYPE"):
		return nil, &cache.DamagedError{Key: key, Reason: "what lies under its name in Redis is no text"}
	case err != nil:
		return nil, explain("get", err)
	case len(data) == 0:
		return nil, cache.ErrMiss
	case int64(len(data)) > limit:
		return nil, &cache.DamagedError{Key: key, Reason: fmt.Sprintf("it is larger than %d bytes", s.config.MaxEntry)}
	}
	if data, err = s.verified(key, data); err != nil {
		return nil, err
	}
	return cache.Decode(key, data)
}

// Put writes the entry.
func (s *Store) Put(ctx context.Context, key cache.Key, e *cache.Entry) error {
	if s.closed.Load() {
		return cache.ErrClosed
	}
	if e == nil {
		return errors.New("rediscache: put: there is no entry: it is nil")
	}
	err := s.put(ctx, key, e)
	s.counts.Put(err)
	return err
}

func (s *Store) put(ctx context.Context, key cache.Key, e *cache.Entry) error {
	data := cache.Encode(key, e)
	if int64(len(data)) > s.config.MaxEntry {
		return cache.ErrTooLarge
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	return explain("put", s.client.Set(ctx, s.name(key), s.signed(data), max(0, s.config.TTL)).Err())
}

// Stats returns what this Store counted so far.
func (s *Store) Stats() cache.Stats { return s.counts.Stats() }

// Close closes the client.
func (s *Store) Close() error {
	if s == nil || s.closed.Swap(true) {
		return nil
	}
	return s.client.Close()
}

func (s *Store) name(key cache.Key) string { return s.config.Prefix + key.String() }

// explain names the operation in an error of the client.
func explain(operation string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, redis.ErrClosed):
		return cache.ErrClosed
	}
	return fmt.Errorf("rediscache: %s: %w", operation, err)
}
