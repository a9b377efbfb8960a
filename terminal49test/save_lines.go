package terminal49test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// lineWriter writes lines of JSON with one member each. It keeps the first ones in memory until the
// end, so that a slow connection does not keep a small world locked.
type lineWriter struct {
	to      io.Writer
	pending []byte
	err     error
}

// keptBytes is how many bytes a lineWriter keeps in memory.
const keptBytes = 16 << 20

// add writes a line whose member has a name and the form of a struct. about names it in an error.
func (w *lineWriter) add(name, about string, form any) {
	if w.err != nil {
		return
	}
	raw, err := forms.Encode(form)
	if err != nil {
		w.fail(name, about, err)
		return
	}
	w.write(name, raw)
}

func (w *lineWriter) fail(name, about string, err error) {
	w.err = fmt.Errorf("terminal49test: cannot save %s %q: %w", name, about, err)
}

func (w *lineWriter) write(name string, raw []byte) {
	w.pending = append(append(append(w.pending, `{"`...), name...), `":`...)
	w.pending = append(append(w.pending, raw...), "}\n"...)
	if len(w.pending) > keptBytes {
		_ = w.flush()
	}
}

// flush writes what is in memory and returns the first error.
func (w *lineWriter) flush() error {
	if w.err == nil {
		_, w.err = w.to.Write(w.pending)
	}
	w.pending = w.pending[:0]
	return w.err
}

// maxLine is how long a line of a saved world may be.
const maxLine = 64 << 20

// load reads a world. Each line is a JSON object whose only member is named after a part.
func load(r io.Reader) (*loading, error) {
	l := newLoading()
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		l.line++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := l.read(lines.Bytes()); err != nil {
			return nil, l.failure(err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		l.line, l.part = l.line+1, ""
		return nil, l.failure(&forms.Error{Problem: fmt.Sprintf("must have at most %d bytes", maxLine)})
	} else if err != nil {
		return nil, fmt.Errorf("terminal49test: cannot read line %d of the world: %w", l.line+1, err)
	}
	if err := l.finish(); err != nil {
		return nil, l.failure(err)
	}
	return l, nil
}

// read reads one line.
func (l *loading) read(raw []byte) error {
	l.part = ""
	name, value, err := onlyMember(bytes.TrimSpace(raw))
	if err != nil {
		return err
	}
	part := partNamed(name)
	if part == nil {
		return &forms.Error{Member: name, Problem: "is not known" + forms.Instead(forms.Nearest(name, partNames()))}
	}
	switch l.part = part.name; {
	case l.world == nil && part.name != "world":
		return &forms.Error{Problem: "must come after the world, which is the first line"}
	case l.world != nil && part.name == "world":
		return &forms.Error{Problem: "must be the first line only"}
	case l.ended:
		return &forms.Error{Problem: "must come before the end, which is the last line"}
	}
	if err = part.load(l, value); err == nil {
		return nil
	}
	if _, _, outside := strictMember(raw); outside != nil {
		l.part, err = "", outside
	}
	return err
}

// onlyMember returns the member of an object that has one. A line as Save writes it is not checked,
// because its value will be.
func onlyMember(raw []byte) (name string, value []byte, err error) {
	if start, rest, ok := bytes.Cut(raw, []byte(`":{`)); ok && isName(start) && bytes.HasSuffix(rest, []byte("}}")) {
		return string(start[2:]), raw[len(start)+2 : len(raw)-1], nil
	}
	return strictMember(raw)
}

func strictMember(raw []byte) (name string, value []byte, err error) {
	members, err := forms.Members(raw)
	switch {
	case err != nil:
		return "", nil, err
	case len(members) != 1:
		return "", nil, &forms.Error{Problem: fmt.Sprintf("must have one member, such as container, and has %d", len(members))}
	}
	return members[0].Name, members[0].Raw, nil
}

// isName reports whether a line begins with {" and the name of a part.
func isName(start []byte) bool {
	return bytes.HasPrefix(start, []byte(`{"`)) && partNamed(string(start[2:])) != nil
}

// LineError is why [Server.Load] refused a line.
type LineError struct {
	Line    int    // the first is 1
	Name    string // the name of the line's only member, such as "container"; "" if it has none
	Member  string // the path below it, such as "holds[0].name"; "" means the whole
	Problem string // such as "must be a number"
}

// Error returns all of it.
func (e *LineError) Error() string {
	text := fmt.Sprintf("terminal49test: line %d: ", e.Line)
	for _, name := range []string{e.Name, e.Member} {
		if name != "" {
			text += name + ": "
		}
	}
	return text + e.Problem
}

func (l *loading) failure(err error) error {
	failed := &LineError{Line: l.line, Name: l.part, Problem: err.Error()}
	if wrong := (*forms.Error)(nil); errors.As(err, &wrong) {
		failed.Member, failed.Problem = wrong.Member, wrong.Problem
	}
	return failed
}
