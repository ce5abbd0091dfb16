package compile

import (
	"context"
	"fmt"
)

// Lookup is what the cache has for a request; nothing is compiled and no job
// made. Where it has nothing the Result's Entry is nil; Uncached says whether it
// can ever have something. The errors are Submit's.
func (s *Service) Lookup(ctx context.Context, r Request) (*Result, error) {
	if err := s.enter(ctx, &r); err != nil {
		return nil, fmt.Errorf("compile: look up %s: %w", r.label(), err)
	}
	defer s.working.Done()
	key, unseen, err := s.keyOf(ctx, &r)
	if err != nil {
		return nil, fmt.Errorf("compile: look up %s: %w", r.label(), ended(ctx))
	}
	result := &Result{Origin: Cached, Key: key, Uncached: unseen}
	if unseen == "" {
		result.Entry = s.look(ctx, key)
	}
	return result, nil
}
