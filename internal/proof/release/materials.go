package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// materials returns the bill of materials of a program in CycloneDX's form: the modules that are
// linked, as the program itself lists them. It names no licences: cyclonedx-gomod takes that of Go's
// own modules for another one, BSD-Source-Code.
func (r *release) materials(p *program) ([]byte, error) {
	command, err := tool("cyclonedx-gomod", "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", "v"+r.version, p.path)
	if err != nil {
		return nil, err
	}
	var problems strings.Builder
	command.Stderr = &problems
	materials, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, &problems)
	}
	return materials, nil
}

// tool returns a command that runs a program of the module tools. A bill of materials has a hash of
// the program that wrote it, so that it must be built the same way each time.
func tool(name string, args ...string) (*exec.Cmd, error) {
	module, err := filepath.Abs(filepath.Join("internal", "proof", "release", "tools", "go.mod"))
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", append([]string{"tool", "-modfile=" + module, name}, args...)...)
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath -modcacherw", "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	return command, nil
}
