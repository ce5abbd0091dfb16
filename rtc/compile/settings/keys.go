package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/purecuda/purecuda/dl"
)

// tables are the keys that there are, by their tables, in the order of Settings.
var tables = func() (all []table) {
	for _, t := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		one := table{name: t.Tag.Get("toml")}
		for _, key := range reflect.VisibleFields(t.Type) {
			one.keys = append(one.keys, key.Tag.Get("toml"))
		}
		all = append(all, one)
	}
	return all
}()

type table struct {
	name string
	keys []string
}

// known lists them for messages.
func known() string {
	var all []string
	for _, t := range tables {
		list := t.keys[0]
		if last := len(t.keys) - 1; last > 0 {
			list = strings.Join(t.keys[:last], ", ") + " and " + t.keys[last]
		}
		all = append(all, t.name+"."+list)
	}
	return strings.Join(all, ", and ")
}

// lines are those of the keys, by their full names as the file spells them.
type lines map[string]int

// linesOf reads a file that is TOML. The decoder tells lines in one way alone: of
// what is not in the value that it is to fill.
func linesOf(text []byte) lines {
	found := lines{}
	for _, into := range []any{&struct{}{}, &struct {
		Compiler struct{} `toml:"compiler"`
		Cache    struct{} `toml:"cache"`
	}{}} {
		var missing *toml.StrictMissingError
		if !errors.As(toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into), &missing) {
			continue
		}
		for _, e := range missing.Errors {
			line, _ := e.Position()
			key := e.Key()
			for n := range key { // and the tables that it is in
				name := join(key[:n+1]...)
				if found[name] == 0 {
					found[name] = line
				}
			}
		}
	}
	return found
}

// of is a key's line. In a table between braces the decoder knows the last part alone.
func (l lines) of(table, key string) int {
	return cmp.Or(l[join(table, key)], l[join(key)], l[join(table)])
}

// strangers finds the keys that are not known: they are matched exactly, and not, as
// the decoder does, whatever their case.
func strangers(text []byte, at lines) error {
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		return told(err)
	}
	type stranger struct {
		line int
		name string
	}
	var list []stranger
	for name, value := range all {
		i := slices.IndexFunc(tables, func(t table) bool { return t.name == name })
		if i < 0 {
			list = append(list, stranger{at[join(name)], join(name)})
			continue
		}
		inside, _ := value.(map[string]any)
		for key := range inside {
			if !slices.Contains(tables[i].keys, key) {
				list = append(list, stranger{at.of(name, key), join(name, key)})
			}
		}
	}
	slices.SortFunc(list, func(a, b stranger) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.name, b.name)) })
	if len(list) == 0 {
		return nil
	}
	const most = 10
	var names []string
	for _, s := range list[:min(most, len(list))] {
		names = append(names, fmt.Sprintf("line %d: %s", s.line, dl.Shorten(s.name)))
	}
	if more := len(list) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	are := "is"
	if len(list) > 1 {
		are = "are"
	}
	return fmt.Errorf("%s %s not known; there are %s", strings.Join(names, ", "), are, known())
}

var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// join is the name of a key, as TOML would have it.
func join(parts ...string) string {
	var quoted []string
	for _, p := range parts {
		if !bare.MatchString(p) {
			p = fmt.Sprintf("%q", p)
		}
		quoted = append(quoted, p)
	}
	return strings.Join(quoted, ".")
}
