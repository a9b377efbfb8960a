package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tools is the folder of the built programs of the module tools.
type tools string

// buildTools builds the programs of the module tools into a folder. A bill of materials has a hash
// of the program that wrote it, so that they must be built the same way each time. go tool would
// build them for the platform that GOOS names.
func buildTools(folder string) (tools, error) {
	command := exec.Command("go", "build", "-C", "internal/proof/release/tools", "-o", folder+"/", "tool")
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath -modcacherw", "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, out)
	}
	return tools(folder), nil
}

// command returns the command of a program with arguments. It may run go, with the modules of the
// folder that it runs in.
func (t tools) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(filepath.Join(string(t), name), args...)
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath -modcacherw", "CGO_ENABLED=0")
	return command
}
