package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// rowSet is rows with their JSON, and the resources that they link to.
type rowSet struct {
	walked map[string]time.Time // of the snapshot
	list   []storedJSON
	text   []byte                            // the JSON of each, with the time of its reading, and a comma
	links  map[*schema.Table]map[string]bool // ids; nil if there are none
}

// storedJSON is a row: its resource, and where it is in the text of its set.
type storedJSON struct {
	model.Ref
	from, to int
}

func (s *rowSet) reset() { s.list, s.text, s.links = s.list[:0], s.text[:0], nil }

// scan reads the next row of columnsOf.
func (s *rowSet) scan(rows *sql.Rows, t *schema.Table) error {
	var of model.Ref
	var seen schema.Instant
	var listed bool // so the latest walk over its whole list has shown it: it is neither missing nor marked
	var raw sql.RawBytes
	links := t.Links()
	ids := make([]sql.RawBytes, len(links))
	dest := append(make([]any, 0, 5+len(ids)), &of.ID, &of.Type, &seen, &listed, &raw)
	for i := range ids {
		dest = append(dest, &ids[i])
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	at := seen.Time
	if began := s.walked[of.Type]; listed && began.After(at) {
		at = began
	}
	var text [len(time.RFC3339Nano)]byte
	for i, link := range links {
		s.link(link.To, ids[i])
	}
	return s.add(of, at.AppendFormat(text[:0], time.RFC3339Nano), raw)
}

// add adds a resource whose latest reading was at a time, in RFC 3339.
func (s *rowSet) add(of model.Ref, at, raw []byte) error {
	if len(raw) < 3 || raw[0] != '{' || raw[len(raw)-1] != '}' || !bytes.Contains(raw, []byte(of.ID)) {
		if err := ProblemOf(of, raw); err != nil { // an id may be written in another way
			return err
		}
		raw = bytes.TrimSpace(raw)
	}
	from := len(s.text)
	s.text = append(s.text, raw[:len(raw)-1]...)
	s.text = append(s.text, `,"meta":{"as_of":"`...)
	s.text = append(s.text, at...)
	s.text = append(s.text, `"}},`...)
	s.list = append(s.list, storedJSON{of, from, len(s.text)})
	return nil
}

// ProblemOf returns what is wrong with the JSON of a row.
func ProblemOf(of model.Ref, raw []byte) error {
	res, err := model.Parse(raw)
	if err == nil && res.Ref != of {
		err = fmt.Errorf("it is of %q %q", res.Type, res.ID)
	}
	if err != nil {
		return damagedRow{fmt.Errorf("the JSON of %s %s is damaged; \"terminal49-mirror repair %[1]s %[2]s\" reads it again: %w", of.Type, of.ID, err)}
	}
	return nil
}

// damagedRow is the error of JSON that cannot be read.
type damagedRow struct{ error }

// Unwrap returns what is wrong with it.
func (d damagedRow) Unwrap() error { return d.error }

// link adds a link. The column has an id, or a list of ids as JSON.
func (s *rowSet) link(to *schema.Table, id []byte) {
	switch {
	case len(id) == 0:
	case id[0] != '[':
		s.linkTo(to, id)
	default:
		var ids []string
		_ = json.Unmarshal(id, &ids)
		for _, id := range ids {
			s.linkTo(to, []byte(id))
		}
	}
}

func (s *rowSet) linkTo(to *schema.Table, id []byte) {
	if s.links == nil {
		s.links = map[*schema.Table]map[string]bool{}
	}
	if s.links[to] == nil {
		s.links[to] = map[string]bool{}
	}
	if !s.links[to][string(id)] {
		s.links[to][string(id)] = true
	}
}
