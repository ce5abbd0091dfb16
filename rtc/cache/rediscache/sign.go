package rediscache

import (
	"crypto/hmac"
	"crypto/sha256"

	"github.com/purecuda/purecuda/rtc/cache"
)

const (
	shortestKey   = 16
	signatureSize = sha256.Size
	signedAs      = "purecuda cache entry\x00" // of all that these keys may sign
)

// signed is an entry's bytes, which have its key in them, with an HMAC-SHA-256
// after them where there are keys.
func (s *Store) signed(data []byte) []byte {
	if len(s.config.Sign) == 0 {
		return data
	}
	return append(data, signature(s.config.Sign[0], data)...)
}

// verified takes the signature off and checks it, before anything else looks at
// the data.
func (s *Store) verified(key cache.Key, data []byte) ([]byte, error) {
	if len(s.config.Sign) == 0 {
		return data, nil
	}
	if len(data) < signatureSize {
		return nil, &cache.DamagedError{Key: key, Reason: "it is cut short"}
	}
	data, have := data[:len(data)-signatureSize], data[len(data)-signatureSize:]
	for _, shared := range s.config.Sign {
		if hmac.Equal(have, signature(shared, data)) {
			return data, nil
		}
	}
	return nil, &cache.DamagedError{Key: key, Reason: "none of the shared keys has signed it"}
}

func signature(key, data []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(signedAs))
	m.Write(data)
	return m.Sum(nil)
}
