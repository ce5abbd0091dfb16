package driver

// A jitOption is a CUjit_option.
type jitOption int32
