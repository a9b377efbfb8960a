package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Write stores a reading of resources, records the differences in changes, and removes the marks
// that the reading answers. It marks resources for which an overlapping reading differs: which of
// the two is newer is unknown, so they are read again. Resources without a table and forgotten
// resources are left out.
func (t *Tx) Write(ctx context.Context, r plan.Reading, list []*model.Resource) error {
	w := &writer{tx: t, r: r}
	list, err := w.receive(ctx, list)
	if err != nil {
		return err
	}
	w.list = list
	if err := t.recordPage(ctx, r, list); err != nil {
		return err
	}
	digests := digestsOf(list)
	known, err := w.know(ctx, digests)
	if err != nil {
		return err
	}
	for _, into := range schema.Tables {
		if some := InTable(into, list); len(some) > 0 {
			if err := w.table(ctx, step{into: into, known: known.rows[into]}, some, digests[into]); err != nil {
				return err
			}
		}
	}
	t.written = w.written
	if err := t.rezone(ctx, w.written); err != nil {
		return err
	}
	if err := t.unmark(ctx, r, known.marks); err != nil {
		return err
	}
	if err := t.MarkAll(ctx, t.Now, w.doubtful...); err != nil {
		return err
	}
	return t.record(ctx, w.changes)
}

// InTable returns the resources of a table, each once: of one that is there twice, the first.
func InTable(into *schema.Table, list []*model.Resource) (some []*model.Resource) {
	seen := map[string]bool{}
	for _, res := range list {
		if schema.TableOf(res.Type) == into && !seen[res.ID] {
			seen[res.ID] = true
			some = append(some, res)
		}
	}
	return some
}

// writer writes one reading.
type writer struct {
	tx       *Tx
	r        plan.Reading
	read     []model.Ref       // what the reading is about
	doubtful []model.Ref       // what other readings describe differently
	changes  []change          // what differs from before
	list     []*model.Resource // what is written
	written  []*model.Resource // of these, the new or different ones
}

// receive records which resources a reading shows, and returns those to be stored, without secrets.
func (w *writer) receive(ctx context.Context, list []*model.Resource) (wanted []*model.Resource, err error) {
	for _, res := range list {
		if !model.IsKept(res.Type) || !model.IsStorableID(res.ID) {
			continue
		}
		w.read = append(w.read, res.Ref)
		if res, err = model.ScrubResource(res); err != nil {
			return nil, err
		}
		wanted = append(wanted, res)
	}
	return w.tx.withoutForgotten(ctx, wanted)
}

// written is a row to be stored.
type written struct {
	decision  plan.Decision
	said      *model.Resource // by the reading
	changedAt time.Time
}

// step is what has to be done with the resources of a table.
type step struct {
	into  *schema.Table
	known map[string]knownRow
	same  []*model.Resource // the reading equals what is stored, and the row is written nevertheless
	rows  []written
}

func (w *writer) table(ctx context.Context, s step, list []*model.Resource, digests map[string]string) error {
	for _, res := range list {
		w.decide(&s, res, digests[res.ID])
	}
	return w.do(ctx, &s)
}

// decide decides about a resource, notes the consequences, and collects the row to be stored.
func (w *writer) decide(s *step, res *model.Resource, digest string) {
	var row *plan.Row
	known, found := s.known[res.ID]
	if found {
		row = &known.Row
	}
	d := plan.Decide(row, w.r, res, digest)
	w.note(res, d)
	switch d.Action {
	case plan.Confirm:
		w.tx.confirm(res.Ref, span{d.Ticket, d.Until})
		if known.missing || w.r.Page.List == nil && !model.IsFact(res.Type) {
			s.same = append(s.same, res)
		}
	case plan.Leave:
		w.tx.confirm(res.Ref, span{until: d.Until})
	case plan.Store:
		w.touches(row, res, d)
		at := w.tx.Now
		if row != nil && !d.Appeared && len(d.Changes) == 0 {
			at = row.ChangedAt
		}
		s.rows = append(s.rows, written{d, res, at})
	}
}

// note records the consequences of a decision outside of the row.
func (w *writer) note(res *model.Resource, d plan.Decision) {
	if d.Damaged {
		w.tx.db.log.Warn("the JSON of a row is damaged; a later reading replaces it", slog.String("type", res.Type), slog.String("id", res.ID))
	}
	if d.Doubtful {
		w.readAgain(res)
	}
	if d.Appeared {
		w.appeared(res)
	}
	for _, c := range d.Changes {
		w.changed(res.Ref, c.Name, c.Old, c.New)
	}
}

// appeared records the change that a resource has appeared.
func (w *writer) appeared(res *model.Resource) { w.changed(res.Ref, "id", nil, model.Encode(res.ID)) }

func (w *writer) changed(what model.Ref, attribute string, old, new json.RawMessage) {
	attribute = strings.ToValidUTF8(attribute[:min(len(attribute), longestName)], "") // it is in an index
	w.changes = append(w.changes, change{
		Kind: what.Type, ID: what.ID, Attribute: attribute, Old: old, New: new, ticket: w.r.Ticket, Source: w.r.Source,
	})
}

// longestName bounds the name of an attribute in changes.
const longestName = 200

