package child

import (
	"os"
	"time"
)

// A Config says what to start, and within which limits.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Path is the executable. /proc/self/exe is this program, also if its file has
	// been replaced or removed since.
	Path string
	// Args are all arguments, the program's name being the first. Empty: Path.
	Args []string
	// Env is the whole environment. Nothing is taken over from this process, but
	// SYSTEMROOT on Windows.
	Env []string
	// Dir is the working directory. Empty: the root, of the system's drive.
	Dir string
	// Files are the child's, which has them by Inherited; on Unix they are its
	// descriptors from 3 on. Start closes them here, also when it fails. Its
	// descriptors 0 and 1 are the null device; what it writes to 2 is kept for Exit.
	Files []*os.File
	// Namespaces has it be nobody on a machine of its own, as jail.Namespaces says,
	// whose error Start gives where that can't be.
	Namespaces bool
	// Limits are in force when Start returns: the child should wait for a word
	// before it does what they are for.
	Limits Limits
}

// Limits are what a child may use. With 0 a limit is that of this process. A child
// never dumps core. (There is none of its stack: the kernel puts back the old one
// while a program begins. A child can lower it itself, and begin again.)
//
// Safe for concurrent use after it is made; its fields must not change.
type Limits struct {
	// Memory is how many bytes of memory it may ask for, which is more than it
	// uses: a request for more fails.
	Memory int64
	// CPU time, in whole seconds, ends the process; on Windows that of its own code.
	CPU time.Duration
	// OpenFiles is how many descriptors it may have. Windows has no such limit.
	OpenFiles int
	// NoWriting: it can't write to files. Windows has no such limit.
	NoWriting bool
}
