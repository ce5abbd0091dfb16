//go:build unix

package child

import (
	"fmt"
	"os"
)

func inherited(index int) (*os.File, error) {
	f := os.NewFile(uintptr(3+index), fmt.Sprintf("inherited file %d", index))
	if _, err := f.Stat(); err != nil {
		return nil, err
	}
	return f, nil
}
