package child

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// filesVariable tells a child the numbers of its files, which Windows chooses.
const filesVariable = "PURECUDA_CHILD_FILES"

func inherited(index int) (*os.File, error) {
	numbers := strings.Split(os.Getenv(filesVariable), ",")
	if index >= len(numbers) || numbers[0] == "" {
		return nil, errors.New("the parent gave none")
	}
	handle, err := strconv.ParseUint(numbers[index], 16, 64)
	if err != nil {
		return nil, fmt.Errorf("the variable %s says nothing: %w", filesVariable, err)
	}
	// It is for this process, and not for those that this one starts.
	if err := syscall.SetHandleInformation(syscall.Handle(handle), syscall.HANDLE_FLAG_INHERIT, 0); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), fmt.Sprintf("inherited file %d", index)), nil
}

// inheritable gives copies of files that a child can have, and what tells it of them.
func inheritable(files []*os.File) (handles []syscall.Handle, variable string, err error) {
	self, err := syscall.GetCurrentProcess()
	var numbers []string
	for _, f := range files {
		var copied syscall.Handle
		if err == nil {
			err = syscall.DuplicateHandle(self, syscall.Handle(f.Fd()), self, &copied, 0, true, syscall.DUPLICATE_SAME_ACCESS)
		}
		if err != nil {
			closeAll(handles)
			return nil, "", err
		}
		handles = append(handles, copied)
		numbers = append(numbers, strconv.FormatUint(uint64(copied), 16))
	}
	return handles, filesVariable + "=" + strings.Join(numbers, ","), nil
}

func closeAll(handles []syscall.Handle) {
	for _, h := range handles {
		_ = syscall.CloseHandle(h)
	}
}
