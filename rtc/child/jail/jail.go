package jail

import (
	"fmt"
	"syscall"
)

// Landlock restricts the calling thread for as long as that lives: it can read
// the files and folders of read, with all below them, and no others. What it can
// execute is this program. It also has no_new_privs then, and no capabilities.
//
// The goroutine must be locked to its thread, and should execute this program
// again, as /proc/self/exe: what that becomes is restricted as a whole. Called
// once more, later, it can only take away: from the thread that compiles, say, the
// system's files, when all libraries are loaded.
//
// A name that doesn't exist is an error. If the error matches errors.ErrUnsupported
// the kernel has no Landlock, and the thread has become what it also is: without
// capabilities.
func Landlock(read ...string) error {
	if err := landlock(read); err != nil {
		return fmt.Errorf("jail: landlock: %w", err)
	}
	return nil
}

// SystemFiles are what a program reads to begin and to load the machine's
// libraries: the folders of those, the linker's list, the time zone, how many
// processors there are. None of that is secret. Libraries elsewhere are for the
// caller to add.
//
// Safe for concurrent use.
func SystemFiles() []string { return systemFiles() }

// A Filter is what system calls are left. The zero Filter lets nothing be opened.
//
// Safe for concurrent use after it is made; its fields must not change.
type Filter struct {
	// Open leaves files to be opened, to read them only, and to be asked for. It
	// is for a process that has Landlock, which then says what files.
	Open bool
}

// Seccomp puts f on all threads of the process, those to come too, for good. Calls
// that aren't left fail with EACCES, and clone3 with ENOSYS, so that C libraries
// use clone. No other process of the user's can look into this one from then on.
//
// If a thread has a filter of its own already, Seccomp must be called on that one,
// and if several have it fails.
//
// Safe for concurrent use.
func Seccomp(f Filter) error {
	if err := f.install(); err != nil {
		return fmt.Errorf("jail: seccomp: %w", err)
	}
	return nil
}

// Namespaces has a child that is started with attr have users, processes, mounts,
// networks and shared memory of its own. There it is nobody, and its number is 1.
// An error says that this machine doesn't let it, and attr is as it was.
//
// Safe for concurrent use.
func Namespaces(attr *syscall.SysProcAttr) error {
	if err := namespaces(attr); err != nil {
		return fmt.Errorf("jail: namespaces: %w", err)
	}
	return nil
}
