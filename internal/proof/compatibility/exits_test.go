package compatibility_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// exit is how a command ends in a case that its documentation names.
type exit struct {
	program, name string
	args          string
	fault         terminal49test.Fault
	env           func(account) account
	end           func(*testing.T, account, []string) int // runs it; nil to its end
}

// exitsOf has the exit statuses of the commands in each case that their documentation names.
func exitsOf(t *testing.T) (lines []string) {
	var mu sync.Mutex
	t.Run("cases", func(t *testing.T) {
		for _, c := range append(exitsOfT49, exitsOfBoard...) {
			t.Run(c.program+" "+c.name, func(t *testing.T) {
				t.Parallel()
				status := c.status(t)
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, fmt.Sprintf("%s, %s: exit status %d", c.program, c.name, status))
			})
		}
	})
	return append(lines, exitsOfMirror(t)...)
}

func (c exit) status(t *testing.T) int {
	a, demo := newAccount(t)
	if c.fault.Operation != "" {
		a.srv.AddFault(c.fault)
	}
	if c.env != nil {
		a = c.env(a)
	}
	args := words(c.args)
	for i := range args {
		if args[i] == "UNTRACKED" {
			args[i] = demo.Untracked
		}
	}
	if c.end != nil {
		return c.end(t, a, args)
	}
	status, _, _ := a.run(c.program, args...)
	return status
}

var (
	stalled  = terminal49test.Fault{Operation: "*", Kind: terminal49test.FaultStallHeaders, Times: -1}
	stalledW = terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultStallHeaders, Times: -1}
	dropped  = terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Times: -1}
)

func refused(status int) terminal49test.Fault {
	return terminal49test.Fault{Operation: "*", Status: status, RetryAfter: terminal49test.RetryAfterSeconds(time.Hour), Times: -1}
}

var exitsOfT49 = []exit{
	{program: "t49", name: "help", args: "--help"},
	{program: "t49", name: "success", args: "shipments"},
	{program: "t49", name: "ready, all can be picked up", args: "ready MSKU7182047"},
	{program: "t49", name: "ready, after a payment", args: "ready CMAU4716554"},
	{program: "t49", name: "ready, not all can be picked up", args: "ready MSKU7182047 MEDU3309188"},
	{program: "t49", name: "ready, not known", args: "ready MSKU7182047 --max-age 1s"},
	{program: "t49", name: "track, not settled in the time of --wait", args: "track UNTRACKED --wait 1ms"},
	{program: "t49", name: "track, --reference was not set", args: "track MAEU240711002 --reference PO-9"},
	{program: "t49", name: "webhooks send, refused", args: "webhooks send --event container.updated", end: sendTo(http.StatusUnauthorized)},
	{program: "t49", name: "webhooks send, accepted", args: "webhooks send --event container.updated", end: sendTo(http.StatusOK)},
	{program: "t49", name: "unknown command", args: "nothing"},
	{program: "t49", name: "unknown flag", args: "shipments --nothing"},
	{program: "t49", name: "invalid value", args: "containers --status lost"},
	{program: "t49", name: "no argument", args: "ready"},
	{program: "t49", name: "unknown attribute", args: "containers --json --fields nothing"},
	{program: "t49", name: "no token", args: "shipments", env: func(a account) account { a.env = nil; return a }},
	{program: "t49", name: "token over plain http", args: "shipments", env: with("T49_API_BASE_URL=http://example.invalid/v2")},
	{program: "t49", name: "another account than --account", args: "shipments --account Nobody"},
	{program: "t49", name: "output cannot be written", args: "shipments", end: full},
	{program: "t49", name: "unknown operation of api", args: "api /nothing"},
	{program: "t49", name: "wrong token", args: "shipments", env: with("T49_API_TOKEN=another")},
	{program: "t49", name: "not allowed", args: "shipments", fault: refused(403)},
	{program: "t49", name: "rate limited", args: "shipments", fault: refused(429)},
	{program: "t49", name: "unknown number", args: "containers MSCU1234566"},
	{program: "t49", name: "unknown id", args: "shipments 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"},
	{program: "t49", name: "rejected", args: "shipments", fault: refused(422)},
	{program: "t49", name: "number that cannot be tracked", args: "track MSKU7182048"},
	{program: "t49", name: "lost response of a write", args: "track UNTRACKED", fault: dropped},
	{program: "t49", name: "service fails", args: "shipments", fault: refused(501)},
	{program: "t49", name: "no response", args: "shipments", env: with("T49_API_BASE_URL=http://" + nobody + "/v2")},
	{program: "t49", name: "--timeout", args: "shipments --timeout 300ms", fault: stalled},
	{program: "t49", name: "--timeout in a write", args: "track UNTRACKED --timeout 30s", fault: stalledW},
	{program: "t49", name: "SIGINT", args: "shipments", fault: stalled, end: stopWith(syscall.SIGINT)},
	{program: "t49", name: "SIGTERM", args: "shipments", fault: stalled, end: stopWith(syscall.SIGTERM)},
	{program: "t49", name: "SIGINT in a write", args: "track UNTRACKED", fault: stalledW, end: stopWith(syscall.SIGINT)},
	{program: "t49", name: "output closed by its reader", args: "shipping-lines", end: closedOutput},
	{program: "t49", name: "several numbers, one not found", args: "ready MEDU3309188 MSCU1234566"},
	{program: "t49", name: "several numbers, one perhaps written", args: "track MSKU7182048 UNTRACKED", fault: dropped},
	{program: "t49", name: "watch, SIGINT", args: "watch MSKU7182047", end: stopAfter("watching")},
	{program: "t49", name: "watch, --timeout", args: "watch MSKU7182047 --timeout 30s"},
	{program: "t49", name: "webhooks listen, SIGINT", args: "webhooks listen --addr 127.0.0.1:0", end: stopAfter("receiving")},
	{program: "t49", name: "simulator, SIGINT", args: "simulator --addr 127.0.0.1:0", end: stopAfter("export")},
	{program: "t49", name: "doctor", args: "doctor"},
	{program: "t49", name: "doctor, wrong token", args: "doctor", env: with("T49_API_TOKEN=another")},
	{program: "t49", name: "doctor, rate limited", args: "doctor", fault: refused(429)},
}

