package driver

import "strconv"

// A Result is the driver's own code for how a call ended. It is an error, but
// for Success.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html
type Result int32

// The codes that the driver documents.
const (
	Success                      Result = 0   // CUDA_SUCCESS
	InvalidValue                 Result = 1   // CUDA_ERROR_INVALID_VALUE
	OutOfMemory                  Result = 2   // CUDA_ERROR_OUT_OF_MEMORY
	NotInitialized               Result = 3   // CUDA_ERROR_NOT_INITIALIZED
	Deinitialized                Result = 4   // CUDA_ERROR_DEINITIALIZED
	ProfilerDisabled             Result = 5   // CUDA_ERROR_PROFILER_DISABLED
	ProfilerNotInitialized       Result = 6   // CUDA_ERROR_PROFILER_NOT_INITIALIZED
	ProfilerAlreadyStarted       Result = 7   // CUDA_ERROR_PROFILER_ALREADY_STARTED
	ProfilerAlreadyStopped       Result = 8   // CUDA_ERROR_PROFILER_ALREADY_STOPPED
	StubLibrary                  Result = 34  // CUDA_ERROR_STUB_LIBRARY
	CallRequiresNewerDriver      Result = 36  // CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER
	DeviceUnavailable            Result = 46  // CUDA_ERROR_DEVICE_UNAVAILABLE
	NoDevice                     Result = 100 // CUDA_ERROR_NO_DEVICE
	InvalidDevice                Result = 101 // CUDA_ERROR_INVALID_DEVICE
	DeviceNotLicensed            Result = 102 // CUDA_ERROR_DEVICE_NOT_LICENSED
	InvalidImage                 Result = 200 // CUDA_ERROR_INVALID_IMAGE
	InvalidContext               Result = 201 // CUDA_ERROR_INVALID_CONTEXT
	ContextAlreadyCurrent        Result = 202 // CUDA_ERROR_CONTEXT_ALREADY_CURRENT
	MapFailed                    Result = 205 // CUDA_ERROR_MAP_FAILED
	UnmapFailed                  Result = 206 // CUDA_ERROR_UNMAP_FAILED
	ArrayIsMapped                Result = 207 // CUDA_ERROR_ARRAY_IS_MAPPED
	AlreadyMapped                Result = 208 // CUDA_ERROR_ALREADY_MAPPED
	NoBinaryForGPU               Result = 209 // CUDA_ERROR_NO_BINARY_FOR_GPU
	AlreadyAcquired              Result = 210 // CUDA_ERROR_ALREADY_ACQUIRED
	NotMapped                    Result = 211 // CUDA_ERROR_NOT_MAPPED
	NotMappedAsArray             Result = 212 // CUDA_ERROR_NOT_MAPPED_AS_ARRAY
	NotMappedAsPointer           Result = 213 // CUDA_ERROR_NOT_MAPPED_AS_POINTER
	ECCUncorrectable             Result = 214 // CUDA_ERROR_ECC_UNCORRECTABLE
	UnsupportedLimit             Result = 215 // CUDA_ERROR_UNSUPPORTED_LIMIT
	ContextAlreadyInUse          Result = 216 // CUDA_ERROR_CONTEXT_ALREADY_IN_USE
	PeerAccessUnsupported        Result = 217 // CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
	InvalidPTX                   Result = 218 // CUDA_ERROR_INVALID_PTX
	InvalidGraphicsContext       Result = 219 // CUDA_ERROR_INVALID_GRAPHICS_CONTEXT
	NVLinkUncorrectable          Result = 220 // CUDA_ERROR_NVLINK_UNCORRECTABLE
	JITCompilerNotFound          Result = 221 // CUDA_ERROR_JIT_COMPILER_NOT_FOUND
	UnsupportedPTXVersion        Result = 222 // CUDA_ERROR_UNSUPPORTED_PTX_VERSION
	JITCompilationDisabled       Result = 223 // CUDA_ERROR_JIT_COMPILATION_DISABLED
	UnsupportedExecAffinity      Result = 224 // CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
	UnsupportedDeviceSideSync    Result = 225 // CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC
	Contained                    Result = 226 // CUDA_ERROR_CONTAINED
	InvalidSource                Result = 300 // CUDA_ERROR_INVALID_SOURCE
	FileNotFound                 Result = 301 // CUDA_ERROR_FILE_NOT_FOUND
	SharedObjectSymbolNotFound   Result = 302 // CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND
	SharedObjectInitFailed       Result = 303 // CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
	OperatingSystem              Result = 304 // CUDA_ERROR_OPERATING_SYSTEM
	InvalidHandle                Result = 400 // CUDA_ERROR_INVALID_HANDLE
	IllegalState                 Result = 401 // CUDA_ERROR_ILLEGAL_STATE
	LossyQuery                   Result = 402 // CUDA_ERROR_LOSSY_QUERY
	NotFound                     Result = 500 // CUDA_ERROR_NOT_FOUND
	NotReady                     Result = 600 // CUDA_ERROR_NOT_READY
	IllegalAddress               Result = 700 // CUDA_ERROR_ILLEGAL_ADDRESS
	LaunchOutOfResources         Result = 701 // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
	LaunchTimeout                Result = 702 // CUDA_ERROR_LAUNCH_TIMEOUT
	LaunchIncompatibleTexturing  Result = 703 // CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING
	PeerAccessAlreadyEnabled     Result = 704 // CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
	PeerAccessNotEnabled         Result = 705 // CUDA_ERROR_PEER_ACCESS_NOT_ENABLED
	PrimaryContextActive         Result = 708 // CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE
	ContextIsDestroyed           Result = 709 // CUDA_ERROR_CONTEXT_IS_DESTROYED
	Assert                       Result = 710 // CUDA_ERROR_ASSERT
	TooManyPeers                 Result = 711 // CUDA_ERROR_TOO_MANY_PEERS
	HostMemoryAlreadyRegistered  Result = 712 // CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
	HostMemoryNotRegistered      Result = 713 // CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
	HardwareStackError           Result = 714 // CUDA_ERROR_HARDWARE_STACK_ERROR
	IllegalInstruction           Result = 715 // CUDA_ERROR_ILLEGAL_INSTRUCTION
	MisalignedAddress            Result = 716 // CUDA_ERROR_MISALIGNED_ADDRESS
	InvalidAddressSpace          Result = 717 // CUDA_ERROR_INVALID_ADDRESS_SPACE
	InvalidPC                    Result = 718 // CUDA_ERROR_INVALID_PC
	LaunchFailed                 Result = 719 // CUDA_ERROR_LAUNCH_FAILED
	CooperativeLaunchTooLarge    Result = 720 // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
	TensorMemoryLeak             Result = 721 // CUDA_ERROR_TENSOR_MEMORY_LEAK
	NotPermitted                 Result = 800 // CUDA_ERROR_NOT_PERMITTED
	NotSupported                 Result = 801 // CUDA_ERROR_NOT_SUPPORTED
	SystemNotReady               Result = 802 // CUDA_ERROR_SYSTEM_NOT_READY
	SystemDriverMismatch         Result = 803 // CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
	CompatNotSupportedOnDevice   Result = 804 // CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
	MPSConnectionFailed          Result = 805 // CUDA_ERROR_MPS_CONNECTION_FAILED
	MPSRPCFailure                Result = 806 // CUDA_ERROR_MPS_RPC_FAILURE
	MPSServerNotReady            Result = 807 // CUDA_ERROR_MPS_SERVER_NOT_READY
	MPSMaxClientsReached         Result = 808 // CUDA_ERROR_MPS_MAX_CLIENTS_REACHED
	MPSMaxConnectionsReached     Result = 809 // CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED
	MPSClientTerminated          Result = 810 // CUDA_ERROR_MPS_CLIENT_TERMINATED
	CDPNotSupported              Result = 811 // CUDA_ERROR_CDP_NOT_SUPPORTED
	CDPVersionMismatch           Result = 812 // CUDA_ERROR_CDP_VERSION_MISMATCH
	StreamCaptureUnsupported     Result = 900 // CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
	StreamCaptureInvalidated     Result = 901 // CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
	StreamCaptureMerge           Result = 902 // CUDA_ERROR_STREAM_CAPTURE_MERGE
	StreamCaptureUnmatched       Result = 903 // CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
	StreamCaptureUnjoined        Result = 904 // CUDA_ERROR_STREAM_CAPTURE_UNJOINED
	StreamCaptureIsolation       Result = 905 // CUDA_ERROR_STREAM_CAPTURE_ISOLATION
	StreamCaptureImplicit        Result = 906 // CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
	CapturedEvent                Result = 907 // CUDA_ERROR_CAPTURED_EVENT
	StreamCaptureWrongThread     Result = 908 // CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
	Timeout                      Result = 909 // CUDA_ERROR_TIMEOUT
	GraphExecUpdateFailure       Result = 910 // CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
	ExternalDevice               Result = 911 // CUDA_ERROR_EXTERNAL_DEVICE
	InvalidClusterSize           Result = 912 // CUDA_ERROR_INVALID_CLUSTER_SIZE
	FunctionNotLoaded            Result = 913 // CUDA_ERROR_FUNCTION_NOT_LOADED
	InvalidResourceType          Result = 914 // CUDA_ERROR_INVALID_RESOURCE_TYPE
	InvalidResourceConfiguration Result = 915 // CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION
	KeyRotation                  Result = 916 // CUDA_ERROR_KEY_ROTATION
	StreamDetached               Result = 917 // CUDA_ERROR_STREAM_DETACHED
	GraphRecaptureFailure        Result = 918 // CUDA_ERROR_GRAPH_RECAPTURE_FAILURE
	Unknown                      Result = 999 // CUDA_ERROR_UNKNOWN
)

