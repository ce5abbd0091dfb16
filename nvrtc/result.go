package nvrtc

import "strconv"

// A Result is NVRTC's own code for how a call ended. It is an error, but for
// Success; errors of this package match it (errors.Is).
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#error-handling.
type Result int32

// The codes that NVRTC documents, up to CUDA 13.3.
const (
	Success                           Result = 0  // NVRTC_SUCCESS
	OutOfMemory                       Result = 1  // NVRTC_ERROR_OUT_OF_MEMORY
	ProgramCreationFailure            Result = 2  // NVRTC_ERROR_PROGRAM_CREATION_FAILURE
	InvalidInput                      Result = 3  // NVRTC_ERROR_INVALID_INPUT
	InvalidProgram                    Result = 4  // NVRTC_ERROR_INVALID_PROGRAM
	InvalidOption                     Result = 5  // NVRTC_ERROR_INVALID_OPTION
	Compilation                       Result = 6  // NVRTC_ERROR_COMPILATION
	BuiltinOperationFailure           Result = 7  // NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
	NoNameExpressionsAfterCompilation Result = 8  // NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
	NoLoweredNamesBeforeCompilation   Result = 9  // NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
	NameExpressionNotValid            Result = 10 // NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
	InternalError                     Result = 11 // NVRTC_ERROR_INTERNAL_ERROR
	TimeFileWriteFailed               Result = 12 // NVRTC_ERROR_TIME_FILE_WRITE_FAILED
	NoPCHCreateAttempted              Result = 13 // NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED
	PCHCreateHeapExhausted            Result = 14 // NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED
	PCHCreate                         Result = 15 // NVRTC_ERROR_PCH_CREATE
	Cancelled                         Result = 16 // NVRTC_ERROR_CANCELLED
	TimeTraceFileWriteFailed          Result = 17 // NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED
	Busy                              Result = 18 // NVRTC_ERROR_BUSY
)

var results = map[Result]struct{ text, name string }{
	Success:                           {"success", "NVRTC_SUCCESS"},
	OutOfMemory:                       {"out of memory", "NVRTC_ERROR_OUT_OF_MEMORY"},
	ProgramCreationFailure:            {"program creation failure", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE"},
	InvalidInput:                      {"invalid input", "NVRTC_ERROR_INVALID_INPUT"},
	InvalidProgram:                    {"invalid program", "NVRTC_ERROR_INVALID_PROGRAM"},
	InvalidOption:                     {"invalid option", "NVRTC_ERROR_INVALID_OPTION"},
	Compilation:                       {"compilation failed", "NVRTC_ERROR_COMPILATION"},
	BuiltinOperationFailure:           {"builtin operation failure", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"},
	NoNameExpressionsAfterCompilation: {"name expressions can't be added after a compile", "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION"},
	NoLoweredNamesBeforeCompilation:   {"there are no lowered names before a compile", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION"},
	NameExpressionNotValid:            {"name expression not valid", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID"},
	InternalError:                     {"internal error", "NVRTC_ERROR_INTERNAL_ERROR"},
	TimeFileWriteFailed:               {"the time file could not be written", "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"},
	NoPCHCreateAttempted:              {"no precompiled header was to be made", "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED"},
	PCHCreateHeapExhausted:            {"the heap for precompiled headers is exhausted", "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED"},
	PCHCreate:                         {"the precompiled header could not be made", "NVRTC_ERROR_PCH_CREATE"},
	Cancelled:                         {"cancelled", "NVRTC_ERROR_CANCELLED"},
	TimeTraceFileWriteFailed:          {"the time trace could not be written", "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"},
	Busy:                              {"busy", "NVRTC_ERROR_BUSY"},
}

// String says it in words.
func (r Result) String() string {
	if t, ok := results[r]; ok {
		return t.text
	}
	return "result " + strconv.Itoa(int(r))
}

// Name is C's name of the code, or its number when it is a new one.
func (r Result) Name() string {
	if t, ok := results[r]; ok {
		return t.name
	}
	return "nvrtcResult " + strconv.Itoa(int(r))
}

// Error is the result in words, as String is.
func (r Result) Error() string { return r.String() }
