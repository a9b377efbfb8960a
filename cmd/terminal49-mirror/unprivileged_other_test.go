//go:build !unix

package main

import (
	"os/exec"
	"testing"
)

func unprivileged(t *testing.T, _ *exec.Cmd, _ string) *exec.Cmd {
	t.Skip("permissions are those of unix")
	return nil
}
