package rtc_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// The headers of the small floats, as far as passing them is concerned: real
// ones are not on every machine.
var smallFloats = map[string]string{
	"cuda_fp16.h": "#pragma once\nstruct __align__(2) __half { unsigned short bits; };",
	"cuda_bf16.h": "#pragma once\nstruct __align__(2) __nv_bfloat16 { unsigned short bits; };",
}

// TestEchoOnDouble gives each kind of argument to kernels that real compilers
// made, and looks at the bytes that the driver reads: those of every parameter,
// at the size that the compiled code has it. It is [TestEcho] without a GPU.
func TestEchoOnDouble(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		for _, arch := range []string{"compute_80", "sm_80"} {
			t.Run(fmt.Sprintf("%s/%s", c.Version(), arch), func(t *testing.T) {
				r := newRig(t, drivertest.Config{Version: dl.Version{Major: 13, Minor: 9}, Devices: []drivertest.Device{{Major: 8}}})
				var all []echo
				for _, e := range echoes() {
					if len(e.want) < 4096 || c.Version().AtLeast(12, 1) && arch != "sm_80" {
						all = append(all, e)
					}
				}
				mod := compile(t, echoSource(all), rtc.ModuleConfig{
					Name: "echo.cu", Headers: smallFloats, Options: []string{"-arch", arch}, Compiler: c})
				out, err := rtc.Zeros[uint8](r.dev, 1)
				require.NoError(t, err)
				defer out.Close()
				addr, _, err := out.DevicePointer()
				require.NoError(t, err)
				for i, e := range all {
					t.Run(fmt.Sprintf("%s/%d", e.c, i), func(t *testing.T) {
						r.double.Forget()
						e.launch(t, r.dev, mod, i, out)
						l := r.double.Launches()
						require.Len(t, l, 1)
						require.Len(t, l[0].Params, 4)
						e.check(t, l[0].Params[1])
						assert.Equal(t, int8(-3), drivertest.Arg[int8](l[0], 0))
						assert.Equal(t, driver.Pointer(addr), drivertest.Arg[driver.Pointer](l[0], 2))
						assert.Equal(t, int32(77), drivertest.Arg[int32](l[0], 3))
						assert.Equal(t, [3]uint32{64, 1, 1}, l[0].Block)
					})
				}
			})
		}
	}
}
