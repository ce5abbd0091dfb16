package driver_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
)

// child runs one test of this binary in another process, with a word for it to
// act on, and returns its output. What the child prints is in the error, too.
func child(t *testing.T, test, word string) string {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run=^"+test+"$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), "PURECUDA_DRIVER_CHILD="+word)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	begun := time.Now()
	err = cmd.Run()
	require.NoError(t, err, out.String())
	require.Less(t, time.Since(begun), 4*time.Minute)
	return out.String()
}

func childWord(t *testing.T) string {
	word := os.Getenv("PURECUDA_DRIVER_CHILD")
	if word == "" {
		t.Skip("runs only as another test's child process")
	}
	return word
}

func TestGPUIPC(t *testing.T) {
	_, c := gpu(t)
	p := alloc(t, c, 4096)
	s := stream(t, c)
	require.NoError(t, s.Memset32(p, 1000, 1024))
	require.NoError(t, s.Synchronize())
	h, err := c.IPCHandle(p)
	require.NoError(t, err)
	e, err := c.NewEvent(driver.EventConfig{IPC: true})
	require.NoError(t, err)
	require.NoError(t, s.Record(e))
	eh, err := e.IPCHandle()
	require.NoError(t, err)
	out := child(t, "TestIPCChild", hex.EncodeToString(h[:])+" "+hex.EncodeToString(eh[:]))
	require.Contains(t, out, "the child read 1000")
	require.Equal(t, uint32(2000), read[uint32](t, c, p, 1)[0], "what the child wrote")
	require.NoError(t, c.Health())
}

func TestIPCChild(t *testing.T) {
	memory, event, _ := strings.Cut(childWord(t), " ")
	_, c := gpu(t)
	var h driver.IPCHandle
	var eh driver.IPCEventHandle
	_, err := hex.Decode(h[:], []byte(memory))
	require.NoError(t, err)
	_, err = hex.Decode(eh[:], []byte(event))
	require.NoError(t, err)
	m, err := c.OpenIPC(h)
	require.NoError(t, err)
	e, err := c.OpenEvent(eh)
	require.NoError(t, err)
	s := stream(t, c)
	require.NoError(t, s.Wait(e))
	require.NoError(t, s.Synchronize())
	fmt.Println("the child read", read[uint32](t, c, m.Pointer(), 1)[0])
	require.NoError(t, s.Memset32(m.Pointer(), 2000, 1))
	require.NoError(t, s.Synchronize())
	require.NoError(t, m.Close())
	require.NoError(t, e.Close())
}

func TestGPUPhysicalMemory(t *testing.T) {
	_, c := gpu(t)
	dev := c.Device()
	if yes, err := dev.Attribute(driver.VirtualMemoryManagementSupported); err != nil || yes == 0 {
		t.Skip("the device has no virtual memory management")
	}
	unit, err := dev.Granularity()
	require.NoError(t, err)
	m, err := dev.NewPhysical(1000, driver.ShareFileDescriptor)
	require.NoError(t, err)
	require.Equal(t, unit, m.Size())
	v, err := c.Map(m)
	require.NoError(t, err)
	s := stream(t, c)
	require.NoError(t, s.Memset32(v.Pointer(), 77, 1))
	require.NoError(t, s.Synchronize())
	fd, err := m.Export()
	require.NoError(t, err)
	n, err := dev.ImportPhysical(fd, driver.ShareFileDescriptor, m.Size())
	require.NoError(t, err)
	require.NoError(t, syscall.Close(handleOf(fd)))
	w, err := c.Map(n)
	require.NoError(t, err)
	require.NotEqual(t, v.Pointer(), w.Pointer())
	require.Equal(t, uint32(77), read[uint32](t, c, w.Pointer(), 1)[0], "the same memory at another address")
	for _, x := range []interface{ Close() error }{w, v, n, m} {
		require.NoError(t, x.Close())
	}
}

func TestGPUPeers(t *testing.T) {
	d, c := gpu(t)
	if n, err := d.DeviceCount(); err != nil || n < 2 {
		t.Skip("there is one device only")
	}
	dev, err := d.Device(1)
	require.NoError(t, err)
	other, err := dev.Primary()
	require.NoError(t, err)
	defer other.Close()
	p, q := alloc(t, c, 64), alloc(t, other, 64)
	s := stream(t, c)
	require.NoError(t, s.Memset32(p, 9, 16))
	require.NoError(t, s.CopyPeer(q, other, p, c, 64))
	require.NoError(t, s.Synchronize())
	require.Equal(t, uint32(9), read[uint32](t, other, q, 16)[15])
	if ok, err := c.Device().CanAccessPeer(dev); err == nil && ok {
		require.NoError(t, c.EnablePeer(other))
		require.NoError(t, c.EnablePeer(other))
		require.NoError(t, c.DisablePeer(other))
		require.NoError(t, c.DisablePeer(other))
	}
}
