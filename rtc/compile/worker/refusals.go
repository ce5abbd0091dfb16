package worker

import (
	"crypto/sha256"
	"sync"
)

// mostRefusals bounds how many are remembered.
const mostRefusals = 1000

// refusals remember what is not tried again, the last ones.
type refusals struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]error
	order [][sha256.Size]byte
}

// refusalID tells compiles apart.
func refusalID(k kind, message []byte) [sha256.Size]byte {
	return sha256.Sum256(pack([]byte(k.library), []byte(k.folder), message))
}

func (r *refusals) find(id [sha256.Size]byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[id]
}

func (r *refusals) keep(id [sha256.Size]byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = map[[sha256.Size]byte]error{}
	}
	if r.known[id] == nil {
		r.order = append(r.order, id)
	}
	r.known[id] = err
	if len(r.order) > mostRefusals {
		delete(r.known, r.order[0])
		r.order = r.order[1:]
	}
}
