package driver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// kernels is a module that every driver from CUDA 8.0 on takes.
const kernels = `
.version 5.0
.target sm_52
.address_size 64

.visible .global .align 4 .u32 counter;
.visible .const .align 8 .b8 table[64];

// y[i] = alpha * x[i]
.visible .entry scale(
	.param .u64 scale_param_0,
	.param .u64 scale_param_1,
	.param .f32 scale_param_2,
	.param .u32 scale_param_3
)
{
	.reg .pred %p<2>;
	.reg .f32 %f<4>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;

	ld.param.u64 %rd1, [scale_param_0];
	ld.param.u64 %rd2, [scale_param_1];
	ld.param.f32 %f1, [scale_param_2];
	ld.param.u32 %r1, [scale_param_3];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra DONE;
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	mul.wide.u32 %rd5, %r5, 4;
	add.s64 %rd6, %rd3, %rd5;
	ld.global.f32 %f2, [%rd6];
	mul.f32 %f3, %f2, %f1;
	add.s64 %rd7, %rd4, %rd5;
	st.global.f32 [%rd7], %f3;
DONE:
	ret;
}

.visible .entry empty()
{
	ret;
}

.visible .entry bounded()
.maxntid 64, 1, 1
{
	ret;
}
`

// bind gives a driver over a double, and holds the test to leaving nothing behind.
func bind(t testing.TB, c drivertest.Config) (*driver.Driver, *drivertest.Driver) {
	t.Helper()
	double := drivertest.New(c)
	d, err := driver.Bind(double)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() || double.Broken() {
			return
		}
		require.Equal(t, driver.Counts{}, d.Counts(), "handles left")
		require.Equal(t, drivertest.Live{}, double.Live(), "left in the driver")
	})
	return d, double
}

// open gives a context of the first device.
func open(t testing.TB, d *driver.Driver) *driver.Context {
	t.Helper()
	dev, err := d.Device(0)
	require.NoError(t, err)
	c, err := dev.Primary()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func load(t testing.TB, c *driver.Context, ptx string) *driver.Module {
	t.Helper()
	m, err := c.LoadModule([]byte(ptx), driver.LoadConfig{})
	require.NoError(t, err)
	return m
}

func function(t testing.TB, m *driver.Module, name string) *driver.Function {
	t.Helper()
	f, err := m.Function(name)
	require.NoError(t, err)
	return f
}

func stream(t testing.TB, c *driver.Context) *driver.Stream {
	t.Helper()
	s, err := c.NewStream(driver.StreamConfig{})
	require.NoError(t, err)
	return s
}

// portable makes PTX old enough for every driver that is played.
func portable(ptx string) string { return strings.Replace(ptx, ".version 6.0", ".version 5.0", 1) }

func version(t testing.TB, s string) dl.Version {
	t.Helper()
	var v dl.Version
	_, err := fmt.Sscanf(s, "%d.%d", &v.Major, &v.Minor)
	require.NoError(t, err)
	return v
}
