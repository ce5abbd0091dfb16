package abi

import (
	"slices"
	"strings"
)

// nearestType is the type that an unknown name may be a slip for: a letter too
// many, too few, wrong, in the wrong place or of the wrong case, or two of them
// in a long name. It is "" if there is none.
func nearestType(name string) string {
	best, least := "", min((len(name)+1)/4, 2)+1
	try := func(known string) {
		if d := slips(strings.ToLower(name), strings.ToLower(known), least+1); d < least || d == least && best != "" && known < best {
			best, least = known, d
		}
	}
	for known := range types {
		try(known)
	}
	for _, known := range builtin {
		if !strings.HasPrefix(known, "_") {
			try(known)
		}
	}
	return best
}

// slips is how many letters must be put in, left out, replaced or swapped with
// the next to make one word of the other, or most if it is no less.
func slips(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		if slices.Min(row) >= most {
			return most
		}
		before, last = last, row
	}
	return min(last[len(b)], most)
}
