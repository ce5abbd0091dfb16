// Command openonly opens a device and launches nothing: a test looks at what the linker puts into it.
package main

import (
	"fmt"

	"github.com/purecuda/purecuda/rtc"
)

func main() {
	dev, err := rtc.Open(0)
	fmt.Println(dev, err)
	mod, err := rtc.NewModule("", rtc.ModuleConfig{})
	if err == nil {
		k, err := mod.Kernel("k", "")
		fmt.Println(k.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0), err)
	}
}
