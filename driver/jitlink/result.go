package jitlink

import "strconv"

// A Result is nvJitLink's own code for how a call ended. It is an error, but for
// Success.
type Result int32

// The codes that nvJitLink documents.
const (
	Success             Result = 0  // NVJITLINK_SUCCESS
	UnrecognizedOption  Result = 1  // NVJITLINK_ERROR_UNRECOGNIZED_OPTION
	MissingArch         Result = 2  // NVJITLINK_ERROR_MISSING_ARCH
	InvalidInput        Result = 3  // NVJITLINK_ERROR_INVALID_INPUT
	PTXCompile          Result = 4  // NVJITLINK_ERROR_PTX_COMPILE
	NVVMCompile         Result = 5  // NVJITLINK_ERROR_NVVM_COMPILE
	Internal            Result = 6  // NVJITLINK_ERROR_INTERNAL
	ThreadPool          Result = 7  // NVJITLINK_ERROR_THREADPOOL
	UnrecognizedInput   Result = 8  // NVJITLINK_ERROR_UNRECOGNIZED_INPUT
	Finalize            Result = 9  // NVJITLINK_ERROR_FINALIZE
	NullInput           Result = 10 // NVJITLINK_ERROR_NULL_INPUT
	IncompatibleOptions Result = 11 // NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS
	IncorrectInputType  Result = 12 // NVJITLINK_ERROR_INCORRECT_INPUT_TYPE
	ArchMismatch        Result = 13 // NVJITLINK_ERROR_ARCH_MISMATCH
	OutdatedLibrary     Result = 14 // NVJITLINK_ERROR_OUTDATED_LIBRARY
	MissingFatbin       Result = 15 // NVJITLINK_ERROR_MISSING_FATBIN
	UnrecognizedArch    Result = 16 // NVJITLINK_ERROR_UNRECOGNIZED_ARCH
	UnsupportedArch     Result = 17 // NVJITLINK_ERROR_UNSUPPORTED_ARCH
	LTONotEnabled       Result = 18 // NVJITLINK_ERROR_LTO_NOT_ENABLED
)

var resultText = map[Result]string{
	Success: "success", UnrecognizedOption: "unrecognised option",
	MissingArch: "no architecture: give an option such as -arch=sm_90", InvalidInput: "invalid input",
	PTXCompile: "PTX does not compile", NVVMCompile: "LTO IR does not compile", Internal: "internal error",
	ThreadPool: "thread pool failed", UnrecognizedInput: "input of an unknown kind", Finalize: "finalising failed",
	NullInput: "null input", IncompatibleOptions: "options that exclude each other",
	IncorrectInputType: "input of another kind than was said", ArchMismatch: "input for another architecture",
	OutdatedLibrary: "input from a newer compiler than this library", MissingFatbin: "object without device code",
	UnrecognizedArch: "unknown architecture", UnsupportedArch: "architecture not supported", LTONotEnabled: "LTO IR without the option -lto",
}

// String is the code in words.
func (r Result) String() string {
	if s, ok := resultText[r]; ok {
		return s
	}
	return "result " + strconv.Itoa(int(r))
}

// Error is the code in words, with the package.
func (r Result) Error() string { return "jitlink: " + r.String() }

// An Error is a call that nvJitLink refused. It matches its Result: errors.Is(err, PTXCompile).
//
// Safe for concurrent use after it is made; its fields must not change.
type Error struct {
	Op       string // what was being done
	Function string // the C function that answered
	Result   Result
	Log      string // what nvJitLink said, without what it had said before this call
}

// Error says what was being done, the code, and what nvJitLink said.
func (e *Error) Error() string {
	s := "jitlink: "
	if e.Op != "" {
		s += e.Op + ": "
	}
	s += e.Result.String() + " (" + e.Function + ": " + strconv.Itoa(int(e.Result)) + ")"
	if e.Log != "" {
		s += ": " + e.Log
	}
	return s
}

// Is reports whether target is e's Result.
func (e *Error) Is(target error) bool { return target == e.Result }
