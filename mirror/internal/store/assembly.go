package store

import (
	"context"
	"fmt"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// mostInDocument is fewer resources than the client reads from one document.
const mostInDocument = 15_000

// assembly is some selected rows with what they refer to.
type assembly struct {
	snap     *snapshot
	of       *schema.Table
	selected rowSet
	related  rowSet

	withoutEvents bool
}

func newAssembly(s *snapshot, of Selection) assembly {
	return assembly{snap: s, of: of.Table, withoutEvents: of.WithoutEvents, selected: rowSet{walked: s.walked}, related: rowSet{walked: s.walked}}
}

// documents returns the selected rows as documents: one or, if very much belongs to them, several.
func (a *assembly) documents(ctx context.Context) ([]*Document, error) {
	if len(a.selected.list) == 0 {
		return nil, nil
	}
	return a.part(ctx, a.selected.list)
}

func (a *assembly) part(ctx context.Context, some []storedJSON) ([]*Document, error) {
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
	return []*Document{a.document(some)}, nil
}

// load reads what belongs to some rows, and what all of these link to.
func (a *assembly) load(ctx context.Context, some []storedJSON) error {
	a.related.reset()
	a.related.links = a.selected.links
	loaded := map[*schema.Table]map[string]bool{}
	of, ids := a.of, idsOf(some)
	loaded[of] = setOf(ids)
	for many, ok := of.Many(); ok && len(ids) > 0 && !(a.withoutEvents && many.From.Facts()); many, ok = of.Many() {
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
	rows, err := a.snap.on.QueryContext(ctx, a.snap.db.SQL("select "+columnsOf(t)+" from t49."+t.Name+" where "+column+a.snap.db.oneOfListed()),
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

// document returns some of the selected rows, which are in a row, with what belongs to them.
func (a *assembly) document(some []storedJSON) *Document {
	selected := a.selected.text[some[0].from:some[len(some)-1].to]
	doc := &Document{JSON: make([]byte, 0, len(selected)+len(a.related.text)+40), rows: make([]storedJSON, 0, len(some)+len(a.related.list))}
	doc.JSON = append(doc.JSON, `{"data":[`...)
	doc.add(some, selected)
	doc.JSON = append(doc.JSON, `],"included":[`...)
	doc.add(a.related.list, a.related.text)
	doc.JSON = append(doc.JSON, `]}`...)
	return doc
}

// Document is a JSON:API document of rows. Each resource has the time of its latest reading.
type Document struct {
	JSON []byte
	rows []storedJSON // which of its bytes are of which
}

// add adds rows, which all of text is of.
func (d *Document) add(list []storedJSON, text []byte) {
	if len(list) == 0 {
		return
	}
	shift := len(d.JSON) - list[0].from
	for _, row := range list {
		d.rows = append(d.rows, storedJSON{row.Ref, row.from + shift, row.to + shift - 1})
	}
	d.JSON = append(d.JSON, text[:len(text)-1]...) // without the last comma
}

// Explain returns the error of a document that cannot be parsed: it names the row that is damaged.
func (d *Document) Explain(err error) error {
	for _, row := range d.rows {
		if problem := ProblemOf(row.Ref, d.JSON[row.from:row.to]); problem != nil {
			return fmt.Errorf("mirror: %w", problem)
		}
	}
	return err
}
