package compile

import "time"

// SetMostEnclosed has Enclose take so many bytes at most, until what it returns is
// called.
func SetMostEnclosed(n int) (restore func()) {
	before := mostEnclosed
	mostEnclosed = n
	return func() { mostEnclosed = before }
}

// SetLongestLock has flights wait for another process so long at most, until what it
// returns is called.
func SetLongestLock(d time.Duration) (restore func()) {
	before := longestLock
	longestLock = d
	return func() { longestLock = before }
}

// SetStorePatience has Stores take so long at most, until what it returns is called.
func SetStorePatience(d time.Duration) (restore func()) {
	before := storePatience
	storePatience = d
	return func() { storePatience = before }
}
