package sim

import "github.com/purecuda/purecuda/driver"

// How long things take on the simulated machine. It is a model for getting the order of things right, no prediction:
// operations in different streams don't slow each other down.
const (
	copyStart    = span(2000) // until a copy's first byte
	pinnedSpeed  = 25         // bytes a nanosecond between the device and pinned memory
	pagedSpeed   = 6          // between the device and other memory
	deviceSpeed  = 1000       // on the device, each way
	launchStart  = span(2500) // until a kernel's first instruction
	instruction  = 4          // nanoseconds a warp's instruction takes it
	warpsAtOnce  = 32         // of a multiprocessor, that instruction's time hides
	hostFuncCost = span(5000)
)

func copyCost(n int, speed int) span { return copyStart + span(n/speed) }

// kernelCost is that of a kernel of so many warps, whose instructions make steps in all.
func kernelCost(dev *device, warps int, steps uint64) span {
	beside := min(warps, warpsAtOnce*dev.facts[driver.MultiprocessorCount])
	return launchStart + span(instruction*steps/uint64(max(1, beside)))
}
