package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// agent is a program that has started the command.
type agent struct {
	*mcp.ClientSession
	t   testing.TB
	cmd *exec.Cmd
	log *strings.Builder
}

// startAgent connects to a command over its standard streams.
func startAgent(t testing.TB, cmd *exec.Cmd) *agent {
	t.Helper()
	a := &agent{t: t, cmd: cmd, log: new(strings.Builder)}
	cmd.Stderr = a.log
	var err error
	a.ClientSession, err = newAgent().Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err, a.log)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

func newAgent() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
}

// ask calls a tool and returns its text, and whether it is an error.
func (a *agent) ask(tool string, with map[string]any) (text string, isError bool) {
	a.t.Helper()
	r, err := a.CallTool(context.WithoutCancel(a.t.Context()), &mcp.CallToolParams{Name: tool, Arguments: with})
	require.NoError(a.t, err, a.log)
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// It reads a copy that another process keeps, without the API key.
func TestMCP_AnswersFromACopy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	requests := b.srv.RequestCount()
	b.env = nil
	a := startAgent(t, b.command("mcp"))
	text, isError := a.ask("status", nil)
	require.False(t, isError, text)
	require.Contains(t, text, "8 containers")
	list, err := a.ListTools(t.Context(), nil)
	require.NoError(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	require.Contains(t, names, "requests")
	require.NotContains(t, names, "track")
	require.NoError(t, a.Close())
	require.True(t, a.cmd.ProcessState.Success(), a.log)
	require.Equal(t, requests, b.srv.RequestCount())
}

// It ends on an interrupt too, and prints nothing but the protocol.
func TestMCP_KeepsTheCopyItself(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	c := b.command("mcp", "--run", "--allow-writes")
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	log := new(strings.Builder)
	c.Stderr = log
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`)
	require.NoError(t, err)
	require.True(t, lines.Scan(), log)
	until(t, func() bool {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}`+"\n")
		require.NoError(t, err)
		require.True(t, lines.Scan(), log)
		require.True(t, json.Valid(lines.Bytes()), lines.Text())
		return strings.Contains(lines.Text(), `"complete":true`)
	}, lines.Text)
	require.Contains(t, lines.Text(), `"containers":8`)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	require.False(t, lines.Scan(), lines.Text())
	require.NoError(t, c.Wait(), log)
	b.srv.CheckViolations(t)
}

// Without an account and without anything else it answers about a simulated one.
func TestMCP_Demo(t *testing.T) {
	t.Parallel()
	b := &bench{T: t}
	a := startAgent(t, b.command("mcp", "--demo", "--allow-writes"))
	text, isError := a.ask("status", nil)
	require.False(t, isError, text)
	require.Contains(t, text, "simulated account")
	require.NotContains(t, text, " 0 containers")
	require.Contains(t, text, "Complete: true")
	of := regexp.MustCompile(`(?s)Now: (\S+)\.\n.*As of (\S+)\.\n`).FindStringSubmatch(text)
	require.NotNil(t, of, text)
	now, err := time.Parse(time.RFC3339, of[1])
	require.NoError(t, err)
	asOf, err := time.Parse(time.RFC3339, of[2])
	require.NoError(t, err)
	require.False(t, now.Before(asOf), text) // one clock
	require.WithinDuration(t, asOf, now, 5*time.Minute)
	text, isError = a.ask("track", map[string]any{"number": "MAEU123456789", "scac": "MAEU", "kind": "bill_of_lading"})
	require.False(t, isError, text)
	require.NoError(t, a.Close())
	require.True(t, a.cmd.ProcessState.Success(), a.log)
}

// However long the first walk takes, no tool answers before it has ended, unless its call ends.
func TestMCP_DemoWaitsForTheFirstWalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &demoHistory{known: make(chan struct{}), ended: make(chan struct{})}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		require.ErrorContains(t, h.ready(ctx), "wait: ")
		time.AfterFunc(time.Hour, func() { close(h.known) })
		require.NoError(t, h.ready(t.Context()))
		h = &demoHistory{known: make(chan struct{}), ended: h.known} // the server is stopping
		require.ErrorContains(t, h.ready(t.Context()), "wait: ")
	})
}

// Only this machine reaches it by HTTP.
func TestMCP_Listens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	for _, address := range []string{":4949", "0.0.0.0:4949", "[::]:4949", "192.0.2.1:4949", "example.com:4949", "127.0.0.1", "4949", "localhost.evil.example:1", "127.0.0.1.nip.io:1"} {
		status, out, log := b.do("mcp", "--listen", address)
		require.Equal(t, exitUsage, status, address)
		require.Empty(t, out)
		require.Contains(t, log, "--listen must be an address of the loopback interface")
	}
	c := b.start("mcp", "--listen", "127.0.0.1:0")
	session, err := newAgent().Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.address("listen"), HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}, nil)
	require.NoError(t, err)
	text, isError := (&agent{ClientSession: session, t: t, log: new(strings.Builder)}).ask("status", nil)
	require.False(t, isError, text)
	require.NoError(t, session.Close())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.address("listen"), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	require.NoError(t, err)
	request.Host = "evil.example"
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusForbidden, response.StatusCode)
	http.DefaultClient.CloseIdleConnections()
	require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
}

func TestMCP_RefusesWhatContradicts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for args, want := range map[string]string{
		"":                    "there is no database",
		"--demo":              "--demo cannot be combined with --db",
		"--demo --run":        "--demo cannot be combined with --run",
		"--allow-writes":      "T49_API_TOKEN is not set",
		"--run":               "T49_API_TOKEN is not set",
		"--listen 10.0.0.1:1": "loopback",
		"extra":               "unknown command",
	} {
		b.env = nil
		status, out, log := b.do(append([]string{"mcp"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, status, args)
		require.Empty(t, out)
		require.Contains(t, log, want)
	}
}

// Of several accounts in a database, one must be named. The server starts without its
// database, and without tables.
func TestMCP_SeveralAccounts(t *testing.T) {
	t.Parallel()
	postgres := engines.StartPostgres(t)
	b := newBench(t)
	b.srv.SeedDemo()
	b.db = postgres.DSN()
	empty := startAgent(t, b.command("mcp"))
	text, isError := empty.ask("status", nil)
	require.True(t, isError)
	require.Regexp(t, "^wait: ", text)
	require.NoError(t, empty.Close())

	for _, schema := range []string{"acme", "t49"} {
		b.env = append(b.env[:2:2], "T49_MIRROR_SCHEMA="+schema)
		b.copy()
		b.env = b.env[:2]
		status, _, log := b.do("mcp")
		if schema == "acme" {
			require.Equal(t, exitUsage, status)
			require.Contains(t, log, "name the copy with --schema, or T49_MIRROR_SCHEMA; the database has: acme\n")
		} else {
			require.Contains(t, log, "the database has: acme, t49\n")
		}
		a := startAgent(t, b.command("mcp", "--schema", schema))
		text, isError = a.ask("status", nil)
		require.False(t, isError, text)
		require.Contains(t, text, "«"+schema+"»")
		require.NoError(t, a.Close())
	}

	away := *b
	away.db = "postgres://nobody:a-password@127.0.0.1:1/none?connect_timeout=2"
	a := startAgent(t, away.command("mcp"))
	text, isError = a.ask("status", nil)
	require.True(t, isError)
	require.Regexp(t, "^wait: the database cannot be read now", text)
	require.NotContains(t, text+a.log.String(), "a-password")
	require.NoError(t, a.Close())
}
