package drivertest_test

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// What a program does when memory runs out, and then when the GPU is lost, on a
// driver of CUDA 8.0.
func Example() {
	double := drivertest.New(drivertest.Config{Version: dl.Version{Major: 8}})
	d, err := driver.Bind(double)
	if err != nil {
		fmt.Println(err)
		return
	}
	dev, err := d.Device(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, err := dev.Primary()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ctx.Close()

	double.Fail("cuMemAlloc_v2", driver.OutOfMemory, 1)
	_, err = ctx.Alloc(1024)
	fmt.Println(errors.Is(err, driver.OutOfMemory), dev.Health())
	_, err = ctx.Alloc(1024)
	fmt.Println(err, double.Called("cuMemAlloc_v2"))

	double.Break(driver.IllegalAddress)
	fmt.Println(errors.Is(ctx.Synchronize(), driver.IllegalAddress))
	fmt.Println(errors.Is(dev.Health(), driver.IllegalAddress))
	// Output:
	// true <nil>
	// <nil> 2
	// true
	// true
}
