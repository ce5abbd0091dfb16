package compile

// SetMostEnclosed has Enclose take so many bytes at most, until what it returns is
// called.
func SetMostEnclosed(n int) (restore func()) {
	before := mostEnclosed
	mostEnclosed = n
	return func() { mostEnclosed = before }
}
