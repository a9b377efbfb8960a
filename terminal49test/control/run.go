package control

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// Run executes commands on a server: one, or several, one after the other, as a request of control
// does. It returns the result of each, and stops at the first error, a [*CommandError].
func Run(server *terminal49test.Server, commands io.Reader) ([]json.RawMessage, error) {
	return (&runner{server: server}).run(commands)
}

// runner executes commands.
type runner struct {
	server *terminal49test.Server
	mu     sync.Mutex // the commands of one request run without those of another in between
	before float64    // the speed before the clock was stopped; 0 if it was not
}

func (r *runner) run(commands io.Reader) (results []json.RawMessage, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	source := &reader{Reader: bufio.NewReader(commands), line: 1}
	for {
		raw, line, err := source.next()
		if errors.Is(err, io.EOF) {
			return results, nil
		}
		if err == nil {
			raw, err = r.execute(raw)
		}
		if err != nil {
			return results, atLine(line, err)
		}
		results = append(results, raw)
	}
}

// atLine adds the line to an error of a command.
func atLine(line int, err error) error {
	var e *CommandError
	if errors.As(err, &e) {
		e.Line = line
	}
	return err
}

// execute executes one command and returns its result.
func (r *runner) execute(raw []byte) (result []byte, err error) {
	parsed, err := forms.Parse(raw)
	if err != nil {
		return nil, notParsed(err)
	}
	members := parsed.(map[string]any) // as next returns an object
	if len(members) != 1 {
		return nil, &CommandError{Message: fmt.Sprintf("has %d members: a command is an object with one member, such as {\"advance\": \"36h\"}", len(members))}
	}
	name := state.SortedKeys(members)[0]
	c, ok := commands[name]
	if !ok {
		return nil, &CommandError{Command: forms.Short(name), Message: "is not a command" + forms.Instead(forms.Nearest(name, state.SortedKeys(commands)))}
	}
	if members[name] == nil {
		return nil, &CommandError{Command: name, Message: "must not be null"}
	}
	out, err := c.run(r, members[name])
	if err != nil {
		return nil, inCommand(name, err)
	}
	return json.Marshal(out)
}

// notParsed returns the error of a command that is not JSON, or has a name twice.
func notParsed(err error) error {
	var form *forms.Error
	if !errors.As(err, &form) {
		return inCommand("", err)
	}
	name, member, _ := strings.Cut(form.Member, ".")
	return inCommand(name, &forms.Error{Member: member, Problem: form.Problem})
}

const (
	maxCommand   = 1 << 20 // bytes of one command
	usualCommand = 512
	maxBody      = 64 << 20
)

// reader reads JSON objects that follow each other, and counts lines.
type reader struct {
	*bufio.Reader
	line int
}

// next returns the next object and the line on which it begins. It ends with io.EOF.
func (r *reader) next() (object []byte, line int, err error) {
	c, err := r.skipSpace()
	line = r.line
	switch {
	case err != nil:
		return nil, line, err
	case c != '{':
		return nil, line, &CommandError{Message: `a command must be an object, such as {"advance": "36h"}`}
	}
	object = append(make([]byte, 0, usualCommand), c)
	for depth, inText := 1, false; depth > 0; object = append(object, c) {
		if c, err = r.ReadByte(); err != nil {
			return nil, line, endedEarly(err)
		}
		switch {
		case len(object) >= maxCommand:
			return nil, line, &CommandError{Message: fmt.Sprintf("a command must be at most %d bytes", maxCommand)}
		case c == '\n':
			r.line++
		case inText && c == '\\':
			object = append(object, c)
			if c, err = r.ReadByte(); err != nil {
				return nil, line, endedEarly(err)
			}
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth > forms.MaxDepth {
			return nil, line, &CommandError{Message: fmt.Sprintf("must not be nested more than %d deep", forms.MaxDepth)}
		}
	}
	return object, line, nil
}

func (r *reader) skipSpace() (c byte, err error) {
	for {
		c, err = r.ReadByte()
		if err != nil || !slices.Contains([]byte(" \t\r\n"), c) {
			return c, err
		}
		if c == '\n' {
			r.line++
		}
	}
}

// endedEarly returns the error of a command that is not complete.
func endedEarly(err error) error {
	if errors.Is(err, io.EOF) {
		return &CommandError{Message: "ends before the object does: a } or a quote is missing"}
	}
	return err
}
