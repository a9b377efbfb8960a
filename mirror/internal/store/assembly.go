package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// storedJSON is a row: its resource as JSON, and what is needed to put it into a document.
type storedJSON struct {
	model.Ref
	seenAt   time.Time // when a reading wrote the row last
	listed   bool      // so the latest walk over its whole list has shown it: it is neither missing nor marked
	from, to int       // of the JSON in the text of its set
}

// rowSet is rows with their JSON, and the resources that they link to.
type rowSet struct {
	list  []storedJSON
	text  []byte
	links map[*schema.Table]map[string]bool // ids; nil if nobody needs them
}

func (s *rowSet) reset() { s.list, s.text, s.links = s.list[:0], s.text[:0], nil }

func (s *rowSet) json(r storedJSON) []byte { return s.text[r.from:r.to] }

// scan reads the next row of columnsOf.
func (s *rowSet) scan(rows *sql.Rows, t *schema.Table) error {
	var row storedJSON
	var at schema.Instant
	var raw sql.RawBytes
	links := t.Links()
	ids := make([]sql.NullString, len(links))
	dest := append(make([]any, 0, 5+len(ids)), &row.ID, &row.Type, &at, &row.listed, &raw)
	for i := range ids {
		dest = append(dest, &ids[i])
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	row.seenAt, row.from = at.Time, len(s.text)
	s.text = append(s.text, raw...)
	row.to = len(s.text)
	s.list = append(s.list, row)
	for i, link := range links {
		s.link(link.To, ids[i].String)
	}
	return nil
}

// link adds a link. The column has an id, or a list of ids as JSON.
func (s *rowSet) link(to *schema.Table, id string) {
	var ids []string
	switch {
	case id == "":
		return
	case !strings.HasPrefix(id, "["):
		ids = []string{id}
	case json.Unmarshal([]byte(id), &ids) != nil:
		return
	}
	if s.links == nil {
		s.links = map[*schema.Table]map[string]bool{}
	}
	if s.links[to] == nil {
		s.links[to] = map[string]bool{}
	}
	for _, id := range ids {
		s.links[to][id] = true
	}
}

// mostInDocument is fewer resources than the client reads from one document.
const mostInDocument = 15_000

// assembly is some selected rows with what they refer to.
type assembly struct {
	snap     *snapshot
	of       *schema.Table
	selected rowSet
	related  rowSet
}

// documents returns the selected rows as documents: one or, if very much belongs to them, several.
func (a *assembly) documents(ctx context.Context) ([][]byte, error) {
	if len(a.selected.list) == 0 {
		return nil, nil
	}
	return a.part(ctx, a.selected.list)
}

func (a *assembly) part(ctx context.Context, some []storedJSON) ([][]byte, error) {
	if err := a.load(ctx, some); err != nil {
		return nil, err
	}
	if half := len(some) / 2; half > 0 && len(some)+len(a.related.list) > mostInDocument {
		first, err := a.part(ctx, some[:half])
		if err != nil {
			return nil, err
		}
		second, err := a.part(ctx, some[half:])
		return append(first, second...), err
	}
	return [][]byte{a.document(some)}, nil
}

// load reads what belongs to some rows, and what all of these link to.
func (a *assembly) load(ctx context.Context, some []storedJSON) error {
	a.related.reset()
	a.related.links = a.selected.links
	loaded := map[*schema.Table]map[string]bool{}
	of, ids := a.of, idsOf(some)
	loaded[of] = setOf(ids)
	for many, ok := of.Many(); ok && len(ids) > 0; many, ok = of.Many() {
		before := len(a.related.list)
		if err := a.read(ctx, many.From, many.Column, ids); err != nil {
			return err
		}
		of, ids = many.From, idsOf(a.related.list[before:])
		loaded[of] = setOf(ids)
	}
	for _, t := range schema.Linked {
		ids = ids[:0]
		for id := range a.related.links[t] {
			if !loaded[t][id] {
				ids = append(ids, id)
			}
		}
		if err := a.read(ctx, t, "id", ids); err != nil {
			return err
		}
	}
	return nil
}

// read reads the rows of a table whose column has one of the ids.
func (a *assembly) read(ctx context.Context, t *schema.Table, column string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	oneOf := " in " + listed
	if a.snap.db.Dialect == sqlstore.Postgres { // so it uses the index, whatever it knows of the table
		oneOf = " = any(array" + listed + ")"
	}
	rows, err := a.snap.on.QueryContext(ctx, a.snap.db.SQL("select "+columnsOf(t)+" from t49."+t.Name+" where "+column+oneOf),
		string(model.Encode(ids)))
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		if err := a.related.scan(rows, t); err != nil {
			return err
		}
	}
	return rows.Err()
}

func idsOf(list []storedJSON) []string {
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	return ids
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// document returns a JSON:API document. Each resource has the time of its latest reading.
func (a *assembly) document(some []storedJSON) []byte {
	length := len(a.selected.text) + len(a.related.text)
	doc := make([]byte, 0, length+(len(some)+len(a.related.list))*len(`,"meta":{"as_of":"2006-01-02T15:04:05.999999999Z"}`)+40)
	doc = append(doc, `{"data":[`...)
	doc = a.selected.appendTo(doc, some, a.snap.walked)
	doc = append(doc, `],"included":[`...)
	doc = a.related.appendTo(doc, a.related.list, a.snap.walked)
	return append(doc, `]}`...)
}

func (s *rowSet) appendTo(doc []byte, some []storedJSON, walked map[string]time.Time) []byte {
	for i, r := range some {
		if i > 0 {
			doc = append(doc, ',')
		}
		at := r.seenAt
		if began := walked[r.Type]; r.listed && began.After(at) {
			at = began
		}
		text := s.json(r)
		doc = append(doc, text[:len(text)-1]...)
		doc = append(doc, `,"meta":{"as_of":"`...)
		doc = at.AppendFormat(doc, time.RFC3339Nano)
		doc = append(doc, `"}}`...)
	}
	return doc
}
