// Package recipes_test checks the programs that AGENTS.md links to. Each has a task, with inputs
// and outputs, and a check that runs it against a simulated service. The checks know nothing of a
// program but its task, so they also judge others' programs: RECIPES is a folder with a folder for
// each, named as those here.
package recipes_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// evening is 22:00 on 4 July in Los Angeles, when it is 5 July in UTC.
var evening = time.Date(2026, time.July, 5, 5, 0, 0, 0, time.UTC)

// folder returns the folder of a program. The programs that need a minute to build and run are
// checked with PROOF=whole.
func folder(t *testing.T, name string) string {
	t.Helper()
	if os.Getenv("PROOF") != "whole" {
		t.Skip("builds and runs a program: set PROOF=whole")
	}
	if of := os.Getenv("RECIPES"); of != "" {
		return filepath.Join(of, name)
	}
	if name == "nightly" {
		return "../nightly"
	}
	return name
}

// recipe is a built program and its variables.
type recipe struct {
	t         *testing.T
	path      string
	variables []string
}

// build builds a program that calls the service.
func build(t *testing.T, name string, service *terminal49test.Server, variables ...string) recipe {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	goCommand(t, folder(t, name), "build", "-ldflags=-s -w", "-o", path, ".")
	return recipe{t: t, path: path}.with(service, variables...)
}

// goCommand runs a command of Go in a folder. It requires success.
func goCommand(t *testing.T, folder string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = folder
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
}

// with returns the program with the variables of a service, and others, such as NOW.
func (r recipe) with(service *terminal49test.Server, variables ...string) recipe {
	r.variables = append([]string{
		"HOME=" + filepath.Dir(r.path), "T49_API_TOKEN=" + service.Token, "T49_API_BASE_URL=" + service.URL,
	}, variables...)
	return r
}

// serve starts a simulated service at a time that stands still, and requires that nothing
// undocumented is sent to it.
func serve(t *testing.T, at time.Time, options ...terminal49test.Option) *terminal49test.Server {
	t.Helper()
	folder(t, "") // skips before anything starts
	service := terminal49test.NewServer(append([]terminal49test.Option{
		terminal49test.WithStart(at), terminal49test.WithSpeed(0),
	}, options...)...)
	t.Cleanup(service.Close)
	t.Cleanup(func() { service.CheckViolations(t) })
	return service
}

// command returns the program with arguments. It is killed when it runs for much longer than a task
// allows.
func (r recipe) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(r.t.Context(), 5*time.Minute)
	r.t.Cleanup(cancel)
	command := exec.CommandContext(ctx, r.path, args...)
	command.Env = r.variables
	return command
}

// run runs the program and returns what it printed. It requires success.
func (r recipe) run(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	require.NoError(r.t, err)
	return out
}

// lines is run, split into lines.
func (r recipe) lines(args ...string) []string {
	r.t.Helper()
	return strings.Split(strings.TrimSuffix(r.run(args...), "\n"), "\n")
}

// try runs the program and returns its standard output, and an error unless its status is 0.
func (r recipe) try(args ...string) (string, error) {
	r.t.Helper()
	command := r.command(args...)
	var out, trouble bytes.Buffer
	command.Stdout, command.Stderr = &out, &trouble
	err := command.Run()
	r.t.Logf("%s %q: %v\n%s", filepath.Base(r.path), args, err, trouble.String())
	return out.String(), err
}

// start runs the program as a server until stop is called, which returns what it printed and
// requires that SIGTERM ends it with success. The program listens on a port that the system
// chooses, so that no other program can take it first.
func (r recipe) start() (address string, stop func() string) {
	r.t.Helper()
	if runtime.GOOS != "linux" {
		r.t.Skip("/proc has the port of a program")
	}
	r.variables = append(r.variables, "ADDR=127.0.0.1:0")
	command := r.command()
	var out, trouble bytes.Buffer
	command.Stdout, command.Stderr = &out, &trouble
	require.NoError(r.t, command.Start())
	require.Eventually(r.t, func() bool {
		address = listening(command.Process.Pid)
		return address != ""
	}, time.Minute, 10*time.Millisecond, "it does not listen")
	return address, func() string {
		r.t.Helper()
		require.NoError(r.t, command.Process.Signal(syscall.SIGTERM))
		require.NoError(r.t, command.Wait(), trouble.String())
		return out.String()
	}
}

// listening returns the local address on which a process listens, "" while there is none. Of a line
// of /proc/PID/net/tcp the second word is the address, the fourth the state, and the tenth the
// number of the socket. The table has the sockets of all processes.
func listening(pid int) string {
	const listens = "0A"
	table, _ := os.ReadFile(fmt.Sprintf("/proc/%d/net/tcp", pid))
	for line := range strings.Lines(string(table)) {
		words := strings.Fields(line)
		if len(words) < 10 || words[3] != listens || !hasSocket(pid, words[9]) {
			continue
		}
		_, port, _ := strings.Cut(words[1], ":")
		if n, err := strconv.ParseUint(port, 16, 16); err == nil {
			return fmt.Sprint("127.0.0.1:", n)
		}
	}
	return ""
}

func hasSocket(pid int, number string) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	return slices.ContainsFunc(files, func(file string) bool {
		to, err := os.Readlink(file)
		return err == nil && to == "socket:["+number+"]"
	})
}

// losAngeles returns a shipment to a terminal in Los Angeles.
func losAngeles(service *terminal49test.Server, number string) string {
	return service.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: number, ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT",
	})
}

// released returns a container that its terminal has released, an hour ago.
func released(service *terminal49test.Server, shipment, number string) terminal49test.Container {
	return terminal49test.Container{
		Number: number, Shipment: shipment, CurrentStatus: "available",
		AvailableForPickup: terminal49test.Bool(true), Holds: []terminal49test.Hold{}, Fees: []terminal49test.Fee{},
		PODArrivedAt: service.Now().Add(-72 * time.Hour), PODDischargedAt: service.Now().Add(-48 * time.Hour),
		TerminalCheckedAt: service.Now().Add(-time.Hour),
	}
}

// midnight returns the beginning of a day of July 2026 at a place.
func midnight(t *testing.T, day int, zone string) time.Time {
	t.Helper()
	place, err := time.LoadLocation(zone)
	require.NoError(t, err)
	return time.Date(2026, time.July, day, 0, 0, 0, 0, place)
}