// readAgain records that a resource has to be read again. A fact cannot be read by itself, so its
// container or shipment is read instead.
func (w *writer) readAgain(res *model.Resource) {
	what, ok := res.Ref, true
	if model.IsFact(res.Type) {
		if what, ok = res.One("container"); !ok {
			what, ok = res.One("shipment")
		}
	}
	if ok {
		w.doubtful = append(w.doubtful, what)
	}
}

// do writes the rows of a table.
func (w *writer) do(ctx context.Context, s *step) error {
	if err := w.upsert(ctx, s); err != nil {
		return err
	}
	if err := w.periods(ctx, s); err != nil {
		return err
	}
	if len(s.same) == 0 {
		return nil
	}
	_, err := w.tx.exec(ctx, `
update t49.`+s.into.Name+` set ticket = $1, until = case when until > $2 then until else $2 end, seen_at = $3, missing_since = null
where ticket < $1 and id in (select value from jsonb_array_elements_text($4::jsonb))`,
		w.r.Ticket, w.r.Until, w.tx.time(w.tx.Now), IDs(s.same))
	return err
}

// IDs returns the ids of resources as JSON.
func IDs(list []*model.Resource) string {
	all := make([]string, len(list))
	for i, res := range list {
		all[i] = res.ID
	}
	return string(model.Encode(all))
}

// commonColumns are the columns of all tables that upsert writes, in the order of common.
var commonColumns = []string{"id", "type", "raw", "digest", "ticket", "until", "first_ticket", "seen_at", "changed_at"}

func (w *writer) common(row written) []any {
	res := row.decision.Resource
	return []any{res.ID, res.Type, res.Raw, row.decision.Digest, row.decision.Ticket, row.decision.Until, row.decision.Ticket,
		w.tx.time(w.tx.Now), w.tx.time(row.changedAt)}
}

func (w *writer) upsert(ctx context.Context, s *step) error {
	if len(s.rows) == 0 {
		return nil
	}
	own := schema.Physical(s.into.Columns)
	columns := append(commonColumns[:len(commonColumns):len(commonColumns)], s.into.ColumnNames()...)
	rows, written := make([][]any, len(s.rows)), make([]*model.Resource, len(s.rows))
	for i, row := range s.rows {
		written[i] = row.decision.Resource
	}
	z, err := w.tx.zonesOf(ctx, written, w.list)
	if err != nil {
		return err
	}
	for i, row := range s.rows {
		values, err := w.tx.typed(s.into, own, row.decision.Resource, z)
		if err != nil {
			return err
		}
		rows[i] = append(w.common(row), values...)
	}
	w.written = append(w.written, written...)
	return w.tx.insert(ctx, s.into.Name, columns, rows, upsertEnd(columns, s.into.Facts()))
}

// typed returns the values of a resource in the order of the columns of its table.
func (t *Tx) typed(into *schema.Table, columns []schema.Column, res *model.Resource, z model.OriginZones) ([]any, error) {
	values, err := into.Row(t.db.Dialect, res, z)
	var odd schema.OddMembers
	if errors.As(err, &odd) {
		t.db.log.Warn("mirror: "+err.Error(), slog.String("type", res.Type), slog.String("id", res.ID))
	} else if err != nil {
		return nil, err
	}
	for i, c := range columns {
		if text, is := values[i].(string); is && c.Kind == schema.KindJSON {
			values[i] = json.RawMessage(text)
		}
	}
	return values, nil
}

// upsertEnd returns the "on conflict" clause of an upsert. It updates a row of an earlier reading
// and, for a fact, also one of the same reading.
func upsertEnd(columns []string, facts bool) string {
	var b strings.Builder
	b.WriteString("\non conflict (id) do update set ")
	for _, name := range columns[1:] {
		if name != "first_ticket" {
			b.WriteString(name + " = excluded." + name + ", ")
		}
	}
	b.WriteString("first_ticket = case when t.first_ticket > 0 then t.first_ticket else excluded.first_ticket end, ")
	b.WriteString("missing_since = null, deleted_at = null\nwhere t.ticket < excluded.ticket")
	if facts {
		b.WriteString(" or t.ticket = excluded.ticket")
	}
	return b.String()
}

// IsStored reports whether the table has every container of a page as the page shows it.
func (t *Tx) IsStored(ctx context.Context, listed []*model.Resource) (bool, error) {
	digests := map[string]string{}
	for _, res := range listed {
		res, err := model.ScrubResource(res)
		if err != nil {
			return false, err
		}
		digests[res.ID] = model.Digest(res.Raw)
	}
	var n int
	_, err := t.one(ctx, `
select count(*) from jsonb_each_text($1::jsonb) n join t49.containers t on t.id = n.key and t.digest = n.value`,
		[]any{string(model.Encode(digests))}, &n)
	return n == len(digests), err
}

// ShipmentOf returns the shipment of a container, or the container if it is unknown.
func (d *Store) ShipmentOf(ctx context.Context, container model.Ref) (model.Ref, error) {
	var shipment sql.NullString
	_, err := found(d.Pool.QueryRowContext(ctx, d.SQL("select shipment_id from t49.containers where id = $1"), container.ID).Scan(&shipment))
	if err != nil || !shipment.Valid {
		return container, err
	}
	return model.Ref{Type: "shipment", ID: shipment.String}, nil
}
