// Package engines starts real databases for tests, on loopback addresses and in folders that are
// removed when the test ends. If a program is missing, the test is skipped with the name of the
// Debian package that contains it. It fails instead if T49_ENGINES is "required".
package engines

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// program returns the path of a program on PATH or else in one of the folders.
func program(t testing.TB, name, debianPackage string, folders ...string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, name))
		if len(found) > 0 {
			return found[len(found)-1]
		}
	}
	if os.Getenv("T49_ENGINES") == "required" {
		t.Fatalf("%s is missing: install the Debian package %s", name, debianPackage)
	}
	t.Skipf("%s is not installed; the Debian package %s has it", name, debianPackage)
	return ""
}

// freePort returns a port of the loopback address that nothing listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// eventually waits until ready returns nil.
func eventually(t testing.TB, what string, ready func() error) {
	t.Helper()
	var err error
	for range 300 {
		if err = ready(); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s did not start: %v", what, err)
}
