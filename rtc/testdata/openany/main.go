// Command openany opens a GPU or a simulated one: a test looks at what the linker puts into it.
package main

import (
	"fmt"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

func main() {
	dev, err := rtc.OpenAny()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer dev.Close()
	fmt.Println(dev)
}
