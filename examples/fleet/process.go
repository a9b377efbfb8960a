package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"time"
)

// childArgument is the only argument of a copy of this program.
const childArgument = "child-process"

// process is what a copy of this program does. It is sent as JSON.
type process struct {
	Role                   string // a key of jobs, "receive" or "keep"
	Engine                 engine
	Service, Token, Secret string
	File                   string   // to which a receiver adds a line for each notification, or a server's log
	Command                []string // of the server that a keeper runs
}

// child is a running copy of this program. Its standard input stays open while this process lives,
// and a copy ends itself at the end of its input, so none is left over however this process ends.
type child struct {
	command *exec.Cmd
	input   io.Closer
	ready   chan struct{} // closed after the first line of output
	ended   chan struct{}
	status  atomic.Value // the last line of output
}

func (p process) start() (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self, childArgument)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	c := &child{command: command, input: input, ready: make(chan struct{}), ended: make(chan struct{})}
	c.status.Store("")
	go c.follow(output)
	return c, json.NewEncoder(input).Encode(p)
}

// startReady starts a copy and waits for its first line.
func (p process) startReady(ctx context.Context) (*child, error) {
	c, err := p.start()
	if err != nil {
		return nil, err
	}
	select {
	case <-c.ready:
		return c, nil
	case <-c.ended:
		return nil, fmt.Errorf("the process %q ended early", p.Role)
	case <-ctx.Done():
		c.stop()
		return nil, ctx.Err()
	}
}

func (c *child) follow(output io.Reader) {
	defer close(c.ended)
	lines := bufio.NewScanner(output)
	for first := true; lines.Scan(); first = false {
		c.status.Store(lines.Text())
		if first {
			close(c.ready)
		}
	}
	_ = c.command.Wait() // fails if it was killed
}

// kill ends a copy without warning.
func (c *child) kill() {
	_ = c.command.Process.Kill() // fails if it has ended
	<-c.ended
}

// stop asks a copy to end and waits for it.
func (c *child) stop() {
	_ = c.input.Close() // fails if it has ended
	<-c.ended
}

// runChild is the main function of a copy.
func runChild() {
	var p process
	if err := json.NewDecoder(os.Stdin).Decode(&p); err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends when the parent closes the pipe or dies
		stop()
	}()
	var err error
	switch p.Role {
	case "receive":
		err = receive(ctx, p)
	case "keep":
		err = keep(ctx, p)
	default:
		err = work(ctx, p)
	}
	if err != nil && ctx.Err() == nil {
		log.Fatalf("%s: %v", p.Role, err)
	}
}

// keep runs a server, which does not watch a pipe itself, until ctx ends.
func keep(ctx context.Context, p process) error {
	signal.Ignore(os.Interrupt) // of Ctrl-C; the pipe ends too
	output, err := os.Create(p.File)
	if err != nil {
		return err
	}
	server := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	server.Dir, server.Stdout, server.Stderr = filepath.Dir(p.File), output, output
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	server.WaitDelay = 5 * time.Second // then it is killed
	return errors.Join(server.Run(), output.Close())
}
