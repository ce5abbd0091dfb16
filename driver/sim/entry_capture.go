package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func captureEntries() map[string]entry {
	return map[string]entry{
		"cuStreamBeginCapture_v2": {process, streamBeginCapture},
		"cuStreamEndCapture":      {process, streamEndCapture},
		"cuStreamIsCapturing":     {process, notNull(streamIsCapturing, 1)},
	}
}

func streamBeginCapture(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	switch mode := int32(a[1]); {
	case r != driver.Success:
		return r
	case mode < captureGlobal || mode > captureRelaxed:
		return driver.InvalidValue
	}
	return d.beginCapture(s, int32(a[1]))
}

func streamEndCapture(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	if r != driver.Success {
		return r
	}
	g, r := d.endCapture(s)
	h := uintptr(0)
	if r == driver.Success {
		h = put(d, d.graphs, g)
	}
	callee.Put(a[1], h)
	return r
}

func streamIsCapturing(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	if r != driver.Success {
		return r
	}
	status := driver.CaptureNone
	switch {
	case s.capture != nil && s.capture.broken:
		status = driver.CaptureInvalidated
	case s.capture != nil:
		status = driver.CaptureActive
	}
	callee.Put(a[1], status)
	return driver.Success
}
