//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// unprivileged returns a command that permissions restrict: another user's if this process runs as
// root. That user may enter the folders.
func unprivileged(t *testing.T, cmd *exec.Cmd, folder string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		return cmd
	}
	for _, path := range []string{filepath.Dir(cmd.Path), filepath.Dir(folder), filepath.Dir(cmd.Dir)} {
		require.NoError(t, os.Chmod(path, 0o755))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return cmd
}
