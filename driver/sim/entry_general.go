package sim

import (
	"fmt"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func generalEntries() map[string]entry {
	return map[string]entry{
		"cuInit":             {nothing, initialise},
		"cuDriverGetVersion": {nothing, driverGetVersion},
		"cuGetErrorName":     {nothing, getErrorName},
		"cuGetErrorString":   {nothing, getErrorString},
	}
}

func initialise(d *Driver, _ *context, a []uintptr) driver.Result {
	switch {
	case uint32(a[0]) != 0:
		return driver.InvalidValue
	case len(d.devices) == 0:
		return driver.NoDevice
	}
	d.ready = true
	return driver.Success
}

func driverGetVersion(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 {
		return driver.InvalidValue
	}
	callee.Put(a[0], int32(d.config.Version.Major*1000+d.config.Version.Minor*10))
	return driver.Success
}

func getErrorName(d *Driver, _ *context, a []uintptr) driver.Result {
	r := driver.Result(int32(a[0]))
	if r.Name() == fmt.Sprintf("CUresult %d", r) {
		callee.Put(a[1], uintptr(0))
		return driver.InvalidValue
	}
	callee.Put(a[1], d.text(r.Name()))
	return driver.Success
}

func getErrorString(d *Driver, _ *context, a []uintptr) driver.Result {
	r := driver.Result(int32(a[0]))
	if r.Name() == fmt.Sprintf("CUresult %d", r) {
		callee.Put(a[1], uintptr(0))
		return driver.InvalidValue
	}
	callee.Put(a[1], d.text(r.String()))
	return driver.Success
}
