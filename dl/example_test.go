package dl_test

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
)

// Finding NVRTC, and where.
func ExampleSpec_Open() {
	lib, err := dl.NVRTC.Open("") // or a file, or a folder
	var missing *dl.NotFoundError
	switch {
	case errors.As(err, &missing):
		fmt.Println("no NVRTC here:", missing.Advice)
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Printf("%s, by %s\n", lib.Path(), lib.Source())
		for _, a := range lib.Refused() {
			fmt.Println("passed over:", a)
		}
	}
}
