package dl

import (
	"cmp"
	"fmt"
)

// A Version is a CUDA release, such as 12.8. The zero Version means unknown.
//
// Safe for concurrent use after it is made; its fields must not change.
type Version struct{ Major, Minor int }

// String is the version as people write it: 12.8.
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Compare orders versions: negative when v is older than w, 0 when equal.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor))
}

// AtLeast reports whether v is major.minor or newer.
func (v Version) AtLeast(major, minor int) bool {
	return v.Compare(Version{major, minor}) >= 0
}
