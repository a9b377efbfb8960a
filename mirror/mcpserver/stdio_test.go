package mcpserver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	helloLine = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	readyLine = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// response is what an agent reads on a line.
type response struct {
	ID     any
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// pipe is an agent that writes and reads lines itself.
type pipe struct {
	t     testing.TB
	to    *io.PipeWriter
	from  *bufio.Scanner
	out   *io.PipeReader
	ended chan error
}

func newPipe(t testing.TB, w *world) *pipe {
	t.Helper()
	s, err := New(Config{Mirror: w.mirror, Reader: w.reader, Now: w.Now})
	require.NoError(t, err)
	in, to := io.Pipe()
	out, from := io.Pipe()
	p := &pipe{t: t, to: to, from: bufio.NewScanner(out), out: out, ended: make(chan error, 1)}
	p.from.Buffer(nil, 4<<20)
	go func() {
		err := s.Run(t.Context(), Stdio(in, from))
		p.ended <- errors.Join(err, from.Close())
	}()
	return p
}

func (p *pipe) write(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		_, err := io.WriteString(p.to, line+"\n")
		require.NoError(p.t, err)
	}
}

func (p *pipe) read() (r response) {
	p.t.Helper()
	require.True(p.t, p.from.Scan(), p.from.Err())
	require.NoError(p.t, json.Unmarshal(p.from.Bytes(), &r), p.from.Text())
	return r
}

// malformed are lines that are not messages, with the code of the error and the id that it has.
var malformed = []struct {
	line string
	code int
	id   any
}{
	{"x", -32700, nil},
	{"{", -32700, nil},
	{`{"jsonrpc":"2.0","id":1,"method":"ping"`, -32700, nil},
	{"\x00\xff\xfe", -32700, nil},
	{"[]", -32600, nil},
	{"null", -32600, nil},
	{`"ping"`, -32600, nil},
	{"{}", -32600, nil},
	{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, nil},
	{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, 7.0},
	{`{"id":"a","method":"ping"}`, -32600, "a"},
	{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, -32600, nil},
	{`{"jsonrpc":"2.0","id":8,"method":5}`, -32600, 8.0},
	{`{"jsonrpc":"2.0"}`, -32600, nil},
	{`{"jsonrpc":"2.0","id":1` + strings.Repeat("0", 400) + `,"method":"ping"}`, -32600, nil},
	{strings.Repeat("[", 20_000), -32700, nil},
	{`{"jsonrpc":"2.0","id":9,"params":` + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + `,"method":"ping"}`, -32600, 9.0},
	{`{"jsonrpc":"2.0","id":10,"method":"ping","params":{"x":"` + strings.Repeat("x", mostMessage) + `"}}`, -32600, nil},
}

// What is not a message is refused, and the next one is answered.
func TestStdio_RefusesWhatIsNotAMessage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newPipe(t, demo(t))
		for i, of := range malformed {
			p.write(of.line)
			r := p.read()
			require.NotNil(t, r.Error, "%.60s", of.line)
			assert.Equal(t, of.code, r.Error.Code, "%.60s", of.line)
			assert.Equal(t, of.id, r.ID, "%.60s", of.line)
			assert.Less(t, len(r.Error.Message), 100)
			p.write("", " \r", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
			assert.Equal(t, float64(i), p.read().ID)
		}
		require.NoError(t, p.to.Close())
		require.NoError(t, <-p.ended)
	})
}

