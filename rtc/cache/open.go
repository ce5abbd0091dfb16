package cache

import (
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// OpenConfig is what a store opened by URL gets besides. Its zero value works.
//
// Safe for concurrent use after it is made; its fields must not change.
type OpenConfig struct {
	Logger *slog.Logger // gets the store's warnings. Nil: nobody does
}

// An Opener makes a store from a URL. It connects to nothing: that is left to
// the first call.
type Opener func(u *url.URL, c OpenConfig) (Store, error)

var openers = struct {
	sync.Mutex
	of map[string]Opener
}{of: map[string]Opener{"memory": openMemory, "disk": openDisk, "archive": openArchive}}

// Register has Open use an Opener for a URL's scheme. A module that brings a
// store does it when it is imported. A scheme that is taken is a mistake in the
// program, and panics.
func Register(scheme string, open Opener) {
	openers.Lock()
	defer openers.Unlock()
	if _, taken := openers.of[scheme]; taken {
		panic("cache: register: the scheme " + scheme + " is taken")
	}
	openers.of[scheme] = open
}

// Open makes a store from a URL:
//
//	memory:?size=64MiB                  a Memory
//	disk:?size=1GiB                     a Disk in Default's folder; ErrOff if that is off
//	disk:///var/cache/kernels?size=1GiB a Disk in that folder
//	archive:///opt/app/kernels.cache    an Archive
//
// and by those that were registered: rediscache has redis: and its like.
func Open(text string, c OpenConfig) (Store, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("cache: open: the text is no URL: %w", withoutURL(err))
	}
	openers.Lock()
	open, ok := openers.of[u.Scheme]
	known := slices.Sorted(maps.Keys(openers.of))
	_, named := openers.of[text]
	openers.Unlock()
	if !ok {
		hint := ""
		if strings.HasPrefix(u.Scheme, "redis") {
			hint = `: import _ "github.com/purecuda/purecuda/rtc/cache/rediscache"`
		}
		if u.Scheme == "" {
			switch {
			case named:
				hint = fmt.Sprintf(": %s: has a colon behind it", text)
			case strings.HasPrefix(text, "/"):
				hint = ": a folder is disk://" + text
			}
		}
		return nil, fmt.Errorf("cache: open %s: no store has the scheme %q, but %s%s", redacted(u), u.Scheme, strings.Join(known, ", "), hint)
	}
	if u.Fragment != "" {
		return nil, fmt.Errorf("cache: open %s: what is behind # is not read: in a name it is %%23", redacted(u))
	}
	s, err := open(u, c)
	if err != nil {
		return nil, fmt.Errorf("cache: open %s: %w", redacted(u), err)
	}
	return s, nil
}

// redacted is a URL for messages, without passwords, those among its parameters
// too.
func redacted(u *url.URL) string {
	values, err := url.ParseQuery(u.RawQuery)
	for name, all := range values {
		if strings.Contains(strings.ToLower(name), "password") {
			for i := range all {
				all[i] = "xxxxx"
			}
			shown := *u
			shown.RawQuery = values.Encode()
			u = &shown
		}
	}
	if err != nil && u.RawQuery != "" { // what can't be read may be one
		shown := *u
		shown.RawQuery = "…"
		u = &shown
	}
	return u.Redacted()
}

// withoutURL leaves the URL, which may have a password, out of an error.
func withoutURL(err error) error {
	if e, ok := err.(*url.Error); ok {
		return e.Err
	}
	return err
}

func openMemory(u *url.URL, _ OpenConfig) (Store, error) {
	q := NewQuery(u)
	c := MemoryConfig{MaxBytes: q.Size("size")}
	if err := q.Err(); err != nil {
		return nil, err
	}
	if p := pathOf(u); p != "" {
		return nil, fmt.Errorf("memory has no path, but %q is given", p)
	}
	return NewMemory(c), nil
}

func openDisk(u *url.URL, c OpenConfig) (Store, error) {
	q := NewQuery(u)
	d := DiskConfig{Dir: pathOf(u), MaxBytes: q.Size("size"), Logger: c.Logger}
	if err := q.Err(); err != nil {
		return nil, err
	}
	if u.Host != "" {
		return nil, fmt.Errorf("the folder of a disk follows three slashes (disk:///folder): %q is taken for a host", u.Host)
	}
	if d.Dir != "" && !filepath.IsAbs(d.Dir) && d.Dir[0] != '/' { // on Windows such is of this drive
		return nil, fmt.Errorf("%q is a relative folder, another for each working directory: give it from the root on, as in disk:///folder", d.Dir)
	}
	if d.Dir != "" {
		return NewDisk(d), nil
	}
	if s := defaultDisk(d); s != nil {
		return s, nil
	}
	return nil, ErrOff
}

func openArchive(u *url.URL, _ OpenConfig) (Store, error) {
	if err := NewQuery(u).Err(); err != nil {
		return nil, err
	}
	if u.Host != "" {
		return nil, fmt.Errorf("the file of an archive follows three slashes (archive:///file): %q is taken for a host", u.Host)
	}
	f, err := os.Open(pathOf(u))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadArchive(f)
}

// pathOf is the path of a URL in the system's form: disk:///C:/x is C:/x.
func pathOf(u *url.URL) string {
	p := u.Path
	if u.Opaque != "" {
		p = u.Opaque // disk:folder
		if plain, err := url.PathUnescape(p); err == nil {
			p = plain
		}
	}
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:]
	}
	return p
}
