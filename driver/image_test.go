package driver_test

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// A cubin that is cut anywhere is refused: the driver would read on behind it.
func TestCheckImage(t *testing.T) {
	whole, err := os.ReadFile("../rtc/testdata/kernels.cubin")
	require.NoError(t, err)
	require.NoError(t, driver.CheckImage(whole))
	for n := 4; n < len(whole); n++ {
		require.Error(t, driver.CheckImage(whole[:n]), "%d bytes", n)
	}
	fatbin := binary.LittleEndian.AppendUint32(nil, 0xBA55ED50)
	fatbin = binary.LittleEndian.AppendUint16(fatbin, 1)
	fatbin = binary.LittleEndian.AppendUint16(fatbin, 16)
	fatbin = append(binary.LittleEndian.AppendUint64(fatbin, 3), "abc"...)
	require.NoError(t, driver.CheckImage(fatbin))
	for n := 4; n < len(fatbin); n++ {
		require.Error(t, driver.CheckImage(fatbin[:n]), "%d bytes", n)
	}
	for _, other := range []string{"", "\x7fEL", ".version 7.0\n", "!<arch>\n"} {
		assert.NoError(t, driver.CheckImage([]byte(other)), "not looked at: %q", other)
	}
}

func TestCutImageIsRefused(t *testing.T) {
	d, err := driver.Bind(drivertest.New(drivertest.Config{}))
	require.NoError(t, err)
	dev, err := d.Device(0)
	require.NoError(t, err)
	c, err := dev.Primary()
	require.NoError(t, err)
	defer c.Close()
	for _, image := range []string{"\x7fELF", "\x50\xed\x55\xba"} {
		_, err := c.LoadModule([]byte(image), driver.LoadConfig{})
		assert.ErrorIs(t, err, driver.InvalidImage)
		assert.ErrorContains(t, err, "cut short")
		_, err = d.LoadLibrary([]byte(image), driver.LoadConfig{})
		assert.ErrorIs(t, err, driver.InvalidImage)
	}
}

func FuzzCheckImage(f *testing.F) {
	whole, err := os.ReadFile("../rtc/testdata/kernels.cubin")
	require.NoError(f, err)
	f.Add(whole)
	f.Add([]byte("\x50\xed\x55\xba\x01\x00\x10\x00\x03\x00\x00\x00\x00\x00\x00\x00abc"))
	f.Fuzz(func(t *testing.T, image []byte) {
		if driver.CheckImage(image) == nil && len(image) > 4 && string(image[:4]) == "\x7fELF" {
			assert.GreaterOrEqual(t, len(image), 64)
		}
	})
}
