package cache

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Query reads the parameters of a store's URL. Each is asked for by name;
// then Err names what is wrong and what nobody asked for.
//
// Not safe for concurrent use.
type Query struct {
	values url.Values
	asked  []string
	errs   []error
}

// NewQuery reads the parameters of u.
func NewQuery(u *url.URL) *Query {
	q := &Query{}
	var err error
	if q.values, err = url.ParseQuery(u.RawQuery); err != nil {
		q.errs = append(q.errs, err)
	}
	return q
}

// Text returns a parameter, "" if it is not given.
func (q *Query) Text(name string) string {
	q.asked = append(q.asked, name)
	all := q.values[name]
	if len(all) > 1 {
		q.errs = append(q.errs, fmt.Errorf("%s is given %d times", name, len(all)))
	}
	return q.values.Get(name)
}

// Texts returns all values of a parameter that may be given several times.
func (q *Query) Texts(name string) []string {
	q.asked = append(q.asked, name)
	return q.values[name]
}

// Size returns a number of bytes, as in 1048576, 64KiB, 64MiB, 1GiB; zero if it
// is not given.
func (q *Query) Size(name string) int64 {
	text := q.Text(name)
	if text == "" {
		return 0
	}
	digits, unit := text, int64(1)
	for i, suffix := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			digits, unit = number, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		q.errs = append(q.errs, fmt.Errorf("%s=%s is no size: bytes, or a number and KiB, MiB, GiB or TiB", name, text))
		return 0
	}
	return n * unit
}

// Duration returns a time, as in 500ms, 2s, 24h; zero if it is not given.
func (q *Query) Duration(name string) time.Duration {
	text := q.Text(name)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		q.errs = append(q.errs, fmt.Errorf("%s=%s is no time: as in 500ms, 2s, 24h", name, text))
		return 0
	}
	return d
}

// Err says what was wrong, parameters that nobody asked for among it.
func (q *Query) Err() error {
	errs := q.errs
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !slices.Contains(q.asked, name) {
			known := "it takes none"
			if len(q.asked) > 0 {
				known = "it takes " + strings.Join(q.asked, ", ")
			}
			errs = append(errs, fmt.Errorf("unknown parameter %s: %s", name, known))
		}
	}
	return errors.Join(errs...)
}
