package cache

import (
	"os"
	"path/filepath"
)

// newMark stands in the name of a file that is being written, between the
// entry's and some digits. Its writer removes it, or, if that died, whoever next
// makes room.
const newMark = ".new-"

// write puts data in the place of key's entry, or leaves what is there.
func (d *Disk) write(key Key, data []byte) error {
	file := d.file(key)
	var temp *os.File
	err := d.inFolder(file, func() (err error) {
		temp, err = os.CreateTemp(filepath.Dir(file), filepath.Base(file)+newMark+"*")
		return err
	})
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
