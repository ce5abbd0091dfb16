package sim_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"unsafe"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// squares writes the squares of the first n numbers: __global__ void squares(unsigned *out, unsigned n).
const squares = `.version 7.0
.target sm_70
.address_size 64
.visible .entry squares(.param .u64 out, .param .u32 n) {
	.reg .pred %p;
	.reg .b32 %i, %n, %v;
	.reg .b64 %to;
	mov.u32 %i, %tid.x;
	ld.param.u32 %n, [n];
	setp.ge.u32 %p, %i, %n;
	@%p ret;
	ld.param.u64 %to, [out];
	cvta.to.global.u64 %to, %to;
	mad.wide.u32 %to, %i, 4, %to;
	mul.lo.u32 %v, %i, %i;
	st.global.u32 [%to], %v;
	ret;
}
`

// A kernel runs on a machine with one simulated device, which tells what the launch did. Its second launch writes past the end of its memory: the fault
// says where.
func Example() {
	simulated, err := sim.New(sim.Config{Workers: 1, Output: os.Stdout, Counts: func(kernel string, c *sim.Counts) {
		fmt.Printf("%s: %d instructions, %d store of %d sector\n", kernel, c.Total().Warp, c.GlobalStores.Requests, c.GlobalStores.Sectors)
	}})
	if err != nil {
		log.Fatal(err)
	}
	d, err := driver.Bind(simulated)
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
	mod, err := ctx.LoadModule([]byte(squares), driver.LoadConfig{})
	if err != nil {
		log.Fatal(err)
	}
	f, err := mod.Function("squares")
	if err != nil {
		log.Fatal(err)
	}
	stream, err := ctx.NewStream(driver.StreamConfig{})
	if err != nil {
		log.Fatal(err)
	}
	out, err := ctx.Alloc(8 * 4)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range []uint32{8, 9} {
		launch, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(32)}, []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&n)})
		if err != nil {
			log.Fatal(err)
		}
		if err := launch.Enqueue(stream); err != nil {
			log.Fatal(err)
		}
		if stream.Synchronize() != nil {
			fmt.Println(simulated.Fault())
			continue
		}
		host := make([]byte, 8*4)
		if err := ctx.CopyToHost(host, out); err != nil {
			log.Fatal(err)
		}
		fmt.Println(binary.LittleEndian.Uint32(host[7*4:]))
	}
	// Output:
	// squares: 10 instructions, 1 store of 1 sector
	// 49
	// squares: just past the end of an allocation of 32 bytes: 4 bytes at 0x700000000020; block (0,0,0), thread (8,0,0), PTX line 16 (st.global.u32)
}
