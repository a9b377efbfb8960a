package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// compareBuilds builds the files for linux/amd64 twice, each time with an empty build cache and a
// module cache of its own, and compares all of them.
func compareBuilds() error {
	scratch, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // it is the system's folder for temporary files
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var folders []string
	for _, name := range []string{"first", "second"} {
		folder := filepath.Join(scratch, name)
		command := exec.Command("bash", ".ci/proxy", program, "build", "-platforms", "linux/amd64", "-o", folder)
		command.Env = append(os.Environ(), "GOCACHE="+filepath.Join(scratch, "cache of "+name))
		command.Stderr = os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("the %s build: %w", name, err)
		}
		folders = append(folders, folder)
	}
	return compareFolders(folders[0], folders[1])
}

// compareFolders returns an error that names the files that differ. checksums.txt has
// all files of a folder, so that one cannot be missing in silence.
func compareFolders(first, second string) error {
	entries, err := os.ReadDir(first)
	if err != nil {
		return err
	}
	var failed error
	for _, entry := range entries {
		a, err := os.ReadFile(filepath.Join(first, entry.Name()))
		if err != nil {
			return err
		}
		if b, err := os.ReadFile(filepath.Join(second, entry.Name())); err != nil || !bytes.Equal(a, b) {
			failed = errors.Join(failed, fmt.Errorf("%s is not equal in both builds", entry.Name()))
		}
	}
	if failed == nil {
		fmt.Printf("%d files are equal in both builds\n", len(entries))
	}
	return failed
}
