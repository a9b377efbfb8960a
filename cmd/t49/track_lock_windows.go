package main

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is ERROR_SHARING_VIOLATION, which package syscall does not define.
const sharingViolation syscall.Errno = 32

// openLocked opens or creates a file that no other t49 track has open. Others may read it
// meanwhile. The lock ends with the process, however that ends.
func openLocked(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, errLocked
	case err != nil:
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}
