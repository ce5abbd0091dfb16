package rtc

import (
	"context"
	"sync"
)

// legacy shares modules between equal sources.
var legacy = legacySources{modules: map[string]*legacySource{}}

type legacySources struct {
	mu      sync.Mutex
	modules map[string]*legacySource
}

type legacySource struct {
	text  string
	mod   *Module
	users int
	ready sync.Once
	err   error
}

func (l *legacySources) get(name, text string, dev *Device) (*legacySource, error) {
	l.mu.Lock()
	s := l.modules[text]
	if s == nil {
		s = &legacySource{text: text}
		l.modules[text] = s
	}
	s.users++
	l.mu.Unlock()
	s.ready.Do(func() {
		s.mod, s.err = newModule(context.Background(), text, ModuleConfig{Name: name + ".cu", For: dev})
	})
	if s.err != nil {
		l.put(s)
		return nil, s.err
	}
	return s, nil
}

func (l *legacySources) put(s *legacySource) error {
	l.mu.Lock()
	s.users--
	last := s.users == 0
	if last && l.modules[s.text] == s {
		delete(l.modules, s.text)
	}
	l.mu.Unlock()
	if last {
		return s.mod.Close()
	}
	return nil
}