var exitsOfBoard = []exit{
	{program: "terminal49-board", name: "help", args: "--help"},
	{program: "terminal49-board", name: "SIGINT", args: "--addr 127.0.0.1:0", end: stopAfter("http://")},
	{program: "terminal49-board", name: "SIGTERM", args: "--demo --shipments 0 --addr 127.0.0.1:0", end: func(_ *testing.T, a account, args []string) int {
		r := a.start("terminal49-board", args...)
		r.until("http://")
		return r.stop(syscall.SIGTERM)
	}},
	{program: "terminal49-board", name: "no token", env: func(a account) account { a.env = nil; return a }},
	{program: "terminal49-board", name: "unknown flag", args: "--nothing"},
	{program: "terminal49-board", name: "flags that exclude each other", args: "--demo --mirror sqlite:x.db"},
	{program: "terminal49-board", name: "no database", args: "--mirror sqlite:none.db"},
	{program: "terminal49-board", name: "address in use", args: "--demo --shipments 0 --addr", end: func(t *testing.T, a account, args []string) int {
		other := httptest.NewServer(http.NotFoundHandler())
		defer other.Close()
		status, _, _ := a.run("terminal49-board", append(args, other.Listener.Addr().String())...)
		return status
	}},
	{program: "terminal49-board", name: "database cannot be reached", args: "--mirror postgres://me@127.0.0.1:1/freight?connect_timeout=1 --addr 127.0.0.1:0"},
}

func with(env ...string) func(account) account {
	return func(a account) account { return a.with(env...) }
}

// nobody is an address at which nothing listens. A port that was just closed may be taken by
// another test's server, because many start at once.
const nobody = "127.0.0.1:1"

// sendTo runs a command with the address of a receiver that answers with a status.
func sendTo(status int) func(*testing.T, account, []string) int {
	return func(_ *testing.T, a account, args []string) int {
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		defer receiver.Close()
		exit, _, _ := a.with("T49_WEBHOOK_SECRET=whsec-1").run("t49", append(args, receiver.URL)...)
		return exit
	}
}

// stopWith sends a signal once a request is stalled.
func stopWith(signal os.Signal) func(*testing.T, account, []string) int {
	return func(_ *testing.T, a account, args []string) int {
		r := a.start("t49", args...)
		r.wait("stalled request", func() bool {
			for _, request := range a.srv.Requests() {
				if args[0] != "track" || request.Operation == stalledW.Operation {
					return true
				}
			}
			return false
		})
		return r.stop(signal)
	}
}

// stopAfter interrupts a command once it has printed something.
func stopAfter(pattern string) func(*testing.T, account, []string) int {
	return func(_ *testing.T, a account, args []string) int {
		program := "t49"
		if args[0] == "--addr" {
			program = "terminal49-board"
		}
		r := a.start(program, args...)
		r.until(pattern)
		return r.interrupt()
	}
}

// full runs a command whose output is a full device.
func full(t *testing.T, a account, args []string) int {
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer device.Close() //nolint:errcheck // nothing can be written
	cmd := a.command("t49", args...)
	cmd.Stdout = device
	_ = cmd.Run() // its status is the result
	return cmd.ProcessState.ExitCode()
}

// closedOutput runs a command whose output nobody reads.
func closedOutput(t *testing.T, a account, args []string) int {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := a.command("t49", args...)
	cmd.Stdout, cmd.Stderr = writer, io.Discard
	_ = reader.Close() // before it starts
	_ = cmd.Run()      // its status is the result
	_ = writer.Close()
	if ended, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ended.Signaled() {
		return 128 + int(ended.Signal()) // as a shell reports it
	}
	return cmd.ProcessState.ExitCode()
}
