package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio returns a transport for one agent that writes a message on each line of in and reads those
// of out, such as os.Stdin and os.Stdout. Unlike [mcp.StdioTransport] it answers a line that is not
// a message with an error and continues, and it answers all calls before it ends with in. The
// length of a line and the number of calls at once are bounded: an agent that does not read is not
// read from.
func Stdio(in io.Reader, out io.Writer) mcp.Transport { return &stdio{in, out} }

type stdio struct {
	in  io.Reader
	out io.Writer
}

// Connect implements [mcp.Transport].
func (t *stdio) Connect(context.Context) (mcp.Connection, error) {
	c := &lines{
		stdio: t, read: make(chan []byte), ended: make(chan error, 1), closed: make(chan struct{}),
		writing: make(chan struct{}, 1), places: make(chan struct{}, mostCalls), calls: map[jsonrpc.ID]bool{},
	}
	go func() { c.ended <- c.readAll() }()
	return c, nil
}

// lines is a connection.
type lines struct {
	*stdio
	read   chan []byte // lines; empty if one is too long
	ended  chan error  // receives once
	closed chan struct{}
	once   sync.Once // closes closed

	writing chan struct{} // has one while something is written
	places  chan struct{} // has one for each call whose response is not written
	mu      sync.Mutex
	calls   map[jsonrpc.ID]bool // that are not answered yet, and whether they are not cancelled
}

// SessionID implements [mcp.Connection].
func (c *lines) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (c *lines) Close() (err error) {
	c.once.Do(func() {
		close(c.closed)
		if in, is := c.in.(io.Closer); is {
			err = in.Close()
		}
	})
	return err
}

// readAll reads lines until the end of in.
func (c *lines) readAll() error {
	for in := bufio.NewReaderSize(c.in, 64<<10); ; {
		line, err := readLine(in)
		if line != nil || err == nil {
			select {
			case c.read <- line:
			case <-c.closed:
				return io.EOF
			}
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns a line; an empty one in place of one that is longer than mostMessage, which it
// does not keep.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for long := false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > mostMessage; long {
			line = []byte{}
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Read implements [mcp.Connection].
func (c *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		line, err := c.line(ctx)
		if err != nil {
			return nil, err
		}
		message, problem := decode(line)
		c.cancel(message)
		if call, is := message.(*jsonrpc.Request); is && call.IsCall() && !c.begin(call.ID) {
			problem = refusal(nil, jsonrpc.CodeInvalidRequest, "the id is that of a call that is not answered yet")
		} else if is && call.IsCall() {
			return message, c.place(ctx)
		}
		switch {
		case problem != nil:
			if err := c.write(problem); err != nil {
				return nil, err
			}
		case message != nil:
			return message, nil
		}
	}
}

// line returns the next line. At the end of in it first waits until all calls are answered.
func (c *lines) line(ctx context.Context) ([]byte, error) {
	select {
	case line := <-c.read:
		return line, nil
	case err := <-c.ended:
		for range cap(c.places) { // when all are free, nothing is in progress
			if wait := c.place(ctx); wait != nil {
				return nil, wait
			}
		}
		return nil, err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// place waits for a place for one more call.
func (c *lines) place(ctx context.Context) error {
	select {
	case c.places <- struct{}{}:
		return nil
	case <-c.closed:
		return io.EOF
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin notes the id of a call. It returns false if the id is in use.
func (c *lines) begin(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, is := c.calls[id]; is {
		return false
	}
	c.calls[id] = true
	return true
}

// cancel notes that a call is not answered, if the message says so.
func (c *lines) cancel(message jsonrpc.Message) {
	r, is := message.(*jsonrpc.Request)
	if !is || r.Method != "notifications/cancelled" {
		return
	}
	var of struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &of) != nil {
		return
	}
	id, err := jsonrpc.MakeID(of.RequestID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, is := c.calls[id]; is && err == nil {
		c.calls[id] = false
	}
}

// end forgets the id of a call. It returns whether there was one, and whether it is answered.
func (c *lines) end(id jsonrpc.ID) (was, answered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answered, was = c.calls[id]
	delete(c.calls, id)
	return was, answered
}

// Write implements [mcp.Connection]. An id may be used again once its response can be read, and its
// place once that is written.
func (c *lines) Write(_ context.Context, message jsonrpc.Message) error {
	response, is := message.(*jsonrpc.Response)
	if is {
		was, answered := c.end(response.ID)
		if was {
			defer func() { <-c.places }()
		}
		if was && !answered {
			return nil // MCP: a cancelled call gets no response
		}
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	return c.write(restoreIDs(data))
}

func (c *lines) write(data []byte) error {
	select {
	case c.writing <- struct{}{}:
		defer func() { <-c.writing }()
	case <-c.closed:
		return io.ErrClosedPipe
	}
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// decode decodes a line. It returns the response to one that is not a message, and neither for one
// without content.
func decode(line []byte) (message jsonrpc.Message, problem []byte) {
	if len(line) == 0 {
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", mostMessage))
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, nil
	}
	kept, ok := keepIDs(line)
	message, err := jsonrpc.DecodeMessage(kept)
	switch {
	case !ok:
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, notAnID)
	case err == nil:
		return message, nil
	case !json.Valid(line):
		return nil, refusal(nil, jsonrpc.CodeParseError, "the line is not JSON")
	}
	return nil, refusal(line, jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC 2.0; batches are not supported")
}

const notAnID = "the id must be a string or an integer"

// refusal is the response to what is not a message. It has the id, if a caller may have sent it.
func refusal(line []byte, code int, text string) []byte {
	var of struct{ ID json.RawMessage }
	var id any
	if json.Unmarshal(line, &of) != nil || json.Unmarshal(of.ID, &id) != nil {
		of.ID = nil
	}
	switch id.(type) {
	case string, float64:
	default:
		of.ID = nil
	}
	data, _ := json.Marshal(map[string]any{ // texts and an id that was decoded
		"jsonrpc": "2.0", "id": of.ID, "error": map[string]any{"code": code, "message": text},
	})
	return data
}
