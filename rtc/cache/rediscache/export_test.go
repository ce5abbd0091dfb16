package rediscache

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// ReadTimeout is how long the client of a Store of one server waits for an answer.
func (s *Store) ReadTimeout() time.Duration { return s.client.(*redis.Client).Options().ReadTimeout }
