//go:build linux && (amd64 || arm64)

package jail

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run does what the kernel does with a filter.
func run(t *testing.T, program []instruction, arch, number uint32, args ...uint64) uint32 {
	t.Helper()
	data := make([]byte, dataArgs+6*8)
	binary.LittleEndian.PutUint32(data[dataNumber:], number)
	binary.LittleEndian.PutUint32(data[dataArch:], arch)
	for i, v := range args {
		binary.LittleEndian.PutUint64(data[dataArgs+8*i:], v)
	}
	var a uint32
	for pc := 0; ; pc++ {
		require.Less(t, pc, len(program))
		in := program[pc]
		taken := false
		switch in.code {
		case bpfLoad:
			require.Zero(t, in.k%4, "a load that isn't aligned")
			a = binary.LittleEndian.Uint32(data[in.k:])
			continue
		case bpfAnd:
			a &= in.k
			continue
		case bpfReturn:
			return in.k
		case bpfIfEqual:
			taken = a == in.k
		case bpfIfBits:
			taken = a&in.k != 0
		default:
			t.Fatalf("instruction %#x", in.code)
		}
		if taken {
			pc += int(in.yes)
		} else {
			pc += int(in.no)
		}
	}
}

const (
	testPID = 4711
	odd     = 1 << 40 // a bit that an int doesn't have
)

// conditional are the calls that pass in some ways only.
var conditional = []struct {
	number uint32
	pass   [][]uint64
	refuse [][]uint64
}{
	{
		syscall.SYS_MMAP,
		[][]uint64{{0, 4096, 3, 0x22}, {0, 4096, 0}, {1 << 40, 4096, 1}},
		[][]uint64{{0, 4096, 4}, {0, 4096, 7}, {0, 4096, 5}, {0, 4096, 5 | odd}},
	},
	{
		syscall.SYS_FUTEX,
		[][]uint64{{1 << 40, 0}, {0, 1 | 128}, {0, 9 | 128 | 256}, {0, 10 | 128}},
		[][]uint64{{0, 2}, {0, 3 | 128}, {0, 4 | 128}, {0, 5 | 128}, {0, 6 | 128}, {0, 11}, {0, 12}, {0, 13 | 128}, {0, 512}},
	},
	{
		syscall.SYS_MADVISE,
		[][]uint64{{1 << 40, 4096, 4}, {1 << 40, 4096, 14}, {1 << 40, 4096, 8}, {1 << 40, 4096, 25}},
		[][]uint64{{1 << 40, 4096, 12}, {1 << 40, 4096, 9}, {1 << 40, 4096, 100}, {1 << 40, 4096, 101}, {1 << 40, 4096, 10}, {1 << 40, 4096, 22}},
	},
	{
		syscall.SYS_MPROTECT,
		[][]uint64{{1 << 30, 4096, 3}},
		[][]uint64{{1 << 30, 4096, 5}, {1 << 30, 4096, 4}, {1 << 30, 4096, 1<<24 | 7}},
	},
	{
		syscall.SYS_CLONE,
		[][]uint64{{0x50f00}, {0x3d0f00}, {0x7d0f00}},
		[][]uint64{
			{0}, {uint64(syscall.SIGCHLD)}, {0x4111}, // fork, vfork
			{0x50f00 | 17}, {0x50f00 | syscall.CLONE_NEWUSER}, {0x50f00 | syscall.CLONE_NEWNET}, {0x50f00 | syscall.CLONE_PTRACE},
			{0x50f00 | syscall.CLONE_PARENT}, {0x50f00 &^ syscall.CLONE_THREAD}, {0x50f00 | 0x1000}, // CLONE_PIDFD
		},
	},
	{syscall.SYS_KILL, [][]uint64{{testPID, 6}, {testPID | odd, 6}}, [][]uint64{{0, 6}, {^uint64(0), 9}, {1<<32 - testPID, 9}, {testPID + 1}}},
	{syscall.SYS_TGKILL, [][]uint64{{testPID, 5, 6}}, [][]uint64{{0, 5, 6}, {^uint64(0), testPID, 6}, {testPID + 1, testPID, 6}}},
	{
		sysPrlimit64,
		[][]uint64{{0, 3, 0, 1}, {0, 7, 0, 1}, {testPID, 7, 0, 1}, {0, 3, 1}, {testPID, 3, 1 << 40, 1}},
		[][]uint64{{1, 7, 0, 1}, {0, 7, 1}, {testPID, 2, 1 << 40}, {testPID + 1, 3, 1}, {0, 4, odd, 0}},
	},
	{
		syscall.SYS_FCNTL,
		[][]uint64{{3, syscall.F_GETFL}, {3, syscall.F_SETFL, 0x800}, {3, syscall.F_GETFD}, {3, syscall.F_SETFD, 1}},
		[][]uint64{{3, syscall.F_SETOWN, 1}, {3, syscall.F_DUPFD}, {3, 15}, {3, 10}, {3, 1033}, {3, syscall.F_SETLK}},
	},
}

