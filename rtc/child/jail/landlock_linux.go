//go:build amd64 || arm64

package jail

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

// Rights on files, by what package syscall doesn't know.
const (
	mayExecute  = 1 << 0
	mayReadFile = 1 << 2
	mayReadDir  = 1 << 3
)

// handled is all that a version of Landlock can forbid: struct landlock_ruleset_attr.
type handled struct{ files, network, scope uint64 }

func handledBy(abi int) handled {
	h := handled{files: 1<<13 - 1}
	for _, more := range []struct {
		from int
		handled
	}{
		{2, handled{files: 1 << 13}},    // link and rename to another folder
		{3, handled{files: 1 << 14}},    // truncate
		{4, handled{network: 1<<2 - 1}}, // bind and connect TCP
		{5, handled{files: 1 << 15}},    // ioctl of devices
		{6, handled{scope: 1<<2 - 1}},   // abstract sockets, signals
	} {
		if abi >= more.from {
			h.files |= more.files
			h.network |= more.network
			h.scope |= more.scope
		}
	}
	return h
}

// landlockABI is the version of the kernel's Landlock. Whether there is one only
// the call says: the folder of security modules need not be mounted.
func landlockABI() (int, error) {
	const version = 1
	abi, _, e := syscall.RawSyscall(sysLandlockCreateRuleset, 0, 0, version)
	switch {
	case e == syscall.ENOSYS || e == syscall.EOPNOTSUPP: // not built in; not switched on
		return 0, fmt.Errorf("this kernel has none: %w", errors.Join(e, errors.ErrUnsupported))
	case e != 0:
		return 0, e
	}
	return int(abi), nil
}

func landlock(read []string) error {
	if err := giveUpPrivileges(); err != nil {
		return err
	}
	abi, err := landlockABI()
	if err != nil {
		return err
	}
	h := handledBy(abi)
	set, _, e := syscall.RawSyscall(sysLandlockCreateRuleset, uintptr(unsafe.Pointer(&h)), unsafe.Sizeof(h), 0)
	if e != 0 {
		return fmt.Errorf("a ruleset of version %d: %w", abi, e)
	}
	defer syscall.Close(int(set))
	for _, name := range read {
		if err := allow(int(set), name, mayReadFile|mayReadDir); err != nil {
			return err
		}
	}
	programs, err := self()
	if err != nil {
		return err
	}
	for _, name := range programs {
		if err := allow(int(set), name, mayReadFile|mayExecute); err != nil {
			return err
		}
	}
	if _, _, e := syscall.RawSyscall(sysLandlockRestrictSelf, set, 0, 0); e != 0 {
		return e
	}
	return nil
}

// allow adds a rule for a file, or a folder and all below it.
func allow(set int, name string, rights uint64) error {
	const path = 0x200000 // O_PATH
	fd, err := syscall.Open(name, path|syscall.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "allow", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return &fs.PathError{Op: "allow", Path: name, Err: err}
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		rights &^= mayReadDir
	}
	// struct landlock_path_beneath_attr is packed: what follows here isn't looked at.
	rule := struct {
		rights uint64
		fd     int32
		_      int32
	}{rights: rights, fd: int32(fd)}
	const beneath = 1
	if _, _, e := syscall.RawSyscall6(sysLandlockAddRule, uintptr(set), beneath, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); e != 0 {
		return &fs.PathError{Op: "allow", Path: name, Err: e}
	}
	return nil
}

// self is what has to be executable for this program to be: its file, and the
// dynamic linker that it names.
func self() ([]string, error) {
	const exe = "/proc/self/exe"
	f, err := elf.Open(exe)
	if err != nil {
		return nil, fmt.Errorf("this program: %w", err)
	}
	defer f.Close()
	names := []string{exe}
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		b := make([]byte, p.Filesz)
		if _, err := p.ReadAt(b, 0); err != nil {
			return nil, fmt.Errorf("this program's linker: %w", err)
		}
		names = append(names, strings.TrimRight(string(b), "\x00"))
	}
	return names, nil
}

func systemFiles() []string {
	names := []string{
		"/lib64", "/usr/lib64", "/lib/" + triplet, "/usr/lib/" + triplet, "/etc/ld.so.cache", "/etc/localtime",
		"/sys/kernel/mm/transparent_hugepage", "/sys/devices/system/cpu/online", // allocators and Go's runtime ask
	}
	// A system that has its C library elsewhere has loaded it from there.
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
		for line := range strings.Lines(string(maps)) {
			if _, file, found := strings.Cut(line, " /"); found && strings.Contains(filepath.Base(file), ".so") {
				names = append(names, filepath.Dir("/"+strings.TrimSuffix(file, "\n")))
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool {
		_, err := os.Stat(name)
		return err != nil
	})
}