// All calls are answered, although the input has ended.
func TestStdio_AnswersBeforeItEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newPipe(t, demo(t))
		go func() {
			p.write(helloLine, readyLine)
			for i := range 20 {
				p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"status"}}`, i))
			}
			_, err := io.WriteString(p.to, `{"jsonrpc":"2.0","id":20,"method":"ping"}`) // without a line end
			require.NoError(t, errors.Join(err, p.to.Close()))
		}()
		answered := map[any]bool{}
		for range 22 {
			r := p.read()
			require.Nil(t, r.Error)
			answered[r.ID] = true
		}
		assert.Len(t, answered, 22)
		assert.False(t, p.from.Scan())
		require.NoError(t, <-p.ended)
	})
}

// An agent that does not read is not read from, beyond a number of calls.
func TestStdio_DoesNotReadWhatItCannotAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newPipe(t, demo(t))
		p.write(helloLine)
		p.read()
		p.write(readyLine)
		written := 0
		go func() {
			for i := range 1000 {
				if _, err := fmt.Fprintf(p.to, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i); err != nil {
					return
				}
				written++
			}
		}()
		synctest.Wait()
		assert.LessOrEqual(t, written, mostCalls+2)
		require.NoError(t, p.out.Close()) // it goes away
		require.Error(t, <-p.ended)
		require.NoError(t, p.to.Close())
	})
}

// An id that is in use is refused, and the first call with it is answered.
func TestStdio_RefusesAnIDInUse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newPipe(t, demo(t))
		p.write(helloLine)
		p.read()
		p.write(readyLine)
		go func() {
			p.write(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":6,"method":"tools/list"}`)
		}()
		answered := map[any]int{}
		for range 3 {
			r := p.read()
			answered[r.ID]++
			assert.Equal(t, r.ID == nil, r.Error != nil)
		}
		assert.Positive(t, answered[5.0])
		assert.Equal(t, 1, answered[6.0])
		require.NoError(t, p.to.Close())
		require.NoError(t, <-p.ended)
	})
}

// keptIDs are ids of calls, and those of their responses, also beyond 2^53. A fraction is not an id
// (MCP: a string or an integer), and null is that of a refusal (JSON-RPC 2.0, 5).
var keptIDs = map[string]string{
	"9007199254740993": "9007199254740993", "1764327000000000123": "1764327000000000123", "-9007199254740993": "-9007199254740993",
	"123456789012345678901234567890": "123456789012345678901234567890", "9007199254740992": "9007199254740992",
	"1.5": "null", "1e-1": "null", "1e999999": "null", "1e-99999999": "null", "1e+20": "1e+20", "1e3": "1000", "1.0": "1", "-1": "-1", `"a\u2028b"`: `"a\u2028b"`, `""`: `""`, `"9007199254740993"`: `"9007199254740993"`,
	`"\u0000integer 5"`: `"\u0000integer 5"`, `"\u0000id OTAwNzE5OTI1NDc0MDk5Mw"`: `"\u0000id OTAwNzE5OTI1NDc0MDk5Mw"`, `"\u0000id \u003c\u0022"`: `"\u0000id \u003c\u0022"`,
}

// requireID fails unless a response has an id, or refuses a call.
func requireID(t testing.TB, want, response string) {
	t.Helper()
	var of struct {
		ID    json.RawMessage
		Error *struct{ Code int }
	}
	require.NoError(t, json.Unmarshal([]byte(response), &of), response)
	require.Equal(t, want, string(of.ID))
	if want == "null" {
		require.NotNil(t, of.Error, response)
		require.Equal(t, -32600, of.Error.Code, response)
	} else {
		require.Nil(t, of.Error, response)
	}
}

// A response has the id of its call, as it was.
func TestStdio_KeepsIDs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newPipe(t, demo(t))
		for id, want := range keptIDs {
			p.write(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
			require.True(t, p.from.Scan())
			requireID(t, want, p.from.Text())
		}
		require.NoError(t, p.to.Close())
		require.NoError(t, <-p.ended)
	})
}

// A cancelled call gets no response (MCP, cancellation), whatever its id.
func TestStdio_DoesNotAnswerWhatIsCancelled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		p := newPipe(t, w)
		p.write(helloLine)
		p.read()
		conn, err := w.db.Conn(t.Context()) // the only one, so that calls wait
		require.NoError(t, err)
		p.write(readyLine)
		for _, id := range []string{"1", `"a"`, "9007199254740993", `"\u0000id 5"`} {
			p.write(`{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"name":"status"}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`)
		}
		p.write(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		assert.Equal(t, 2.0, p.read().ID)
		synctest.Wait()
		require.NoError(t, conn.Close())
		require.NoError(t, p.to.Close())
		assert.False(t, p.from.Scan())
		require.NoError(t, <-p.ended)
	})
}