var opening = []struct{ pass, refuse []uint64 }{
	{pass: []uint64{0, 1, syscall.O_RDONLY}, refuse: []uint64{0, 1, syscall.O_WRONLY}},
	{pass: []uint64{0, 1, syscall.O_RDONLY | syscall.O_CLOEXEC}, refuse: []uint64{0, 1, syscall.O_RDWR | syscall.O_CLOEXEC}},
	{pass: []uint64{^uint64(99), 1, syscall.O_DIRECTORY}, refuse: []uint64{0, 1, syscall.O_CREAT}},
	{pass: []uint64{0, 1, syscall.O_NONBLOCK}, refuse: []uint64{0, 1, syscall.O_TRUNC}},
	{pass: []uint64{0, 1, syscall.O_NOFOLLOW}, refuse: []uint64{0, 1, 3}},
	{pass: []uint64{0, 1, 0}, refuse: []uint64{0, 1, 0x200000}},                                // O_PATH
	{pass: []uint64{0, 1, 0}, refuse: []uint64{0, 1, 0x400000 | syscall.O_DIRECTORY | 2}},      // O_TMPFILE
	{pass: []uint64{0, 1, odd}, refuse: []uint64{0, 1, syscall.O_APPEND}},                      // the kernel takes an int
	{pass: []uint64{0, 1, 0, 0o777}, refuse: []uint64{0, 1, syscall.O_ASYNC | syscall.O_SYNC}}, // the mode is not looked at
}

func TestProgram(t *testing.T) {
	for _, f := range []Filter{{}, {Open: true}} {
		t.Run(fmt.Sprintf("%+v", f), func(t *testing.T) {
			p := f.program(testPID)
			assert.Less(t, len(p), 4096)
			known := map[uint32]bool{sysClone3: true}
			for _, n := range always {
				assert.False(t, known[n], "%d is listed twice", n)
				known[n] = true
				assert.EqualValues(t, pass, run(t, p, auditArch, n, 1, 2, 3, 4, 5, 6), "call %d", n)
			}
			for _, c := range conditional {
				assert.False(t, known[c.number], "%d is listed twice", c.number)
				known[c.number] = true
				for _, args := range c.pass {
					assert.EqualValues(t, pass, run(t, p, auditArch, c.number, args...), "call %d %#x", c.number, args)
				}
				for _, args := range c.refuse {
					assert.Equal(t, refused, run(t, p, auditArch, c.number, args...), "call %d %#x", c.number, args)
				}
			}
			if f.Open {
				known[syscall.SYS_OPENAT] = true
				for _, o := range opening {
					assert.EqualValues(t, pass, run(t, p, auditArch, syscall.SYS_OPENAT, o.pass...), "%#x", o.pass)
					assert.Equal(t, refused, run(t, p, auditArch, syscall.SYS_OPENAT, o.refuse...), "%#x", o.refuse)
				}
				for _, n := range names {
					known[n] = true
					assert.EqualValues(t, pass, run(t, p, auditArch, n, 0, 1))
				}
			}
			assert.Equal(t, unknown, run(t, p, auditArch, sysClone3, 1, 2))
			for n := range uint32(1000) {
				for _, args := range [][]uint64{{}, {testPID, testPID, testPID}, {^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}} {
					if !known[n] {
						assert.Equal(t, refused, run(t, p, auditArch, n, args...), "call %d", n)
					}
					for _, arch := range []uint32{0x40000003, 0x40000028, auditArch ^ 0xfd, 0} { // i386, arm, …
						assert.EqualValues(t, killProcess, run(t, p, arch, n, args...))
					}
					assert.EqualValues(t, killProcess, run(t, p, auditArch, n|x32, args...))
				}
			}
			assert.Equal(t, refused, run(t, p, auditArch, 0x80000000))
		})
	}
}

// TestHandled has the kernel.s table, by version of its interface.
func TestHandled(t *testing.T) {
	assert.Equal(t, handled{files: 0x1fff}, handledBy(1))
	assert.Equal(t, handled{files: 0x3fff}, handledBy(2))
	assert.Equal(t, handled{files: 0x7fff}, handledBy(3))
	assert.Equal(t, handled{files: 0x7fff, network: 3}, handledBy(4))
	assert.Equal(t, handled{files: 0xffff, network: 3}, handledBy(5))
	assert.Equal(t, handled{files: 0xffff, network: 3, scope: 3}, handledBy(6))
	assert.Equal(t, handledBy(6), handledBy(7))
}
