// Probe prints what this machine's CUDA can do: which libraries were found, how
// old they are, and what that allows.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
)

func main() {
	compiler(os.Stdout)
	devices(os.Stdout)
}

func compiler(w io.Writer) {
	c, err := nvrtc.Open(nvrtc.Config{})
	if err != nil {
		fmt.Fprintf(w, "NVRTC    none: %v\n", err)
		return
	}
	f := c.Features()
	fmt.Fprintf(w, "NVRTC    CUDA %v, %s\n", c.Version(), c.Path())
	fmt.Fprintf(w, "         exports of templates: %s\n", yes(f.Exports, "8.0"))
	fmt.Fprintf(w, "         machine code (SASS):  %s\n", yes(f.CUBIN, "11.1"))
	fmt.Fprintf(w, "         link-time code:       %s\n", yes(f.LTOIR, "12.0"))
	fmt.Fprintf(w, "         cancelling:           %s\n", yes(f.Cancel, "12.8"))
	var archs []string
	for _, a := range c.KnownArchs() {
		archs = append(archs, a.String())
	}
	fmt.Fprintf(w, "         architectures:        %s\n", strings.Join(archs, " "))
	if dirs, err := c.IncludeDirs(); err != nil {
		fmt.Fprintf(w, "         CUDA's headers:       none (%v)\n", err)
	} else {
		fmt.Fprintf(w, "         CUDA's headers:       %s\n", strings.Join(dirs, " "))
	}
}

func yes(can bool, since string) string {
	if can {
		return "yes"
	}
	return "no, since CUDA " + since
}

func devices(w io.Writer) {
	d, err := driver.Open(driver.Config{})
	if err != nil {
		fmt.Fprintf(w, "driver   none: %v\n", err)
		return
	}
	fmt.Fprintf(w, "driver   CUDA %v, %s\n", d.Version(), d.Path())
	n, err := d.DeviceCount()
	if err != nil || n == 0 {
		fmt.Fprintf(w, "device   none (%v)\n", err)
	}
	for i := range n {
		if err := device(w, d, i); err != nil {
			fmt.Fprintf(w, "device %d %v\n", i, err)
		}
	}
}

func device(w io.Writer, d *driver.Driver, i int) error {
	dev, err := d.Device(i)
	if err != nil {
		return err
	}
	major, minor, err := dev.ComputeCapability()
	if err != nil {
		return err
	}
	sms, err := dev.Attribute(driver.MultiprocessorCount)
	if err != nil {
		return err
	}
	shared, err := dev.Attribute(driver.MaxSharedMemoryPerBlockOptIn)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "device %d %s, compute capability %d.%d, %d multiprocessors, %d KiB of shared memory a block\n",
		i, dev.Name(), major, minor, sms, shared/1024)
	return err
}
