package driver_test

import (
	"fmt"
	"log"
	"unsafe"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// A kernel that exists as PTX is loaded, launched, and its result read. Here a
// double stands in for the GPU; with one, driver.Open(driver.Config{}) takes the
// place of driver.Bind.
func Example() {
	double := drivertest.New(drivertest.Config{})
	double.Kernel("scale", scaleBody)
	d, err := driver.Bind(double)
	if err != nil {
		log.Fatal(err)
	}
	dev, err := d.Device(0)
	if err != nil {
		log.Fatal(err)
	}
	ctx, err := dev.Primary()
	if err != nil {
		log.Fatal(err)
	}
	defer ctx.Close() // and all that was made in it

	mod, err := ctx.LoadModule([]byte(kernels), driver.LoadConfig{})
	if err != nil {
		log.Fatal(err)
	}
	scale, err := mod.Function("scale")
	if err != nil {
		log.Fatal(err)
	}
	stream, err := ctx.NewStream(driver.StreamConfig{})
	if err != nil {
		log.Fatal(err)
	}
	x, err := ctx.Alloc(4 * 4)
	if err != nil {
		log.Fatal(err)
	}
	if err := ctx.CopyToDevice(x, bytesOf([]float32{1, 2, 3, 4})); err != nil {
		log.Fatal(err)
	}

	alpha, n := float32(10), uint32(4)
	launch, err := scale.Prepare(driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(32)},
		[]unsafe.Pointer{unsafe.Pointer(&x), unsafe.Pointer(&x), unsafe.Pointer(&alpha), unsafe.Pointer(&n)})
	if err != nil {
		log.Fatal(err)
	}
	if err := launch.Enqueue(stream); err != nil {
		log.Fatal(err)
	}
	if err := stream.Synchronize(); err != nil {
		log.Fatal(err)
	}
	y := make([]float32, 4)
	if err := ctx.CopyToHost(bytesOf(y), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)

	_, err = scale.Prepare(driver.LaunchConfig{Grid: driver.Dim(1, 70000), Block: driver.Dim(32)}, make([]unsafe.Pointer, 4))
	fmt.Println(err)
	// Output:
	// [10 20 30 40]
	// driver: launch scale: grid (1, 70000, 1): y is 70000, at most 65535 on device 0 (Test GPU sm_90): invalid value (CUDA_ERROR_INVALID_VALUE)
}
