package store

import (
	"context"
	"iter"
	"maps"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// WriteAll writes the resources of a response, and marks those that it names but does not contain.
func (t *Tx) WriteAll(ctx context.Context, r plan.Reading, doc *model.Document) error {
	list := doc.All()
	if err := t.Write(ctx, r, list); err != nil {
		return err
	}
	return t.MarkNamed(ctx, r, list)
}

// MarkNamed marks resources that others name and no table has, such as places and vessels, which
// are in no list. Resources of a list are left to the first walk over it. Forgotten resources are
// not marked, nor is what they name. If a resource was read by itself and its response lacks a
// resource that it names, it is never marked for that one: another read would lack it, too.
func (t *Tx) MarkNamed(ctx context.Context, r plan.Reading, shown []*model.Resource) error {
	list := shown
	if r.Page.List != nil { // what has not changed names what it did before
		list = t.written
	}
	if len(list) == 0 {
		return nil
	}
	unwalked, err := t.unwalked(ctx)
	if err != nil {
		return err
	}
	if list, err = t.withoutForgotten(ctx, list); err != nil {
		return err
	}
	named := model.NamedBy(list)
	for _, res := range shown {
		delete(named, res.Ref)
	}
	alone := r.Source == "poll"
	maps.DeleteFunc(named, func(_, read model.Ref) bool { return unwalked[read.Type] })
	for in, refs := range byTable(maps.Keys(named)) {
		unknown, err := t.unknown(ctx, in, refs)
		if err != nil {
			return err
		}
		for _, to := range unknown {
			mark := t.markOnce
			if alone && named[to] == shown[0].Ref {
				mark = t.markUnshown
			}
			if err := mark(ctx, named[to], to); err != nil {
				return err
			}
		}
	}
	return nil
}

// byTable groups resources by their table.
func byTable(refs iter.Seq[model.Ref]) map[*schema.Table][]model.Ref {
	groups := map[*schema.Table][]model.Ref{}
	for to := range refs {
		if in := schema.TableOf(to.Type); in != nil {
			groups[in] = append(groups[in], to)
		}
	}
	return groups
}

// unwalked returns the types whose lists no walk has read to the end yet.
func (t *Tx) unwalked(ctx context.Context) (map[string]bool, error) {
	if t.db.walked.Load() {
		return nil, nil
	}
	types := map[string]bool{}
	for _, s := range plan.WholeLists {
		has, err := t.one(ctx, "select 1 from t49.walks where scope = $1 and state = 'done' limit 1", []any{s.Name}, new(int))
		if err != nil {
			return nil, err
		}
		if !has {
			types[s.Kind] = true
		}
	}
	t.db.walked.Store(len(types) == 0)
	return types, nil
}

// mostAtOnce bounds the arguments of a statement.
const mostAtOnce = 500

// unknown returns the resources that are neither in a table nor forgotten.
func (t *Tx) unknown(ctx context.Context, in *schema.Table, refs []model.Ref) (list []model.Ref, err error) {
	for len(refs) > 0 {
		some := refs[:min(len(refs), mostAtOnce)]
		refs = refs[len(some):]
		has, err := t.known(ctx, in, some)
		if err != nil {
			return nil, err
		}
		for _, r := range some {
			if !has[r.ID] {
				list = append(list, r)
			}
		}
	}
	return t.unforgotten(ctx, list)
}

func (t *Tx) known(ctx context.Context, in *schema.Table, refs []model.Ref) (map[string]bool, error) {
	places, args := make([]string, len(refs)), make([]any, len(refs))
	for i, r := range refs {
		places[i], args[i] = "$"+strconv.Itoa(i+1), r.ID
	}
	rows, err := t.query(ctx, "select id from t49."+in.Name+" where id in ("+strings.Join(places, ",")+")", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	has := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		has[id] = true
	}
	return has, rows.Err()
}

// markOnce marks a resource because of another that it names, unless one of the two is already
// marked.
func (t *Tx) markOnce(ctx context.Context, what, named model.Ref) error {
	if marked, err := t.one(ctx, "select 1 from t49.dirty where kind = $1 and id = $2", []any{named.Type, named.ID}, new(int)); marked || err != nil {
		return err
	}
	ticket, err := t.Ticket(ctx)
	if err != nil {
		return err
	}
	return t.InsertMark(ctx, plan.Mark{Ref: what, Ticket: ticket}, t.Now)
}

// markUnshown marks a resource that another names, but lacked when it was read by itself. The mark
// prevents the other from being marked again; a reading that contains the resource removes it.
func (t *Tx) markUnshown(ctx context.Context, _, named model.Ref) error {
	ticket, err := t.Ticket(ctx)
	if err != nil {
		return err
	}
	return t.InsertMark(ctx, plan.Mark{Ref: named, Ticket: ticket, Attempts: 1}, t.Now.Add(AbsentWait))
}

// MarkNew marks shipments that no table has. Their tracking request does not show the containers.
func (t *Tx) MarkNew(ctx context.Context, list []*model.Resource) error {
	var shipments []model.Ref
	for _, r := range list {
		if r.Type == "shipment" {
			shipments = append(shipments, r.Ref)
		}
	}
	unknown, err := t.unknown(ctx, schema.TableOf("shipment"), shipments)
	if err != nil {
		return err
	}
	for _, what := range unknown {
		if err := t.Mark(ctx, what, t.Now); err != nil {
			return err
		}
	}
	return nil
}
