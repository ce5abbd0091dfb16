package driver

// WordOf lets tests of other packages pass out parameters.
func WordOf[T any](p *T) uintptr { return word(p) }
