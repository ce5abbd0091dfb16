package sim

import (
	"fmt"
	"os"
	"syscall"
)

// A shared is memory that other processes can have as well: a file without a name, which they find by the
// descriptor that its owner holds.
//
// The mapping stays when the memory is given back, though its pages go: what a wrong program still reads there
// must not end the process.
type shared struct {
	file  *os.File
	bytes []byte
}

// newShared makes memory to share.
func newShared(n int) (*shared, error) {
	dir := "/dev/shm"
	if _, err := os.Stat(dir); err != nil {
		dir = ""
	}
	f, err := os.CreateTemp(dir, "purecuda-")
	if err != nil {
		return nil, err
	}
	s := &shared{file: f}
	if err = os.Remove(f.Name()); err == nil {
		err = f.Truncate(int64(n))
	}
	if err == nil {
		s.bytes, err = mapFile(f, n)
	}
	if err != nil {
		_ = f.Close() // the first error is the one that counts
		return nil, err
	}
	return s, nil
}

func mapFile(f *os.File, n int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// name is by what another process finds it.
func (s *shared) name() (n sharedName, err error) {
	var st syscall.Stat_t
	if err = syscall.Fstat(int(s.file.Fd()), &st); err != nil {
		return n, err
	}
	return sharedName{PID: uint32(os.Getpid()), FD: uint32(s.file.Fd()), Size: uint64(len(s.bytes)), Dev: st.Dev, Ino: st.Ino}, nil
}

// open maps another process's.
func (n *sharedName) open() (*shared, error) {
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", n.PID, n.FD), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the mapping holds it
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &st); err != nil {
		return nil, err
	}
	if st.Dev != n.Dev || st.Ino != n.Ino || uint64(st.Size) < n.Size {
		return nil, fmt.Errorf("the memory is gone")
	}
	b, err := mapFile(f, int(n.Size))
	if err != nil {
		return nil, err
	}
	return &shared{bytes: b}, nil
}

// export is a descriptor of it for the program to send, which the program closes.
func (s *shared) export() (uintptr, error) {
	fd, err := syscall.Dup(int(s.file.Fd()))
	if err != nil {
		return 0, err
	}
	syscall.CloseOnExec(fd)
	return uintptr(fd), nil
}

// importShared maps what a descriptor shares, which stays the program's.
func importShared(fd uintptr) (*shared, error) {
	own, err := syscall.Dup(int(fd))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(own)
	f := os.NewFile(uintptr(own), "shared memory")
	defer f.Close() // the mapping holds it
	var st syscall.Stat_t
	if err := syscall.Fstat(own, &st); err != nil {
		return nil, err
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Size == 0 {
		return nil, fmt.Errorf("descriptor %d is no shared memory", fd)
	}
	b, err := mapFile(f, int(st.Size))
	if err != nil {
		return nil, err
	}
	return &shared{bytes: b}, nil
}

// close gives the memory back, if it is its owner that asks.
func (s *shared) close() {
	if s == nil || s.file == nil {
		return
	}
	const keepSize, punchHole = 1, 2 // FALLOC_FL_…
	_ = syscall.Fallocate(int(s.file.Fd()), keepSize|punchHole, 0, int64(len(s.bytes)))
	s.hide()
}

// hide keeps further processes from finding it.
func (s *shared) hide() {
	if s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}

// canShare says whether processes can share memory here.
const canShare = true
