package golden_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

const addText = `.version 6.0
.target sm_52
.address_size 64
.visible .global .align 4 .u32 seen = 7;
.visible .entry add(.param .u64 p, .param .u32 n)
{
	.reg .b64 %rd<5>;
	.reg .b32 %r<5>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	cvta.to.global.u64 %rd1, %rd1;
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.u64 %rd1, %rd1, %rd2;
	ld.global.u32 %r3, [%rd1];
	add.u32 %r3, %r3, %r1;
	st.global.u32 [%rd1], %r3;
	mov.u64 %rd3, seen;
	st.global.u32 [%rd3], %r1;
	ret;
}
`

// TestMachines runs a kernel on each machine there is.
func TestMachines(t *testing.T) {
	simulated, err := sim.New(sim.Config{})
	require.NoError(t, err)
	d, err := driver.Bind(simulated)
	require.NoError(t, err)
	driven, err := golden.OnDevice(d)
	require.NoError(t, err)
	machines := map[string]golden.Machine{"engine": golden.Simulated{}, "driver": driven}
	if gpu, err := golden.OpenGPU(); err == nil {
		machines["gpu"] = gpu
		t.Log(gpu.About())
	}
	for name, m := range machines {
		t.Run(name, func(t *testing.T) {
			defer m.Close()
			_, err := m.Load("nonsense")
			assert.Error(t, err)
			x, err := m.Load(addText)
			require.NoError(t, err)
			b := make([]byte, 4*32)
			launch := golden.Launch{Kernel: "add", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Args: []golden.Arg{{Buffer: b}, {Value: []byte{5, 1, 0, 0}}}}
			word := make([]byte, 4)
			require.NoError(t, x.Global("seen", word))
			assert.Equal(t, []byte{7, 0, 0, 0}, word)
			require.NoError(t, x.Run(launch))
			require.NoError(t, x.Run(launch))
			for i := range 32 {
				require.Equal(t, uint32(2*0x105), binary.LittleEndian.Uint32(b[4*i:]))
			}
			require.NoError(t, x.Global("seen", word))
			assert.Equal(t, []byte{5, 1, 0, 0}, word)
			assert.Error(t, x.Global("unseen", word))
			assert.Error(t, x.Global("seen", make([]byte, 5)))
			launch.Kernel = "sub"
			assert.Error(t, x.Run(launch))
			require.NoError(t, x.Close())
		})
	}
}
