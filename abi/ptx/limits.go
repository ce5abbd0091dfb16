package ptx

// What Parse refuses so that a hostile text costs bounded time and memory. All are far above what a compiler writes.
const (
	// MaxSize is the longest text that [Parse] takes, in bytes. A tree takes some ten times the size of usual text, and at
	// most about fifty times that of a text made to be costly: whoever takes text from strangers may want to bound it closer.
	MaxSize = 32 << 20

	// MaxDepth is how deep blocks, vectors, initialisers and constant expressions may be nested.
	MaxDepth = 64

	// MaxRegisters is the largest count in a range of registers such as %r<512>.
	MaxRegisters = 1 << 24

	// MaxBytes is the largest size of one variable or of all parameters of a function, in bytes.
	MaxBytes = 1 << 48

	maxDims  = 16
	maxAlign = 1 << 30
)
