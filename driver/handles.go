package driver

// The handles of the driver's objects.
type (
	deviceHandle     int32
	contextHandle    uintptr
	moduleHandle     uintptr
	functionHandle   uintptr
	streamHandle     uintptr
	eventHandle      uintptr
	graphHandle      uintptr
	nodeHandle       uintptr
	graphExecHandle  uintptr
	linkHandle       uintptr
	poolHandle       uintptr
	allocationHandle uint64
)
