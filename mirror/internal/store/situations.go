package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Situation is a row of the table situations.
type Situation struct {
	Standing terminal49.Standing // zero if it was made by other rules, or is damaged
	Facts    json.RawMessage     // as a worklist.Facts
	Brief    string              // as worklist.Record.Brief returns it
	Holds    int                 // in force
	Owes     bool                // fees are owed
	Reported json.RawMessage     // what the feed has reported of the container; nil for nothing
	Due      time.Time           // when the clock alone may make a notice due; zero for never
}

// Notice is a change of the feed: something that happened to a container.
type Notice struct {
	ContainerID, Name string
	Old, New          json.RawMessage
}

// sourceVerdict is the source of the changes that are notices.
const sourceVerdict = "verdict"

// Report appends notices to the feed.
func (t *Tx) Report(ctx context.Context, all []Notice) error {
	changes := make([]change, len(all))
	for i, n := range all {
		changes[i] = change{Kind: model.KindNotice, ID: n.ContainerID, Attribute: n.Name, Old: n.Old, New: n.New, Source: sourceVerdict}
	}
	return t.record(ctx, changes)
}

// Containers reads containers with what the client includes with them, as this transaction sees
// them. Those that are deleted are left out.
func (t *Tx) Containers(ctx context.Context, ids []string) ([]*terminal49.Container, error) {
	return (&snapshot{db: t.db, on: t.tx}).containers(ctx, ids)
}

// containers reads containers by id, in no order, without those that are deleted.
func (s *snapshot) containers(ctx context.Context, ids []string) (all []*terminal49.Container, err error) {
	a := newAssembly(s, Selection{Table: schema.ContainerTable})
	if err := a.selectByID(ctx, ids); err != nil {
		return nil, err
	}
	documents, err := a.documents(ctx)
	for _, document := range documents {
		some, err := terminal49.ParseResources[terminal49.Container](document.JSON)
		if err != nil {
			return nil, damagedRow{document.Explain(err)}
		}
		all = append(all, some...)
	}
	return all, err
}

// selectByID selects rows that are not deleted.
func (a *assembly) selectByID(ctx context.Context, ids []string) error {
	rows, err := a.snap.on.QueryContext(ctx, a.snap.db.SQL("select "+columnsOf(a.of)+" from t49."+a.of.Name+" where deleted_at is null and id"+a.snap.db.oneOfListed()),
		string(model.Encode(ids)))
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		if err := a.selected.scan(rows, a.of); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Situations returns the rows of containers, by id.
func (t *Tx) Situations(ctx context.Context, ids []string) (map[string]Situation, error) {
	rows, err := t.query(ctx, "select container_id, standing, facts, brief, reported, due_at from t49.situations where container_id"+t.db.oneOfListed(), string(model.Encode(ids)))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	all := map[string]Situation{}
	for rows.Next() {
		var id string
		var standing sql.RawBytes
		var due schema.Instant
		var s Situation
		if err := rows.Scan(&id, &standing, (*[]byte)(&s.Facts), &s.Brief, (*[]byte)(&s.Reported), &due); err != nil {
			return nil, err
		}
		if json.Unmarshal(standing, &s.Standing) != nil {
			s.Standing = terminal49.Standing{}
		}
		s.Due = due.Time
		all[id] = s
	}
	return all, rows.Err()
}

var situationColumns = []string{
	"container_id", "situation", "old_situation", "checked_at", "place_id", "place", "since", "eta", "last_free_day", "urgency_reason",
	"standing", "facts", "rules", "holds", "owes", "brief", "reported", "due_at", "assessed_at", "seq",
}

// StoreSituations writes rows.
func (t *Tx) StoreSituations(ctx context.Context, all []Situation) error {
	if len(all) == 0 {
		return nil
	}
	seq, err := t.nextSituations(ctx)
	if err != nil {
		return err
	}
	rows := make([][]any, len(all))
	for i, s := range all {
		standing, err := json.Marshal(s.Standing)
		if err != nil {
			return err
		}
		of := &s.Standing
		rows[i] = []any{
			of.ContainerID, string(of.Situation), string(of.OldSituation), t.instant(of.CheckedAt), orNull(of.Place.TerminalID), orNull(of.Place.String()),
			t.instant(of.Since), t.instant(of.ETA), orNull(dayColumn(of.LastFreeDay.At)), string(of.UrgencyReason),
			json.RawMessage(standing), s.Facts, terminal49.RulesVersion, s.Holds, s.Owes, s.Brief, textual(s.Reported), t.time(s.Due), t.time(t.Now), seq,
		}
	}
	return t.insert(ctx, "situations", situationColumns, rows, upsertSituation)
}

var upsertSituation = upsertOf("container_id", situationColumns[1:])

// upsertOf returns an "on conflict" clause that replaces all columns.
func upsertOf(key string, columns []string) string {
	set := "\non conflict (" + key + ") do update set "
	for i, name := range columns {
		if i > 0 {
			set += ", "
		}
		set += name + " = excluded." + name
	}
	return set
}

// instant returns a time at a place as an argument. If its instant is unknown, it is the beginning
// of its day, in UTC.
func (t *Tx) instant(at terminal49.Time) any {
	instant, known := at.Instant()
	if day, has := at.Date(); !known && has {
		instant = time.Date(day.Year, day.Month, day.Day, 0, 0, 0, 0, time.UTC)
	}
	return t.time(instant)
}

// dayColumn returns the day of a time at its place, or in UTC if that is unknown; "" for none.
func dayColumn(at terminal49.Time) string {
	if at.IsZero() {
		return ""
	}
	if day, known := at.Date(); known {
		return day.String()
	}
	instant, _ := at.Instant()
	return terminal49.DateOf(instant).String()
}

// Assessed takes containers from the queue, and deletes the rows of those that are not there any
// more.
func (t *Tx) Assessed(ctx context.Context, ids, gone []string) error {
	if len(gone) > 0 {
		if _, err := t.exec(ctx, "delete from t49.situations where container_id"+t.db.oneOfListed(), string(model.Encode(gone))); err != nil {
			return err
		}
	}
	_, err := t.exec(ctx, "delete from t49.unassessed where kind = 'container' and id"+t.db.oneOfListed(), string(model.Encode(ids)))
	return err
}

// Readable returns the containers of which all JSON can be read.
func (t *Tx) Readable(ctx context.Context, ids []string) (all []*terminal49.Container, err error) {
	all, err = t.Containers(ctx, ids)
	if !errors.As(err, new(damagedRow)) {
		return all, err
	}
	if len(ids) == 1 {
		t.db.log.Warn("the JSON of a container, or of what belongs to it, is damaged, so it is not assessed; repair reads it again",
			slog.String("id", ids[0]), slog.Any("error", err))
		return nil, nil
	}
	half := len(ids) / 2
	first, err := t.Readable(ctx, ids[:half])
	if err != nil {
		return nil, err
	}
	second, err := t.Readable(ctx, ids[half:])
	return append(first, second...), err
}
