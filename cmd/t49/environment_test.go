package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// SECURITY: the token is sent unencrypted to this machine only, unless a flag that names it allows
// more. A proxy stands for the network: it receives what would be sent to another machine.
func TestPlainHTTP_OtherMachines(t *testing.T) {
	var received atomic.Int32
	network := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			received.Add(1)
		}
		http.Error(w, "no", http.StatusNotImplemented)
	}))
	defer network.Close()
	for _, base := range []string{
		"http://another-machine/v2", "http://192.0.2.49/v2", "http://[2001:db8::49]:8051/v2", "HTTP://another-machine/v2",
		"http://localhost.example.com/v2", "http://127.0.0.1.example.com/v2", "http://0.0.0.0:8051/v2", "http://127.0.0.1@another-machine/v2",
	} {
		a := &account{T: t, env: []string{"T49_API_TOKEN=token-that-nobody-may-see", "T49_API_BASE_URL=" + base, "HTTP_PROXY=" + network.URL}}
		for _, args := range [][]string{{"shipments"}, {"api", "/ports/USLAX"}, {"track", "MAEU240711002"}, {"webhooks", "listen", "--url", "https://example.com/"}} {
			status, out, log := a.do(args...)
			require.Equal(t, 2, status, "%s %v: %s", base, args, log)
			require.Empty(t, out)
			require.Contains(t, log, "T49_API_BASE_URL must ")
			if !strings.Contains(base, "@") {
				require.Contains(t, log, "unencrypted; plain http is allowed for this machine, or with --plain-http")
			}
		}
	}
	require.Zero(t, received.Load())

	a := &account{T: t, env: []string{"T49_API_TOKEN=token-that-nobody-may-see", "T49_API_BASE_URL=http://another-machine/v2", "HTTP_PROXY=" + network.URL}}
	status, _, log := a.do("shipments", "--plain-http")
	require.Equal(t, 8, status, log)
	require.NotZero(t, received.Load(), "the flag allows it")
}

// SECURITY: the token may be pasted with its scheme or spaces. What the service may repeat is the
// token without them.
func TestTable_HidesTheTokenInEveryFormOfTheVariable(t *testing.T) {
	a := newAccount(t)
	a.srv.UpdateShipment(a.demo.Shipments[0], func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"customer_name": "A " + a.srv.Token + " B " + strings.ToUpper(a.srv.Token) + " C"}
	})
	for _, form := range []string{"%s", " %s", "%s\n", "\t%s\r\n", "Token %s", "token   %s ", " TOKEN %s"} {
		a.env[0] = "T49_API_TOKEN=" + strings.Replace(form, "%s", a.srv.Token, 1)
		require.Contains(t, a.must("shipments"), "A [secret] B [secret] C", "%q", form)
	}
	for _, form := range []string{"Bearer %s", " bearer  %s "} { // refused: it is an API key
		a.env[0] = "T49_API_TOKEN=" + strings.Replace(form, "%s", a.srv.Token, 1)
		status, _, log := a.do("shipments", "stop", a.srv.Token)
		require.NotZero(t, status, log)
		_, _, log = a.do(a.srv.Token)
		require.Contains(t, log, "[secret]", "%q", form)
	}
}

// JSON is data: a token that is a common word does not change it.
func TestJSON_IsExactWhateverTheTokenIs(t *testing.T) {
	a := newAccount(t, terminal49test.WithToken("available"))
	out := a.must("containers", "--json")
	require.NotContains(t, out, "[secret]")
	statuses := map[terminal49.ContainerStatus]int{}
	for line := range strings.Lines(out) {
		var c terminal49.Container
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		statuses[c.CurrentStatus]++
	}
	require.Positive(t, statuses["available"])
	require.Contains(t, a.must("api", "/containers"), `"available"`)
}

// failingWriter fails from the nth write on.
type failingWriter struct {
	n   int
	err error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.n--; w.n <= 0 {
		return 0, w.err
	}
	return len(p), nil
}

// A command whose output cannot be written ends, also one that runs until it is interrupted. As
// other tools, it says nothing about a pipe that is closed.
func TestOutput_FailuresEndTheCommand(t *testing.T) {
	a := newAccount(t)
	t.Setenv("T49_API_TOKEN", a.srv.Token)
	t.Setenv("T49_API_BASE_URL", a.srv.URL)
	closed := &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	full := &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	for _, args := range [][]string{
		{"containers"}, {"containers", "--json"}, {"containers", "--count-by", "line"}, {"containers", "refresh", "MSKU7182047"},
		{"fees", "MSKU7182047"}, {"events", "MSKU7182047"}, {"ready", "MEDU3309188"}, {"ready", "MEDU3309188", "--json"},
		{"watch", "MSKU7182047", "MEDU3309188"}, {"simulator", "--addr", "127.0.0.1:0"}, {"api", "/ports/USLAX"}, {"--help"}, {"help", "ready"}, {"--version"}, {"api", "--list"},
		{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"},
	} {
		var log bytes.Buffer
		require.Equal(t, exitPipe, execute(t.Context(), args, &failingWriter{1, closed}, &log), "%v: %s", args, log.String())
		require.Empty(t, log.String(), args)
		require.Equal(t, exitUsage, execute(t.Context(), args, &failingWriter{1, full}, &log), args)
		require.Equal(t, "t49: the output cannot be written: write /dev/stdout: no space left on device\n", log.String(), args)
	}
	var log bytes.Buffer
	before := len(a.srv.Requests())
	require.Equal(t, exitPipe, execute(t.Context(), []string{"ready", "--json", "MSKU7182047", "MEDU3309188"}, &failingWriter{1, closed}, &log))
	require.Len(t, a.srv.Requests()[before:], 1, "nothing is read after the first row")
	_ = execute(t.Context(), []string{"ready", "--json", "MSCU1234566", "MEDU3309188"}, &failingWriter{1, full}, &log)
	require.Contains(t, log.String(), "t49: MSCU1234566: not found\n", "an error before it is printed")
}

// With --json, what is no JSON is not a result.
func TestJSON_NothingElseIsPrinted(t *testing.T) {
	a := newAccount(t)
	status, out, log := a.do("containers", "refresh", "MSKU7182047", "--json")
	require.Zero(t, status)
	require.Empty(t, out)
	require.Contains(t, log, "Started refresh")
}

// A simulator that listens on all addresses prints one that a client of this machine may use.
func TestSimulator_PrintsAnAddressOfThisMachine(t *testing.T) {
	for listened, want := range map[string]string{
		"http://[::]:8051/v2": "http://127.0.0.1:8051/v2", "http://0.0.0.0:8051/v2": "http://127.0.0.1:8051/v2",
		"http://127.0.0.1:8051/v2": "http://127.0.0.1:8051/v2", "http://192.0.2.49:1/v2": "http://192.0.2.49:1/v2",
	} {
		require.Equal(t, want, here(listened))
	}
}
