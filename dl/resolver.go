package dl

// A Resolver finds functions of a C API by name. A *Library is one; a simulated
// driver or a test double, made of Go functions, is another.
//
// Safe for concurrent use.
type Resolver interface {
	// Lookup finds a function. Its error matches ErrNoSymbol when the
	// library simply lacks it.
	Lookup(symbol string) (Func, error)
	// Path is the file that the functions come from, or a description.
	Path() string
}
