package settings

// precompiled is how many bytes files of precompiled headers may take up; 0: there are none.
func (c Compiler) precompiled() (int64, error) {
	switch {
	case c.PrecompiledHeaders == "":
		return 0, nil
	case c.Workers != 0:
		return 0, wrong("precompiled_headers", " is of compiles in this process, and compiler.workers is %d", c.Workers)
	}
	return size("precompiled_headers", c.PrecompiledHeaders)
}
