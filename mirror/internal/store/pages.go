package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// shown are the ids of what a page of a list shows, without facts, by wire type.
type shown map[string][]string

func shownBy(list []*model.Resource) shown {
	all := shown{}
	for _, r := range list {
		if model.IsKept(r.Type) && !model.IsFact(r.Type) && model.IsStorableID(r.ID) {
			all[r.Type] = append(all[r.Type], r.ID)
		}
	}
	return all
}

// shownPages selects what pages show: kind, id and the columns of p.
const shownPages = `select distinct k.key as kind, i.value as id
from t49.pages p cross join jsonb_each(p.refs) k cross join jsonb_array_elements_text(k.value) i`

// recordPage records what a page of a list shows. So a walk over what has not changed writes a row
// for each page, and not one for each resource.
func (t *Tx) recordPage(ctx context.Context, r plan.Reading, list []*model.Resource) error {
	if r.Page.List == nil {
		return nil
	}
	scope, number := r.Page.List.Name, r.Page.Number
	refs := model.Encode(shownBy(list))
	same, err := t.exec(ctx, "update t49.pages set ticket = $1, seen_at = $2 where scope = $3 and number = $4 and digest = $5",
		r.Ticket, t.time(t.Now), scope, number, model.Digest(refs))
	if err != nil || same > 0 {
		return err
	}
	if err := t.leave(ctx, "scope = $1 and number = $2", scope, number); err != nil {
		return err
	}
	_, err = t.exec(ctx, `
insert into t49.pages (scope, number, refs, digest, ticket, seen_at) values ($1, $2, $3, $4, $5, $6)
on conflict (scope, number) do update set refs = excluded.refs, digest = excluded.digest, ticket = excluded.ticket, seen_at = excluded.seen_at`,
		scope, number, string(refs), model.Digest(refs), r.Ticket, t.time(t.Now))
	return err
}

// DropPages deletes the pages of a list that a walk did not reach: the list is shorter now.
func (t *Tx) DropPages(ctx context.Context, s *plan.List, walk int64) error {
	if err := t.leave(ctx, "scope = $1 and ticket < $2", s.Name, walk); err != nil {
		return err
	}
	_, err := t.exec(ctx, "delete from t49.pages where scope = $1 and ticket < $2", s.Name, walk)
	return err
}

// dropAllPages deletes what all pages show, because something in them is to be forgotten.
func (t *Tx) dropAllPages(ctx context.Context) error {
	if err := t.leave(ctx, "number > 0"); err != nil {
		return err
	}
	_, err := t.exec(ctx, "delete from t49.pages")
	return err
}

// leave writes to the rows of what some pages show when these were read, before the pages change.
func (t *Tx) leave(ctx context.Context, which string, args ...any) error {
	pages, err := t.pages(ctx, which, args...)
	if err != nil {
		return err
	}
	for _, p := range pages {
		for typ, ids := range p.refs {
			in := schema.TableOf(typ)
			if in == nil {
				continue
			}
			_, err := t.exec(ctx, "update t49."+in.Name+` set seen_at = $1
where seen_at < $1 and id in (select value from jsonb_array_elements_text($2::jsonb))`, t.time(p.seenAt), string(model.Encode(ids)))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

type recordedPage struct {
	refs   shown
	seenAt time.Time
}

func (t *Tx) pages(ctx context.Context, which string, args ...any) (all []recordedPage, err error) {
	rows, err := t.query(ctx, "select refs, seen_at from t49.pages where "+which, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var p recordedPage
		var refs []byte
		var at schema.Instant
		if err := rows.Scan(&refs, &at); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(refs, &p.refs); err != nil {
			return nil, err
		}
		p.seenAt = at.Time
		all = append(all, p)
	}
	return all, rows.Err()
}
