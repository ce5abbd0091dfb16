package rtc

import "fmt"

// A use is a piece of memory that work uses.
type use struct {
	m     *memory
	write bool
}

// eachUse calls f for each piece of memory among what work reads and writes,
// once: what is in both, or in one of them twice, as a view beside its base,
// counts as written if any of it is. Errors say which of them it is.
func eachUse(reads, writes []Copyable, f func(c Copyable, p place, write bool) error) error {
	seen := make(map[*memory]bool, len(reads)+len(writes))
	for _, part := range []struct {
		name  string
		list  []Copyable
		write bool
	}{{"writes", writes, true}, {"reads", reads, false}} {
		for i, c := range part.list {
			p, err := owned(c)
			if err == nil && !seen[p.mem] {
				seen[p.mem] = true
				err = f(c, p, part.write)
			}
			if err != nil {
				return fmt.Errorf("%s[%d]: %w", part.name, i, err)
			}
		}
	}
	return nil
}
