//go:build unix

package store

import (
	"os"
	"syscall"
	"time"
)

const (
	wait = 5 * time.Second
	tick = 5 * time.Millisecond
)

func suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }
