package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// overlap is how much later than newer ones a notification may appear in the log.
const overlap = 5 * time.Minute

// position is what has been forwarded: everything that was created before the floor, and the
// notifications in done. It is kept in a file, to which a line is added for each notification.
type position struct {
	path   string
	file   *os.File
	floor  time.Time
	newest time.Time            // that was forwarded
	done   map[string]time.Time // by id; zero without a time of creation
	lines  int
	known  bool // where to begin
}

// positionLine is a line of the file: its first has the floor, the others an id.
type positionLine struct {
	Floor   *time.Time `json:"floor,omitempty"`
	ID      string     `json:"id,omitempty"`
	Created time.Time  `json:"created,omitzero"`
}

// stateFolder is the user's own: a shared one, for temporary files, may have links of others.
func stateFolder() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", usageError{fmt.Errorf("there is no folder for what was forwarded: name a file with --state (%w)", err)}
	}
	return filepath.Join(folder, "t49"), nil
}

// defaultState is the file for a webhook of a service and a receiver.
func defaultState(folder, webhook string, target *url.URL) string {
	name := sha256.Sum256([]byte(os.Getenv("T49_API_BASE_URL") + "\n" + webhook + "\n" + target.String()))
	return filepath.Join(folder, fmt.Sprintf("forward-%x.jsonl", name[:8]))
}

// openPosition reads the position from a file, or begins a new one at a time: zero is the end of
// the log.
func openPosition(path string, again bool, since time.Time) (*position, error) {
	if err := prepareState(path); err != nil {
		return nil, err
	}
	p := &position{path: path, done: map[string]time.Time{}, floor: since, known: !since.IsZero()}
	if !again {
		if err := p.load(); err != nil {
			return nil, err
		}
	}
	return p, p.save()
}

// prepareState creates the folder of a file, and checks that the file is none, empty, or begins as
// one of this command does: only such a file is replaced.
func prepareState(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return stateError(err)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return stateError(fmt.Errorf("%s is not a file", path))
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return stateError(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, longestFloor))
	switch {
	case err != nil:
		return stateError(err)
	case len(text) > 0 && !beginsAsOurs(text):
		return usageError{fmt.Errorf("--state: %s is not a file of this command, and is left as it is; name another one", path)}
	}
	return nil
}

// longestFloor is more than the first line has.
const longestFloor = 1 << 10

// beginsAsOurs reports whether the first line, which is always written whole, has a floor.
func beginsAsOurs(text []byte) bool {
	line, _, whole := bytes.Cut(text, []byte("\n"))
	var first positionLine
	return whole && json.Unmarshal(line, &first) == nil && first.Floor != nil
}

func stateError(err error) error {
	return usageError{fmt.Errorf("what was forwarded cannot be kept; choose another --state: %w", err)}
}

// load reads the file. Its last line may be cut off by the end of the process.
func (p *position) load() error {
	text, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return stateError(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		var read positionLine
		if json.Unmarshal(line, &read) != nil || (read.Floor != nil) != (i == 0) {
			return usageError{fmt.Errorf("--state: %s is damaged; delete it, or begin again with --since", p.path)}
		}
		if read.Floor != nil {
			p.floor, p.known = *read.Floor, true
		} else {
			p.add(read.ID, read.Created)
		}
	}
	return nil
}

// save replaces the file by one without what is before the floor.
func (p *position) save() error {
	if !p.known {
		return nil
	}
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	_ = to.Encode(positionLine{Floor: &p.floor})
	for id, created := range p.done {
		_ = to.Encode(positionLine{ID: id, Created: created})
	}
	if err := p.close(); err != nil {
		return err
	}
	err := replaceFile(p.path, text.Bytes())
	if err == nil {
		p.file, err = os.OpenFile(p.path, os.O_APPEND|os.O_WRONLY, 0o600)
	}
	p.lines = len(p.done)
	if err != nil {
		return stateError(err)
	}
	return nil
}

// replaceFile writes a new file of its own name in the folder, so that no link is followed.
func replaceFile(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.new")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

func (p *position) close() error {
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.file = nil
	return err
}

// String says where it begins.
func (p *position) String() string {
	last := cmp.Or(p.newest, p.floor)
	if last.IsZero() {
		return "it begins with what happens from now on"
	}
	return "it continues after " + last.UTC().Format(time.RFC3339) + " (--since now skips what happened meanwhile)"
}

// begin marks what is in the log as forwarded.
func (p *position) begin(list []logged) error {
	for _, n := range list {
		p.add(n.id, n.created)
	}
	p.known = true
	p.raise()
	return p.save()
}

func (p *position) add(id string, created time.Time) {
	p.done[id] = created
	if created.After(p.newest) {
		p.newest = created
	}
}

// isNew reports whether a notification is to be forwarded.
func (p *position) isNew(n logged) bool {
	_, done := p.done[n.id]
	return !done && (n.created.IsZero() || !n.created.Before(p.floor))
}

// record keeps that a notification was forwarded.
func (p *position) record(id string, created time.Time) error {
	p.add(id, created)
	p.lines++
	line, _ := json.Marshal(positionLine{ID: id, Created: created})
	if _, err := p.file.Write(append(line, '\n')); err != nil {
		return stateError(err)
	}
	return nil
}

// advance forgets what is too old to appear in the log. Everything that the log has since the floor
// must have been forwarded.
func (p *position) advance() error {
	p.raise()
	if p.lines < 2*len(p.done)+1000 {
		return nil
	}
	return p.save()
}

// floorFor returns the floor of a log with a newest notification. What is in the log before it is
// known where to begin is not forwarded.
func (p *position) floorFor(newest time.Time) time.Time {
	if p.known {
		return p.floor
	}
	return newest.Add(-overlap)
}

func (p *position) raise() {
	if floor := p.newest.Add(-overlap); floor.After(p.floor) {
		p.floor = floor
	}
	for id, created := range p.done {
		if !created.IsZero() && created.Before(p.floor) {
			delete(p.done, id)
		}
	}
}
