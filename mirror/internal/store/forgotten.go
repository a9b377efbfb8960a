package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// belongings lists, for each type, the tables of resources that belong to it and the columns that
// refer to it.
var belongings = map[string][][2]string{
	"shipment": {
		{"containers", "shipment_id"}, {"tracking_requests", "shipment_id"}, {"transport_events", "shipment_id"},
		{"estimates", "shipment_id"}, {"container_events", "shipment_id"}, {"custom_fields", "entity_id"},
	},
	"container":        {{"transport_events", "container_id"}, {"container_events", "container_id"}, {"custom_fields", "entity_id"}},
	"tracking_request": {{"custom_fields", "entity_id"}},
}

// Forget removes resources and what belongs to them.
func (t *Tx) Forget(ctx context.Context, all ...model.Ref) error {
	var gone []change
	for i := 0; i < len(all); i++ { // all grows
		more, err := t.belongings(ctx, all[i])
		if err != nil {
			return err
		}
		all = append(all, more...)
		has, err := t.forgetOne(ctx, all[i])
		if err != nil {
			return err
		}
		if has {
			gone = append(gone, change{Kind: all[i].Type, ID: all[i].ID, Attribute: "id", Old: model.Encode(all[i].ID), Source: sourceForget})
		}
	}
	for _, what := range all {
		delete(t.touched, what)
	}
	if err := t.forgetBodies(ctx, all); err != nil {
		return err
	}
	if err := t.dropAllPages(ctx); err != nil {
		return err
	}
	return t.record(ctx, gone)
}

// belongings returns the resources that belong to another.
func (t *Tx) belongings(ctx context.Context, to model.Ref) (all []model.Ref, err error) {
	for _, in := range belongings[to.Type] {
		some, err := t.refs(ctx, "select type, id from t49."+in[0]+" where "+in[1]+" = $1 order by id", to.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// refs reads types and ids.
func (t *Tx) refs(ctx context.Context, statement string, args ...any) ([]model.Ref, error) {
	rows, err := t.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return scanRefs(rows)
}

// scanRefs reads types and ids, and closes rows.
func scanRefs(rows *sql.Rows) (all []model.Ref, err error) {
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var one model.Ref
		if err := rows.Scan(&one.Type, &one.ID); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// forgetOne removes one resource, and reports whether there was a row.
func (t *Tx) forgetOne(ctx context.Context, what model.Ref) (bool, error) {
	t.forgets = true
	err := t.leaves(ctx, what)
	if err != nil {
		return false, err
	}
	_, err = t.exec(ctx, "insert into t49.forgotten (kind, id, at) values ($1, $2, $3) on conflict (kind, id) do nothing", what.Type, what.ID, t.time(t.Now))
	for _, table := range []string{"dirty", "missing", "unassessed"} {
		if err == nil {
			_, err = t.exec(ctx, "delete from t49."+table+" where kind = $1 and id = $2", what.Type, what.ID)
		}
	}
	if err == nil {
		_, err = t.exec(ctx, "update t49.changes set "+emptied+", source = $3 where kind in ($1, $4) and id = $2 and source <> $3",
			what.Type, what.ID, sourceForget, noticesOf(what))
	}
	if err == nil {
		err = t.forgetDeliveries(ctx, what)
	}
	for _, p := range schema.PeriodTables {
		if err == nil && what.Type == "container" {
			_, err = t.exec(ctx, "delete from t49."+p.Table+" where container_id = $1", what.ID)
		}
	}
	if err != nil {
		return false, err
	}
	n, err := t.exec(ctx, "delete from t49."+schema.TableOf(what.Type).Name+" where id = $1", what.ID)
	return n > 0, err
}

// noticesOf returns the kind of the changes that are notices about a resource; its own if there are
// none.
func noticesOf(what model.Ref) string {
	if what.Type == "container" {
		return model.KindNotice
	}
	return what.Type
}

// forgetBodies removes the bodies of notifications that contain resources. The notifications stay,
// so that they are not fetched again.
func (t *Tx) forgetBodies(ctx context.Context, all []model.Ref) error {
	contains := "position(convert_to(f.value, 'UTF8') in body) > 0"
	if t.db.Dialect == sqlstore.SQLite {
		contains = "instr(body, cast(f.value as blob)) > 0"
	}
	ids := make([]string, len(all))
	for i, what := range all {
		ids[i] = string(model.Encode(what.ID)) // with its quotation marks
	}
	_, err := t.exec(ctx, `
update t49.inbox set body = null, error = null, state = 'done'
where body is not null and exists (select 1 from jsonb_array_elements_text($1::jsonb) f where `+contains+`)`, string(model.Encode(ids)))
	return err
}

// forgetBody removes the body of a notification that contains a forgotten resource.
func (t *Tx) forgetBody(ctx context.Context, notification string, list []*model.Resource) error {
	wanted, err := t.withoutForgotten(ctx, list)
	if err != nil || len(wanted) == len(list) {
		return err
	}
	_, err = t.exec(ctx, "update t49.inbox set body = null where id = $1", notification)
	return err
}

// withoutForgotten returns the resources that are not forgotten and do not belong to a forgotten
// one.
func (t *Tx) withoutForgotten(ctx context.Context, list []*model.Resource) ([]*model.Resource, error) {
	if !t.forgets {
		return list, nil
	}
	var ids []string
	for _, res := range list {
		for _, what := range model.Owners(res) {
			ids = append(ids, what.ID)
		}
	}
	refs, err := t.refs(ctx, "select kind, id from t49.forgotten where id in (select value from jsonb_array_elements_text($1::jsonb))", string(model.Encode(ids)))
	if err != nil || len(refs) == 0 {
		return list, err
	}
	return slices.DeleteFunc(slices.Clone(list), func(res *model.Resource) bool {
		return slices.ContainsFunc(model.Owners(res), func(what model.Ref) bool { return slices.Contains(refs, what) })
	}), nil
}

// unforgotten returns the resources that are not forgotten.
func (t *Tx) unforgotten(ctx context.Context, all []model.Ref) (left []model.Ref, err error) {
	list := make([]*model.Resource, len(all))
	for i, what := range all {
		list[i] = &model.Resource{Ref: what}
	}
	list, err = t.withoutForgotten(ctx, list)
	for _, res := range list {
		left = append(left, res.Ref)
	}
	return left, err
}
