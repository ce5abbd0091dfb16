package child

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"
)

var (
	kernel32 = syscall.NewLazyDLL("kernel32.dll")
	ntdll    = syscall.NewLazyDLL("ntdll.dll")

	createJobObject           = kernel32.NewProc("CreateJobObjectW")
	setInformationJobObject   = kernel32.NewProc("SetInformationJobObject")
	queryInformationJobObject = kernel32.NewProc("QueryInformationJobObject")
	assignProcessToJobObject  = kernel32.NewProc("AssignProcessToJobObject")
	terminateJobObject        = kernel32.NewProc("TerminateJobObject")
	getProcessMemoryInfo      = kernel32.NewProc("K32GetProcessMemoryInfo")
	resumeProcess             = ntdll.NewProc("NtResumeProcess")
)

// A group is a job object: limits, and an end, that a process has with all it
// starts. It ends what is in it when its last handle is closed, as the system does
// for a process that has died.
type group struct{ job syscall.Handle }

// extendedLimits is JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
type extendedLimits struct {
	processTime, jobTime   int64 // in 100 ns
	flags                  uint32
	minimumSet, maximumSet uintptr
	activeProcesses        uint32
	affinity               uintptr
	priority, scheduling   uint32
	io                     [6]uint64
	processMemory          uintptr
	jobMemory              uintptr
	peakProcess, peakJob   uintptr
}

const (
	classUIRestrictions = 4
	classExtendedLimits = 9

	limitProcessTime   = 0x2
	limitActive        = 0x8
	limitProcessMemory = 0x100
	dieOnException     = 0x400
	killOnClose        = 0x2000

	allUIRestrictions = 0xff // clipboard, desktop, others' windows, logging off, …
)

// newGroup makes a job with the limits.
func newGroup(l Limits) (group, error) {
	job, _, err := createJobObject.Call(0, 0)
	if job == 0 {
		return group{}, fmt.Errorf("job object: %w", err)
	}
	g := group{syscall.Handle(job)}
	limits := extendedLimits{flags: killOnClose | dieOnException | limitActive, activeProcesses: 1}
	if l.Memory > 0 {
		limits.flags |= limitProcessMemory
		limits.processMemory = uintptr(l.Memory)
	}
	if l.CPU > 0 {
		limits.flags |= limitProcessTime
		limits.processTime = int64(l.CPU / (100 * time.Nanosecond))
	}
	ui := uint32(allUIRestrictions)
	if ok, _, err := setInformationJobObject.Call(job, classExtendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits)); ok == 0 {
		g.close()
		return group{}, fmt.Errorf("limits of the job: %w", err)
	}
	if ok, _, err := setInformationJobObject.Call(job, classUIRestrictions, uintptr(unsafe.Pointer(&ui)), unsafe.Sizeof(ui)); ok == 0 {
		g.close()
		return group{}, fmt.Errorf("restrictions of the job: %w", err)
	}
	return g, nil
}

// take puts a process that waits into the job, and has it go on.
func (g group) take(process syscall.Handle) error {
	if ok, _, err := assignProcessToJobObject.Call(uintptr(g.job), uintptr(process)); ok == 0 {
		return fmt.Errorf("take it into the job: %w", err)
	}
	if status, _, _ := resumeProcess.Call(uintptr(process)); int32(status) < 0 {
		return fmt.Errorf("have it go on: status %#x", uint32(status))
	}
	return nil
}

func (g group) kill() { _, _, _ = terminateJobObject.Call(uintptr(g.job), exitKilled) }

// exitKilled is the exit code of who is killed, as Go's os package has it.
const exitKilled = 1

func (g group) close() { _ = syscall.CloseHandle(g.job) }

// peak is the most memory that a process of the job had asked for.
func (g group) peak() int64 {
	var limits extendedLimits
	_, _, _ = queryInformationJobObject.Call(uintptr(g.job), classExtendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits), 0)
	return int64(limits.peakProcess)
}

// boundMemory lowers how much memory a process of the job may ask for.
func (g group) boundMemory(most int64) error {
	var limits extendedLimits
	if ok, _, err := queryInformationJobObject.Call(uintptr(g.job), classExtendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits), 0); ok == 0 {
		return fmt.Errorf("limits of the job: %w", err)
	}
	if limits.flags&limitProcessMemory != 0 && limits.processMemory <= uintptr(most) {
		return nil
	}
	limits.flags |= limitProcessMemory
	limits.processMemory = uintptr(most)
	if ok, _, err := setInformationJobObject.Call(uintptr(g.job), classExtendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits)); ok == 0 {
		return fmt.Errorf("limits of the job: %w", err)
	}
	return nil
}

// memory is what a process has now: in RAM, and all that it has asked for.
func memory(process syscall.Handle) (resident, asked int64) {
	var counters struct { // PROCESS_MEMORY_COUNTERS
		size, faults               uint32
		peakWorkingSet, workingSet uintptr
		quotas                     [4]uintptr
		pagefile, peakPagefile     uintptr
	}
	counters.size = uint32(unsafe.Sizeof(counters))
	_, _, _ = getProcessMemoryInfo.Call(uintptr(process), uintptr(unsafe.Pointer(&counters)), uintptr(counters.size))
	return int64(counters.workingSet), int64(counters.pagefile)
}
