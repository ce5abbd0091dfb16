package driver

// Tracks is how many launches a context remembers.
func Tracks(c *Context) int { return len(c.tracks.list(func(*track) bool { return true })) }

// WordOf lets tests of other packages pass out parameters.
func WordOf[T any](p *T) uintptr { return word(p) }
