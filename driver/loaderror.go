package driver

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// loadDetail says why an image did not load, as far as it can be told from the
// code, the log and the image itself.
func (c *Context) loadDetail(err error, image []byte, log string) string {
	var parts []string
	version, target, isPTX := ptxHeader(image)
	switch {
	case errors.Is(err, UnsupportedPTXVersion):
		s := fmt.Sprintf("this driver takes the PTX of CUDA %s and older", c.driver.version)
		if isPTX {
			s = fmt.Sprintf("the image is PTX %s, of CUDA %s; %s", version, ptxRelease(version), s)
		}
		parts = append(parts, s+": compile for "+c.device.arch()+" (a cubin) rather than for a compute_ architecture, or install a newer driver")
	case errors.Is(err, NoBinaryForGPU):
		s := "the image is for another GPU"
		if isPTX {
			s = "the image is PTX for " + target
		}
		parts = append(parts, fmt.Sprintf("%s; %s is %s", s, c.device, c.device.arch()))
	case errors.Is(err, JITCompilerNotFound):
		parts = append(parts, "the driver's libnvidia-ptxjitcompiler is not installed: compile for "+c.device.arch()+" (a cubin)")
	case errors.Is(err, InvalidImage), errors.Is(err, InvalidPTX):
		if !isPTX && !bytes.HasPrefix(image, []byte("\x7fELF")) && !bytes.HasPrefix(image, []byte{0x50, 0xed, 0x55, 0xba}) {
			parts = append(parts, fmt.Sprintf("%d bytes that are neither PTX nor a cubin nor a fatbin", len(image)))
		}
	default:
		if h := hint(err); h != "" {
			parts = append(parts, h)
		}
	}
	if log != "" {
		parts = append(parts, "the driver's log:\n"+log+"\n")
	}
	return strings.Join(parts, "; ")
}

// arch is the device's architecture as compilers spell it.
func (d *Device) arch() string {
	major, minor, err := d.ComputeCapability()
	if err != nil {
		return "sm_XX"
	}
	return fmt.Sprintf("sm_%d%d", major, minor)
}

// hint is what most often leads to a code, for those whose text leaves people
// guessing.
func hint(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	switch e.Result {
	case StreamCaptureUnsupported, StreamCaptureImplicit, StreamCaptureInvalidated, StreamCaptureWrongThread:
		return "a stream is being captured into a graph, and this can't be: load modules, allocate memory and wait before the capture begins"
	case SystemDriverMismatch:
		return "the kernel's NVIDIA module and libcuda are of different versions: reboot, or install matching ones"
	case MPSConnectionFailed, MPSServerNotReady:
		return "the MPS server can't be reached"
	case SystemNotReady:
		return "the system is not ready for CUDA; with NVSwitch, the fabric manager must run"
	}
	return ""
}
