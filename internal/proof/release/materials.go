package main

import (
	"fmt"
	"strings"
)

// materials returns the bill of materials of a program in CycloneDX's form: the modules that are
// linked, as the program itself lists them. It names no licences: cyclonedx-gomod takes that of
// Go's own modules for another one, BSD-Source-Code.
func (r *release) materials(p *program) ([]byte, error) {
	command := r.tools.command("cyclonedx-gomod", "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", "v"+r.version, p.path)
	var problems strings.Builder
	command.Stderr = &problems
	materials, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, &problems)
	}
	return materials, nil
}
