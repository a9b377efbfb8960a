package engines

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
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

// taken has the ports that freePort has returned.
var taken sync.Map

// freePort returns a port of the loopback address that nothing listens on. It is below the ports
// that systems choose themselves, and so is the port of a Redis Cluster's bus, which is 10,000
// higher: while the server is not running, no other socket gets them.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 10_000 + rand.IntN(5_000)
		l, err := net.Listen("tcp", address(port))
		if err != nil {
			continue
		}
		_ = l.Close()
		if _, again := taken.LoadOrStore(port, true); !again {
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// unprivileged returns a command line that runs as the user postgres if this process runs as root,
// because the servers refuse to run as root.
func unprivileged(line []string) []string {
	if os.Geteuid() != 0 {
		return line
	}
	return append([]string{"setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"}, line...)
}

// publicFolder returns a temporary folder that belongs to the user that runs the servers.
func publicFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "t49-engine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if owner, err := user.Lookup("postgres"); err == nil && os.Geteuid() == 0 {
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// shifted returns a command line whose program sees the time shifted.
func shifted(t testing.TB, shift time.Duration, line []string) []string {
	t.Helper()
	if shift == 0 {
		return line
	}
	program(t, "faketime", "faketime")
	library := program(t, "libfaketime.so.1", "libfaketime", "/usr/lib/*/faketime", "/usr/lib/faketime")
	return append([]string{"env", "LD_PRELOAD=" + library, fmt.Sprintf("FAKETIME=%+ds", shift/time.Second), "FAKETIME_DONT_FAKE_MONOTONIC=1"}, line...)
}

// run runs a program that ends by itself.
func run(t testing.TB, line ...string) {
	t.Helper()
	line = unprivileged(line)
	command := exec.Command(line[0], line[1:]...)
	command.Dir = os.TempDir() // that user may have no access to the current one
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", line, err, out)
	}
}

// leash starts a server that gets a signal when stop is called, or when this process ends for any
// reason: a shell waits for the end of a pipe.
func leash(t testing.TB, signal, log string, line []string) (stop func()) {
	t.Helper()
	script := `log=$1; shift; "$@" >>"$log" 2>&1 & cat >/dev/null; kill -` + signal + ` $!; wait`
	line = unprivileged(append([]string{"sh", "-c", script, "sh", log}, line...))
	command := exec.Command(line[0], line[1:]...)
	command.Dir = os.TempDir()
	pipe, err := command.StdinPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _, _ = pipe.Close(), command.Wait() }
}

// patience is how long a server may take to start, on a busy machine, too.
const patience = time.Minute

// eventually waits until ready returns nil.
func eventually(t testing.TB, what string, ready func() error) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		err := ready()
		if err == nil {
			return
		}
		if time.Since(began) > patience {
			t.Fatalf("%s did not start: %v", what, err)
		}
	}
}
