package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// newMark stands in the name of a file that is being written, between the
// entry's and some digits. Its writer removes it, or, if that died, whoever next
// makes room.
const newMark = ".new-"

// write puts data in the place of key's entry, or leaves what is there.
func (d *Disk) write(key Key, data []byte) error {
	if err := d.trust(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file := d.file(key)
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+newMark+"*")
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.make(file); err != nil {
			return err
		}
		temp, err = os.CreateTemp(filepath.Dir(file), filepath.Base(file)+newMark+"*")
	}
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Sync() // or a crash of the machine could leave the name with other contents
	}
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = replace(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return err
	}
	return nil
}
