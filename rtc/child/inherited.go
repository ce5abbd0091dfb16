package child

import (
	"errors"
	"fmt"
	"os"
)

// Inherited is, in a child, one of the files that its parent gave it: that of an
// index of Config.Files. A file is to be asked for once.
//
// Safe for concurrent use.
func Inherited(index int) (*os.File, error) {
	var f *os.File
	err := errors.New("no parent gives a file of an index less than 0")
	if index >= 0 {
		f, err = inherited(index)
	}
	if err != nil {
		return nil, fmt.Errorf("child: inherited file %d: %w", index, err)
	}
	return f, nil
}