var results = map[Result]struct{ name, text string }{
	Success:                      {"CUDA_SUCCESS", "success"},
	InvalidValue:                 {"CUDA_ERROR_INVALID_VALUE", "invalid value"},
	OutOfMemory:                  {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	NotInitialized:               {"CUDA_ERROR_NOT_INITIALIZED", "the driver is not initialised"},
	Deinitialized:                {"CUDA_ERROR_DEINITIALIZED", "the driver is shutting down"},
	ProfilerDisabled:             {"CUDA_ERROR_PROFILER_DISABLED", "profiler disabled"},
	ProfilerNotInitialized:       {"CUDA_ERROR_PROFILER_NOT_INITIALIZED", "profiler not initialized"},
	ProfilerAlreadyStarted:       {"CUDA_ERROR_PROFILER_ALREADY_STARTED", "profiler already started"},
	ProfilerAlreadyStopped:       {"CUDA_ERROR_PROFILER_ALREADY_STOPPED", "profiler already stopped"},
	StubLibrary:                  {"CUDA_ERROR_STUB_LIBRARY", "the library is a stub"},
	CallRequiresNewerDriver:      {"CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "the call needs a newer driver"},
	DeviceUnavailable:            {"CUDA_ERROR_DEVICE_UNAVAILABLE", "device unavailable"},
	NoDevice:                     {"CUDA_ERROR_NO_DEVICE", "no CUDA device"},
	InvalidDevice:                {"CUDA_ERROR_INVALID_DEVICE", "invalid device"},
	DeviceNotLicensed:            {"CUDA_ERROR_DEVICE_NOT_LICENSED", "device not licensed"},
	InvalidImage:                 {"CUDA_ERROR_INVALID_IMAGE", "invalid module image"},
	InvalidContext:               {"CUDA_ERROR_INVALID_CONTEXT", "invalid context"},
	ContextAlreadyCurrent:        {"CUDA_ERROR_CONTEXT_ALREADY_CURRENT", "context already current"},
	MapFailed:                    {"CUDA_ERROR_MAP_FAILED", "map failed"},
	UnmapFailed:                  {"CUDA_ERROR_UNMAP_FAILED", "unmap failed"},
	ArrayIsMapped:                {"CUDA_ERROR_ARRAY_IS_MAPPED", "array is mapped"},
	AlreadyMapped:                {"CUDA_ERROR_ALREADY_MAPPED", "already mapped"},
	NoBinaryForGPU:               {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no code in the module for this GPU"},
	AlreadyAcquired:              {"CUDA_ERROR_ALREADY_ACQUIRED", "already acquired"},
	NotMapped:                    {"CUDA_ERROR_NOT_MAPPED", "not mapped"},
	NotMappedAsArray:             {"CUDA_ERROR_NOT_MAPPED_AS_ARRAY", "not mapped as array"},
	NotMappedAsPointer:           {"CUDA_ERROR_NOT_MAPPED_AS_POINTER", "not mapped as pointer"},
	ECCUncorrectable:             {"CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error"},
	UnsupportedLimit:             {"CUDA_ERROR_UNSUPPORTED_LIMIT", "unsupported limit"},
	ContextAlreadyInUse:          {"CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "context already in use"},
	PeerAccessUnsupported:        {"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access unsupported"},
	InvalidPTX:                   {"CUDA_ERROR_INVALID_PTX", "PTX does not compile"},
	InvalidGraphicsContext:       {"CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "invalid graphics context"},
	NVLinkUncorrectable:          {"CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error"},
	JITCompilerNotFound:          {"CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler not found"},
	UnsupportedPTXVersion:        {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "PTX is of a newer CUDA version than the driver"},
	JITCompilationDisabled:       {"CUDA_ERROR_JIT_COMPILATION_DISABLED", "JIT compilation disabled"},
	UnsupportedExecAffinity:      {"CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", "unsupported exec affinity"},
	UnsupportedDeviceSideSync:    {"CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC", "device-side sync not supported"},
	Contained:                    {"CUDA_ERROR_CONTAINED", "contained exception on the device"},
	InvalidSource:                {"CUDA_ERROR_INVALID_SOURCE", "invalid source"},
	FileNotFound:                 {"CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
	SharedObjectSymbolNotFound:   {"CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", "shared object symbol not found"},
	SharedObjectInitFailed:       {"CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", "shared object init failed"},
	OperatingSystem:              {"CUDA_ERROR_OPERATING_SYSTEM", "operating system"},
	InvalidHandle:                {"CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
	IllegalState:                 {"CUDA_ERROR_ILLEGAL_STATE", "illegal state"},
	LossyQuery:                   {"CUDA_ERROR_LOSSY_QUERY", "lossy query"},
	NotFound:                     {"CUDA_ERROR_NOT_FOUND", "not found"},
	NotReady:                     {"CUDA_ERROR_NOT_READY", "not ready"},
	IllegalAddress:               {"CUDA_ERROR_ILLEGAL_ADDRESS", "illegal memory address"},
	LaunchOutOfResources:         {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "launch out of resources"},
	LaunchTimeout:                {"CUDA_ERROR_LAUNCH_TIMEOUT", "launch timed out"},
	LaunchIncompatibleTexturing:  {"CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING", "launch incompatible texturing"},
	PeerAccessAlreadyEnabled:     {"CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access already enabled"},
	PeerAccessNotEnabled:         {"CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access not enabled"},
	PrimaryContextActive:         {"CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "primary context active"},
	ContextIsDestroyed:           {"CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
	Assert:                       {"CUDA_ERROR_ASSERT", "device-side assert failed"},
	TooManyPeers:                 {"CUDA_ERROR_TOO_MANY_PEERS", "too many peers"},
	HostMemoryAlreadyRegistered:  {"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "host memory already registered"},
	HostMemoryNotRegistered:      {"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "host memory not registered"},
	HardwareStackError:           {"CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
	IllegalInstruction:           {"CUDA_ERROR_ILLEGAL_INSTRUCTION", "illegal instruction"},
	MisalignedAddress:            {"CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
	InvalidAddressSpace:          {"CUDA_ERROR_INVALID_ADDRESS_SPACE", "invalid address space"},
	InvalidPC:                    {"CUDA_ERROR_INVALID_PC", "invalid program counter"},
	LaunchFailed:                 {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	CooperativeLaunchTooLarge:    {"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "cooperative launch too large"},
	TensorMemoryLeak:             {"CUDA_ERROR_TENSOR_MEMORY_LEAK", "tensor memory leaked"},
	NotPermitted:                 {"CUDA_ERROR_NOT_PERMITTED", "not permitted"},
	NotSupported:                 {"CUDA_ERROR_NOT_SUPPORTED", "not supported"},
	SystemNotReady:               {"CUDA_ERROR_SYSTEM_NOT_READY", "system not ready"},
	SystemDriverMismatch:         {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system driver mismatch"},
	CompatNotSupportedOnDevice:   {"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "compat not supported on device"},
	MPSConnectionFailed:          {"CUDA_ERROR_MPS_CONNECTION_FAILED", "MPS connection failed"},
	MPSRPCFailure:                {"CUDA_ERROR_MPS_RPC_FAILURE", "MPS RPC failure"},
	MPSServerNotReady:            {"CUDA_ERROR_MPS_SERVER_NOT_READY", "MPS server not ready"},
	MPSMaxClientsReached:         {"CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "MPS max clients reached"},
	MPSMaxConnectionsReached:     {"CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", "MPS max connections reached"},
	MPSClientTerminated:          {"CUDA_ERROR_MPS_CLIENT_TERMINATED", "MPS client terminated"},
	CDPNotSupported:              {"CUDA_ERROR_CDP_NOT_SUPPORTED", "CDP not supported"},
	CDPVersionMismatch:           {"CUDA_ERROR_CDP_VERSION_MISMATCH", "CDP version mismatch"},
	StreamCaptureUnsupported:     {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "not allowed while a stream is being captured"},
	StreamCaptureInvalidated:     {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "stream capture invalidated"},
	StreamCaptureMerge:           {"CUDA_ERROR_STREAM_CAPTURE_MERGE", "stream capture merge"},
	StreamCaptureUnmatched:       {"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "stream capture unmatched"},
	StreamCaptureUnjoined:        {"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "stream capture unjoined"},
	StreamCaptureIsolation:       {"CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "stream capture isolation"},
	StreamCaptureImplicit:        {"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "stream capture implicit"},
	CapturedEvent:                {"CUDA_ERROR_CAPTURED_EVENT", "captured event"},
	StreamCaptureWrongThread:     {"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "stream capture wrong thread"},
	Timeout:                      {"CUDA_ERROR_TIMEOUT", "timeout"},
	GraphExecUpdateFailure:       {"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "graph exec update failure"},
	ExternalDevice:               {"CUDA_ERROR_EXTERNAL_DEVICE", "external device"},
	InvalidClusterSize:           {"CUDA_ERROR_INVALID_CLUSTER_SIZE", "invalid cluster size"},
	FunctionNotLoaded:            {"CUDA_ERROR_FUNCTION_NOT_LOADED", "function not loaded"},
	InvalidResourceType:          {"CUDA_ERROR_INVALID_RESOURCE_TYPE", "invalid resource type"},
	InvalidResourceConfiguration: {"CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION", "invalid resource configuration"},
	KeyRotation:                  {"CUDA_ERROR_KEY_ROTATION", "key rotation"},
	StreamDetached:               {"CUDA_ERROR_STREAM_DETACHED", "stream detached"},
	GraphRecaptureFailure:        {"CUDA_ERROR_GRAPH_RECAPTURE_FAILURE", "graph recapture failure"},
	Unknown:                      {"CUDA_ERROR_UNKNOWN", "unknown"},
}

// Name is the C name of the code, as the manual has it.
func (r Result) Name() string {
	if s, ok := results[r]; ok {
		return s.name
	}
	return "CUresult " + strconv.Itoa(int(r))
}

// String is the code in words: out of memory.
func (r Result) String() string {
	if s, ok := results[r]; ok {
		return s.text
	}
	return "result " + strconv.Itoa(int(r))
}

// Error is the code in words and its C name.
func (r Result) Error() string { return "driver: " + r.String() + " (" + r.Name() + ")" }

// Fatal reports whether the code means that the process has lost the GPU: no
// context of it works any more and no new one can be made.
func (r Result) Fatal() bool {
	switch r {
	case ECCUncorrectable, NVLinkUncorrectable, Contained, IllegalAddress, LaunchTimeout, Assert, HardwareStackError,
		IllegalInstruction, MisalignedAddress, InvalidAddressSpace, InvalidPC, LaunchFailed, TensorMemoryLeak, ExternalDevice:
		return true
	}
	return false
}
