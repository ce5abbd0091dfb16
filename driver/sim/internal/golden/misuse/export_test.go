package misuse

// Kernels are the texts that scenarios must be able to load.
var Kernels = map[string]string{"plain": plain, "wrong": wrong, "deep": deep}
