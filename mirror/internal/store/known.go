package store

import (
	"context"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// known is what the database has of what a reading shows, read by one statement.
type known struct {
	rows  map[*schema.Table]map[string]knownRow
	marks []plan.Mark
}

type knownRow struct {
	plan.Row
	missing bool
}

// digestsOf returns the digests of resources, by table and id, each of the one that is stored.
func digestsOf(list []*model.Resource) map[*schema.Table]map[string]string {
	all := map[*schema.Table]map[string]string{}
	for _, in := range schema.Tables {
		all[in] = map[string]string{}
		for _, res := range InTable(in, list) {
			all[in][res.ID] = model.Digest(res.Raw)
		}
	}
	return all
}

// know reads the rows of resources, whose digests are given, and the marks of what the reading is
// about. The JSON of a row is left out if the reading has its digest.
func (w *writer) know(ctx context.Context, digests map[*schema.Table]map[string]string) (*known, error) {
	var parts []string
	var args []any
	raw := "case when t.digest = n.value and t.ticket > 0 and t.deleted_at is null then null else t.raw end"
	if w.r.Repairs != (model.Ref{}) {
		raw = "t.raw"
	}
	for _, in := range schema.Tables {
		if len(digests[in]) > 0 {
			args = append(args, string(model.Encode(digests[in])))
			parts = append(parts, `
select '`+in.Name+`', t.type, t.id, t.digest, t.ticket, t.until, t.deleted_at is not null, t.missing_since is not null, t.changed_at, `+raw+`
from jsonb_each_text(`+parameter(len(args))+`::jsonb) n join t49.`+in.Name+` t on t.id = n.key`)
		}
	}
	args = append(args, string(model.Encode(idsByType(w.read))))
	parts = append(parts, `
select '', d.kind, d.id, '', d.ticket, 0, false, false, d.not_before, null
from jsonb_each(`+parameter(len(args))+`::jsonb) k cross join jsonb_array_elements_text(k.value) i join t49.dirty d on d.kind = k.key and d.id = i.value`)
	return w.scanKnown(ctx, strings.Join(parts, " union all "), args, digests)
}

func (w *writer) scanKnown(ctx context.Context, statement string, args []any, digests map[*schema.Table]map[string]string) (*known, error) {
	rows, err := w.tx.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	all := &known{rows: map[*schema.Table]map[string]knownRow{}}
	for rows.Next() {
		var table string
		var of model.Ref
		var k knownRow
		var at schema.Instant
		if err := rows.Scan(&table, &of.Type, &of.ID, &k.Digest, &k.Ticket, &k.Until, &k.Deleted, &k.missing, &at, (*[]byte)(&k.Raw)); err != nil {
			return nil, err
		}
		if table == "" {
			all.marks = append(all.marks, plan.Mark{Ref: of, Ticket: k.Ticket, NotBefore: at.Time})
			continue
		}
		latest := w.tx.latest(of, span{k.Ticket, k.Until}, w.r)
		k.Ticket, k.Until, k.ChangedAt = latest.ticket, latest.until, at.Time
		in := schema.TableOf(of.Type)
		if of != w.r.Repairs && k.Digest == digests[in][of.ID] && k.Ticket > 0 && !k.Deleted {
			k.Raw = nil // it is left out already, unless the reading repairs another row
		}
		if all.rows[in] == nil {
			all.rows[in] = map[string]knownRow{}
		}
		all.rows[in][of.ID] = k
	}
	return all, rows.Err()
}
