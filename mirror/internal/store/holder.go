package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// newHolder returns a name for the holder of a lease: a random text and, where the system has /proc
// as on Linux, the place of this process. Others at the same place see at once that it has ended.
func newHolder() string { return strings.TrimSpace(rand.Text() + " " + place()) }

// place returns "MACHINE PID START": a hash of the machine's boot and of the namespace of process
// ids, the id of this process, and when it started. It returns "" if the system does not have them.
var place = sync.OnceValue(func() string {
	pid := os.Getpid()
	start, _ := started(pid)
	if machine() == "" || start == "" {
		return ""
	}
	return fmt.Sprint(machine(), " ", pid, " ", start)
})

// machine returns the same text for processes whose process ids are of the same namespace.
var machine = sync.OnceValue(func() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, wrong := os.Readlink("/proc/self/ns/pid")
	if err != nil || wrong != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(string(boot) + namespace))
	return hex.EncodeToString(sum[:12])
})

// started returns when a process started, in ticks since the machine did, and its state. The second
// field of the file is the name of a program, which may have spaces and parentheses.
func started(pid int) (at, state string) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := strings.Fields(string(text[strings.LastIndex(string(text), ")")+1:]))
	if len(fields) < 20 {
		return "", ""
	}
	return fields[19], fields[0] // the 22nd and the 3rd of the file
}

// hasEnded reports whether the process of a holder is known to have ended. It reports false for a
// process of another machine or container, and for one that is suspended.
func hasEnded(holder string) bool {
	fields := strings.Fields(holder)
	if len(fields) != 4 || fields[1] != machine() {
		return false
	}
	pid, err := strconv.Atoi(fields[2])
	if err != nil || pid <= 0 {
		return false
	}
	at, state := started(pid)
	if at == "" { // /proc may hide the processes of other users
		return isUnknown(pid)
	}
	return at != fields[3] || state == "Z" || state == "X" // another process, or one that only its parent has to read
}

// isUnknown reports whether there is no process with an id.
func isUnknown(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release() //nolint:errcheck // it is not waited for
	err = p.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}
