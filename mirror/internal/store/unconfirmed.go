package store

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Unconfirmed is a row that waits for a confirmation.
type Unconfirmed struct {
	model.Ref
	List   string
	Reason plan.Reason
	Answer plan.ByID
}

// Unconfirmed returns the rows that wait, by list and id.
func (d *Store) Unconfirmed(ctx context.Context) (all []Unconfirmed, err error) {
	for _, list := range plan.WholeLists {
		rows, err := d.unconfirmedOf(ctx, list)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

func (d *Store) unconfirmedOf(ctx context.Context, list *plan.List) (all []Unconfirmed, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select m.kind, m.id, m.reason, m.answer from t49.missing m join t49.`+schema.TableOf(list.Kind).Name+` t on t.id = m.id
where m.kind = $1 and m.reason <> '' and t.deleted_at is null order by m.id`), list.Kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		one := Unconfirmed{List: list.Name}
		if err := rows.Scan(&one.Type, &one.ID, (*string)(&one.Reason), (*string)(&one.Answer)); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Presence is whether a row may be confirmed as deleted.
type Presence uint8

const (
	NoRow    Presence = iota
	Gone              // it is deleted already
	Shown             // the latest whole walk over its list showed it, or a reading did later
	Unshown           // no reading has shown it since
	Unwalked          // no whole walk over its list has ended yet
)

// PresenceOf returns whether a row may be confirmed. Resources without a list have not been shown.
func (d *Store) PresenceOf(ctx context.Context, what model.Ref) (Presence, error) {
	table := schema.TableOf(what.Type).Name
	var deleted bool
	has, err := found(d.Pool.QueryRowContext(ctx, d.SQL("select deleted_at is not null from t49."+table+" where id = $1"), what.ID).Scan(&deleted))
	switch list := plan.ListOf(what.Type); {
	case err != nil || !has:
		return NoRow, err
	case deleted:
		return Gone, nil
	case list != nil:
		return d.presenceIn(ctx, list, what)
	}
	return Unshown, nil
}

func (d *Store) presenceIn(ctx context.Context, list *plan.List, what model.Ref) (Presence, error) {
	since, err := d.ConfirmableSince(ctx, what.Type)
	if err != nil || since == 0 {
		return Unwalked, err
	}
	unseen, err := found(d.Pool.QueryRowContext(ctx, d.SQL("select 1"+rowsAndPages(schema.TableOf(list.Kind))+isUnseen+" and t.id = $2"),
		since, what.ID).Scan(new(int)))
	if unseen {
		return Unshown, err
	}
	return Shown, err
}

// ConfirmableSince returns the ticket after which a row of a type must not have been shown: that of
// the latest whole walk over its list. It is 0 if there was none, and the latest ticket if the type
// has no list.
func (d *Store) ConfirmableSince(ctx context.Context, kind string) (int64, error) {
	list := plan.ListOf(kind)
	if list == nil {
		return d.Drawn(ctx)
	}
	var last WalkState
	walked, err := d.LatestWalk(ctx, list, "done", &last)
	if err != nil || !walked {
		return 0, err
	}
	return d.ShownSince(ctx, list, last.ID)
}

// ShownAfter returns those of some rows of a type that a reading has shown after a ticket.
func (t *Tx) ShownAfter(ctx context.Context, kind string, since int64, refs []model.Ref) (shown []model.Ref, err error) {
	ids := string(model.Encode(idsByType(refs)[kind]))
	unseen, err := t.refs(ctx, "select t.type, t.id"+rowsAndPages(schema.TableOf(kind))+isUnseen+`
and t.id in (select value from jsonb_array_elements_text($2::jsonb))`, since, ids)
	is := map[model.Ref]bool{}
	for _, what := range unseen {
		is[what] = true
	}
	for _, what := range refs {
		if !is[what] {
			shown = append(shown, what)
		}
	}
	return shown, err
}

// Confirm deletes rows because the user has confirmed that their resources are gone.
func (t *Tx) Confirm(ctx context.Context, refs []model.Ref) error {
	now, err := t.Ticket(ctx) // later than all readings, so none of them overlaps
	if err != nil {
		return err
	}
	r := plan.Reading{Ticket: now, Until: now, Sent: t.Now, Source: "confirm"}
	if err := t.Remove(ctx, r, refs...); err != nil {
		return err
	}
	return t.NoteFound(ctx, refs...)
}

// NoteWaiting writes what the latest walk over a list says about rows that wait, after some of them
// have been deleted or found.
func (t *Tx) NoteWaiting(ctx context.Context, kind string) error {
	list := plan.ListOf(kind)
	if list == nil {
		return nil
	}
	waiting, err := t.waiting(ctx, list)
	if err != nil {
		return err
	}
	var problem any
	if waiting.Rows > 0 {
		problem = waiting.String()
	}
	_, err = t.exec(ctx, `
update t49.walks set problem = $1 where scope = $2 and state = 'done' and problem is not null
and id = (select max(id) from t49.walks where scope = $2 and state = 'done')`, problem, list.Name)
	return err
}
