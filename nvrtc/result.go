package nvrtc

import "strconv"

// A Result is NVRTC's own code for how a call ended. It is an error, but for
// Success.
type Result int32

// The codes that NVRTC documents.
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
)

var resultText = map[Result]string{
	Success:                           "success",
	OutOfMemory:                       "out of memory",
	ProgramCreationFailure:            "program creation failure",
	InvalidInput:                      "invalid input",
	InvalidProgram:                    "invalid program",
	InvalidOption:                     "invalid option",
	Compilation:                       "compilation failed",
	BuiltinOperationFailure:           "builtin operation failure",
	NoNameExpressionsAfterCompilation: "no name expressions after compilation",
	NoLoweredNamesBeforeCompilation:   "no lowered names before compilation",
	NameExpressionNotValid:            "name expression not valid",
	InternalError:                     "internal error",
	TimeFileWriteFailed:               "time file write failed",
	NoPCHCreateAttempted:              "no PCH create attempted",
	PCHCreateHeapExhausted:            "PCH heap exhausted",
	PCHCreate:                         "PCH creation failed",
	Cancelled:                         "cancelled",
	TimeTraceFileWriteFailed:          "time trace file write failed",
}

func (r Result) String() string {
	if s, ok := resultText[r]; ok {
		return s
	}
	return "result " + strconv.Itoa(int(r))
}

func (r Result) Error() string { return "nvrtc: " + r.String() }
