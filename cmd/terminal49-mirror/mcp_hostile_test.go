package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

// wholeProof reports whether proofs run all of their repetitions.
var wholeProof = os.Getenv("PROOF") == "whole"

// messages are what hostile messages are made of.
var messages = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find","arguments":{"numbers":["MSKU7182047"],"fields":["eta"]}}}`,
	`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"status","arguments":{},"_meta":{"progressToken":7}}}`,
	`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"x://y"}}`,
	`{"jsonrpc":"2.0","id":4,"result":{}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
	`{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"}}}`,
}

// pieces are put into messages.
var pieces = []string{
	"{", "}", "[", "]", `"`, ",", ":", "\\", "null", "1e999", "-0", "99999999999999999999", "\x00", "\xff", "\u202e", `\ud800`, "true", `"id":`, `"id":null,`, `"id":{},`,
	`"method":7,`, `"jsonrpc":"1.0",`, strings.Repeat("[", 2000), strings.Repeat(`{"a":`, 1500), strings.Repeat("9", 400), strings.Repeat("x", 5000),
}

// hostileMessage returns a message with some changes, on one line.
func hostileMessage(random *rand.Rand) []byte {
	m := []byte(messages[random.IntN(len(messages))])
	for range 1 + random.IntN(3) {
		at := random.IntN(len(m) + 1)
		switch random.IntN(4) {
		case 0:
			m = append(m[:at:at], append([]byte(pieces[random.IntN(len(pieces))]), m[at:]...)...)
		case 1:
			m = m[:at]
		case 2:
			m = append(m[:at:at], m[min(len(m), at+1+random.IntN(20)):]...)
		case 3:
			m = bytes.Replace(m, []byte(`"params":{`), []byte(`"params":`+pieces[random.IntN(len(pieces))]+`{`), 1)
		}
	}
	return bytes.ReplaceAll(m, []byte("\n"), nil)
}

// malformed returns a line that is not a message.
func malformed(random *rand.Rand) []byte {
	for {
		m := hostileMessage(random)
		if _, err := jsonrpc.DecodeMessage(m); err != nil && len(bytes.TrimSpace(m)) > 0 {
			return m
		}
	}
}

func malformedMessages() (n int, random *rand.Rand) {
	if n = 200; wholeProof {
		n = 10_000
	}
	return n, rand.New(rand.NewPCG(7, 34))
}

// Each message that is malformed is answered with an error, and the next one is answered.
func TestMCP_MalformedMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		p := startPlain(t, b.command("mcp"))
		n, random := malformedMessages()
		for range n {
			line := malformed(random)
			p.write(string(line))
			require.NotNil(t, p.read().Error, "%q", line)
		}
		for range n / 10 { // also those that are messages
			p.write(string(hostileMessage(random)), `{"jsonrpc":"2.0","id":"next","method":"ping"}`)
			for p.read().ID != "next" {
			}
		}
		t.Logf("figure: mcp over stdio: %d malformed messages refused, at most %d MB", n, peak(t, p.cmd))
		p.end(syscall.SIGTERM)
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		c := b.start("mcp", "--listen", "127.0.0.1:0")
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		n, random := malformedMessages()
		for range n {
			line := malformed(random)
			if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
				continue // a batch, which is allowed before 2025-06-18
			}
			require.GreaterOrEqual(t, post(t, client, c.address("listen"), line), 400, "%q", line)
			if random.IntN(20) == 0 {
				_ = post(t, client, c.address("listen"), hostileMessage(random))
				require.Equal(t, http.StatusOK, post(t, client, c.address("listen"), []byte(`{"jsonrpc":"2.0","id":"next","method":"ping"}`)))
			}
		}
		t.Logf("figure: mcp over HTTP: %d malformed messages refused, at most %d MB", n, peak(t, c.cmd))
		require.Zero(t, c.stop(syscall.SIGTERM))
	})
}

// post sends a body and returns the status.
func post(t testing.TB, client *http.Client, address string, body []byte) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := client.Do(r)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// An agent that never reads its answers costs a bounded amount of memory, and nobody else their
// answers.
func TestMCP_AgentsThatNeverRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		p := startPlain(t, b.command("mcp"))
		written := p.flood(2 * time.Second)
		t.Logf("figure: mcp over stdio to an agent that never reads: %d calls taken, at most %d MB", written, peak(t, p.cmd))
		require.Less(t, written, 5_000)
		require.Less(t, peak(t, p.cmd), 200)
		p.end(syscall.SIGTERM)
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		c := b.start("mcp", "--listen", "127.0.0.1:0")
		address, _ := strings.CutPrefix(c.address("listen"), "http://")
		host, path, _ := strings.Cut(address, "/")
		const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		request := fmt.Sprintf("POST /%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
			path, host, len(body), body)
		var flooding sync.WaitGroup
		for range 40 {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
			require.NoError(t, err)
			defer conn.Close() //nolint:errcheck // it may have ended
			flooding.Go(func() {
				_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
				for _, err := io.WriteString(conn, request); err == nil; {
					_, err = io.WriteString(conn, request)
				}
			})
		}
		flooding.Wait()
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		require.Equal(t, http.StatusOK, post(t, client, c.address("listen"), []byte(body)))
		t.Logf("figure: mcp over HTTP to 40 agents that never read: at most %d MB", peak(t, c.cmd))
		require.Less(t, peak(t, c.cmd), 300)
		require.Contains(t, []int{0, exitFailed}, c.stop(syscall.SIGTERM)) // it does not wait for them
	})
}

// plainAgent writes and reads lines itself.
type plainAgent struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	log   *strings.Builder
}

// startPlain starts a command and initializes the connection.
func startPlain(t testing.TB, cmd *exec.Cmd) *plainAgent {
	t.Helper()
	p := &plainAgent{t: t, cmd: cmd, log: new(strings.Builder)}
	cmd.Stderr = p.log
	var err error
	p.in, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	p.lines = bufio.NewScanner(out)
	p.lines.Buffer(nil, 4<<20)
	p.write(messages[:1]...)
	require.Nil(t, p.read().Error)
	p.write(messages[1])
	return p
}

func (p *plainAgent) write(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		_, err := io.WriteString(p.in, line+"\n")
		require.NoError(p.t, err, p.log)
	}
}

// answer is a line of the server.
type answer struct {
	ID     any
	Result json.RawMessage
	Error  *struct{ Message string }
}

func (p *plainAgent) read() (a answer) {
	p.t.Helper()
	require.True(p.t, p.lines.Scan(), p.log)
	require.NoError(p.t, json.Unmarshal(p.lines.Bytes(), &a), p.lines.Text())
	return a
}

// flood writes calls without reading, until nothing was taken for a time, and returns how many were
// taken.
func (p *plainAgent) flood(idle time.Duration) (written int) {
	taken := make(chan struct{})
	ctx, stop := context.WithCancel(p.t.Context())
	p.t.Cleanup(stop)
	go func() {
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i); err != nil {
				return
			}
			select {
			case taken <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-taken:
			written++
		case <-time.After(idle):
			return written
		}
	}
}

// end ends the process, which must not wait for what is not read.
func (p *plainAgent) end(s os.Signal) {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(s))
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		require.NoError(p.t, err)
	case <-time.After(longest):
		require.Fail(p.t, "it does not end", p.log)
	}
}

var peakMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak returns the most memory that a process has had, in MB; 0 where that is not known.
func peak(t testing.TB, cmd *exec.Cmd) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	require.NoError(t, err)
	found := peakMemory.FindSubmatch(text)
	require.NotNil(t, found)
	kB, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return kB / 1000
}
