package store

import (
	"context"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// What a transaction writes, it puts into the table unassessed, if the situation of a container can
// depend on it. A container stands for itself and for its events. A shipment or a place stands for
// its containers, which are looked up when they are assessed.

// placeKinds are the kinds whose containers are many, and are looked up last.
var placeKinds = []string{"port", "metro_area", "terminal", "rail_terminal"}

// noSituationOn are attributes of shipments that no row of situations depends on.
var noSituationOn = []string{"bill_of_lading_number", "normalized_number", "pod_voyage_number"}

// touches notes a resource whose row was written, if the situation of a container can
// depend on what is different.
func (w *writer) touches(row *plan.Row, res *model.Resource, d plan.Decision) {
	isUpdate := row != nil && row.Ticket > 0 && w.r.Ticket > row.Ticket && !d.Appeared && w.r.Repairs == model.Ref{}
	if isUpdate && res.Type != "container" && !model.IsFact(res.Type) && !slices.ContainsFunc(d.Changes, func(c model.Difference) bool {
		return !slices.Contains(noSituationOn, c.Name)
	}) {
		return
	}
	w.tx.touch(res)
}

// touch notes a resource whose containers are to be assessed.
func (t *Tx) touch(res *model.Resource) {
	of := res.Ref
	switch {
	case res.Type == "transport_event":
		var has bool
		if of, has = res.One("container"); !has {
			return
		}
	case res.Type != "container" && res.Type != "shipment" && !slices.Contains(placeKinds, res.Type):
		return
	}
	if !model.IsStorableID(of.ID) {
		return
	}
	if t.touched == nil {
		t.touched = map[model.Ref]bool{}
	}
	t.touched[of] = true
}

// leaves notes that a resource is deleted. Of a container, it deletes the situation.
func (t *Tx) leaves(ctx context.Context, what model.Ref) error {
	switch what.Type {
	case "container":
		if _, err := t.exec(ctx, "delete from t49.unassessed where kind = 'container' and id = $1", what.ID); err != nil {
			return err
		}
		delete(t.touched, what)
		_, err := t.exec(ctx, "delete from t49.situations where container_id = $1", what.ID)
		return err
	case "transport_event":
		return t.touchAll(ctx, "select container_id from t49.transport_events where id = $1 and container_id is not null", what.ID)
	case "shipment":
		return t.touchAll(ctx, containersOfShipments, string(model.Encode([]string{what.ID})))
	case "port", "metro_area", "terminal", "rail_terminal":
		return t.touchAll(ctx, containersOfPlaces, string(model.Encode([]string{what.ID})))
	}
	return nil
}

// touchAll notes containers, which a statement selects.
func (t *Tx) touchAll(ctx context.Context, containers string, of any) error {
	all, err := t.strings(ctx, containers, of)
	for _, id := range all {
		t.touch(&model.Resource{Ref: model.Ref{Type: "container", ID: id}})
	}
	return err
}

// enqueue stores what was noted.
func (t *Tx) enqueue(ctx context.Context) error {
	if len(t.touched) == 0 {
		return nil
	}
	rows := make([][]any, 0, len(t.touched))
	for of := range t.touched {
		rows = append(rows, []any{of.Type, of.ID})
	}
	t.touched, t.enqueued = nil, true
	return t.insert(ctx, "unassessed", []string{"kind", "id"}, rows, "\non conflict (kind, id) do nothing")
}

// wakeAssessor wakes the loop of this process that assesses containers, after a commit.
func (t *Tx) wakeAssessor() {
	if !t.enqueued {
		return
	}
	select {
	case t.db.Queued <- struct{}{}:
	default:
	}
}

// CursorRules is the version of the rules by which all situations were made, or are queued for.
// CursorRecords is likewise that of what their records have.
// CursorNotices has the numbers that decided their notices.
const (
	CursorRules   = "situations.rules"
	CursorRecords = "situations.records"
	CursorNotices = "situations.notices"
)

// EnqueueAll queues all containers.
func (t *Tx) EnqueueAll(ctx context.Context) error {
	t.enqueued = true
	_, err := t.exec(ctx, `
insert into t49.unassessed (kind, id)
select 'container', id from t49.containers where deleted_at is null on conflict (kind, id) do nothing`)
	return err
}

// HasUnassessed reports whether a container is to be assessed, because of what was written or
// because of the clock.
func (d *Store) HasUnassessed(ctx context.Context, now time.Time) (has bool, err error) {
	err = d.Pool.QueryRowContext(ctx, d.SQL(`
select exists (select 1 from t49.unassessed) or exists (select 1 from t49.situations where due_at <= $1)`), d.Time(now)).Scan(&has)
	return has, err
}

// Unassessed returns some ids of containers that are to be assessed: first those of which something
// was written, then those that are due by the clock, and last those of places.
func (t *Tx) Unassessed(ctx context.Context, most int) ([]string, error) {
	if err := t.expand(ctx, containersOfShipments, "kind = 'shipment'"); err != nil {
		return nil, err
	}
	const written = "select id from t49.unassessed where kind = 'container' order by id limit $1"
	ids, err := t.strings(ctx, written, most)
	if err == nil && len(ids) < most {
		var due []string
		due, err = t.strings(ctx, "select container_id from t49.situations where due_at <= $1 order by due_at limit $2", t.time(t.Now), most-len(ids))
		ids = append(ids, due...)
	}
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	if err := t.expand(ctx, containersOfPlaces, "kind <> 'container'"); err != nil {
		return nil, err
	}
	return t.strings(ctx, written, most)
}

// mostExpanded is how many shipments or places are replaced by their containers at a time.
const mostExpanded = 1000

const containersOfShipments = "select id from t49.containers where deleted_at is null and shipment_id in " + listed

// containersOfPlaces selects the containers whose verdicts may name a port or a terminal.
const containersOfPlaces = `
with place as ` + listed + `,
terminal as (
  select value from place union select id from t49.terminals where port_id in (select value from place) or metro_area_id in (select value from place)),
shipment as (
  select id from t49.shipments
  where pod_terminal_id in (select value from terminal) or destination_terminal_id in (select value from terminal)
    or port_of_lading_id in (select value from place) or port_of_discharge_id in (select value from place) or destination_id in (select value from place))
select id from t49.containers where deleted_at is null and (
  pod_terminal_id in (select value from terminal) or pickup_facility_id in (select value from terminal)
  or shipment_id in (select id from shipment)
  or id in (
    select container_id from t49.transport_events where location_id in (select value from place) or terminal_id in (select value from terminal)))`

// expand replaces queued resources by their containers.
func (t *Tx) expand(ctx context.Context, containers, which string) error {
	refs, err := t.refs(ctx, "select kind, id from t49.unassessed where "+which+" limit $1", mostExpanded)
	if err != nil || len(refs) == 0 {
		return err
	}
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	found, err := t.strings(ctx, containers, string(model.Encode(ids)))
	if err != nil {
		return err
	}
	rows := make([][]any, len(found))
	for i, id := range found {
		rows[i] = []any{"container", id}
	}
	if err := t.insert(ctx, "unassessed", []string{"kind", "id"}, rows, "\non conflict (kind, id) do nothing"); err != nil {
		return err
	}
	_, err = t.exec(ctx, "delete from t49.unassessed where id"+t.db.oneOfListed()+" and kind <> 'container' and "+which, string(model.Encode(ids)))
	return err
}

// strings reads one column of text.
func (t *Tx) strings(ctx context.Context, statement string, args ...any) (all []string, err error) {
	rows, err := t.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
