//go:build unix

package store

import (
	"os"
	"syscall"
	"time"
)

const (
	wait = time.Minute
	tick = 5 * time.Millisecond
)

func suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }
