package mirror

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Reader reads the tables of a mirror as the types of package terminal49. Each value is what the
// client would have decoded, with the zones of its times and its relationships, as far as the
// database has them; AsOf is when the mirror last read the resource, as a whole walk or a change
// showed it. A clause is your own SQL: what follows the name of a table, from where, order by,
// limit and offset, with $1 for the first argument; "" selects all rows. A subquery may use the
// other tables by their names. Nothing can be written through a Reader: it reads in transactions
// that are read-only, and refuses other SQL. It is safe for concurrent use.
type Reader struct {
	db      *store.Store
	err     error // of an argument of NewReader
	deleted bool

	withoutEvents bool
}

// NewReader returns a Reader of a mirror's database. A role that may only select is enough, and so
// is a replica. [WithSchema] is the only option that matters to a Reader. A problem with an
// argument is the error of each read.
func NewReader(db *sql.DB, opts ...Option) *Reader {
	r, o := new(Reader), worker.Defaults()
	if db == nil {
		r.err = &terminal49.ArgumentError{Op: "mirror.NewReader", Field: "db", Problem: "must not be nil"}
	}
	for _, opt := range opts {
		if err := opt(&o); err != nil && r.err == nil {
			r.err = err
		}
	}
	r.db = store.New(db, o.Log)
	r.db.Schema = o.Schema
	return r
}

// WithDeleted returns a Reader that also reads rows of resources that the service has deleted.
func (r *Reader) WithDeleted() *Reader {
	other := *r
	other.deleted = true
	return &other
}

// WithoutEvents returns a Reader that does not read the transport events of containers, which takes
// less than half of the time. [terminal49.Assess] and [terminal49.Journey] need them, and so do the
// zones of the times at the gates of origin.
func (r *Reader) WithoutEvents() *Reader {
	other := *r
	other.withoutEvents = true
	return &other
}

// typed reads the selected rows.
func typed[T any](ctx context.Context, r *Reader, s store.Selection, parse func([]byte) ([]*T, error)) iter.Seq2[*T, error] {
	s.Deleted, s.WithoutEvents = r.deleted, r.withoutEvents
	return func(yield func(*T, error) bool) {
		if err := cmp.Or(r.err, checkArgs(s)); err != nil {
			yield(nil, err)
			return
		}
		for document, err := range r.db.Documents(ctx, s) {
			var list []*T
			if err == nil {
				if list, err = parse(document.JSON); err != nil {
					err = document.Explain(err)
				}
			}
			if err != nil {
				yield(nil, r.db.Explain(err))
				return
			}
			for _, v := range list {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// checkArgs refuses what is not text in a clause and its arguments.
func checkArgs(s store.Selection) error {
	for _, arg := range s.Args {
		text, _ := arg.(string)
		if err := checkText("Reader", cmp.Or(lookedUp[s.Lookup], "args"), text); err != nil {
			return err
		}
	}
	return checkText("Reader", "clause", s.Clause)
}

// isText reports whether a database may have a text: Postgres refuses any other (22021).
func isText(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// checkText refuses a text that no database has.
func checkText(method, field, text string) error {
	if isText(text) {
		return nil
	}
	return &terminal49.ArgumentError{Op: "mirror." + method, Field: field, Problem: fmt.Sprintf("must be valid UTF-8 without U+0000, not %.40q", text)}
}

// collected returns all resources of a read.
func collected[T any](all iter.Seq2[*T, error]) (list []*T, err error) {
	for v, err := range all {
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// first returns the resource of a read by id.
func first[T any](all iter.Seq2[*T, error], kind, id string) (*T, error) {
	for v, err := range all {
		return v, err
	}
	return nil, fmt.Errorf("mirror: the database has no %s with the id %.60q: %w", kind, id, sql.ErrNoRows)
}
