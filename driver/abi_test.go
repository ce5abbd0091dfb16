package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// stubCGood is the stub with functions that take 64 bytes by value: they answer
// only to the right bytes and the right words around them.
const stubCGood = stubC + `
typedef struct { char reserved[64]; } handle64;
static int right(handle64 h) {
	for (int i = 0; i < 64; i++) if (h.reserved[i] != (char)(i * 3 + 1)) return 0;
	return 1;
}
int cuIpcOpenMemHandle_v2(ptr *p, handle64 h, unsigned flags) {
	if (!right(h)) return 1;
	if (flags != 1) return 2;
	*p = 0x12345678;
	return 0;
}
int cuIpcCloseMemHandle(ptr p) { return p == 0x12345678 ? 0 : 1; }
int cuIpcOpenEventHandle(void **e, handle64 h) {
	if (!right(h)) return 1;
	*e = (void *)0x9abc;
	return 0;
}
int cuEventDestroy_v2(void *e) { return e == (void *)0x9abc ? 0 : 1; }
`

// A handle passed by value must arrive whole, on each platform's ABI.
func TestIPCHandleCrossesTheABI(t *testing.T) {
	lib := stubOf(t, stubCGood)
	d, err := driver.Bind(lib)
	require.NoError(t, err)
	c := open(t, d)
	var h driver.IPCHandle
	for i := range h {
		h[i] = byte(i*3 + 1)
	}
	m, err := c.OpenIPC(h)
	require.NoError(t, err)
	require.Equal(t, driver.Pointer(0x12345678), m.Pointer())
	require.NoError(t, m.Close())
	e, err := c.OpenEvent(driver.IPCEventHandle(h))
	require.NoError(t, err)
	require.NoError(t, e.Close())
	h[63]++
	_, err = c.OpenIPC(h)
	require.ErrorIs(t, err, driver.InvalidValue)
}

func TestIPCOnADouble(t *testing.T) {
	for _, v := range []string{"8.0", "12.4"} {
		d, _ := bind(t, drivertest.Config{Version: version(t, v)})
		c := open(t, d)
		p := alloc(t, c, 64)
		h, err := c.IPCHandle(p)
		require.NoError(t, err)
		m, err := c.OpenIPC(h)
		require.NoError(t, err)
		require.Equal(t, p, m.Pointer())
		require.NoError(t, m.Close())
		_, err = c.OpenIPC(driver.IPCHandle{})
		require.ErrorIs(t, err, driver.InvalidValue)
	}
}
