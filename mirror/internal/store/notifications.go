package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// ApplyRows applies notifications: it stores their facts and included resources that are unknown,
// and marks what they name.
func (t *Tx) ApplyRows(ctx context.Context, settle time.Duration, list ...Notification) error {
	var all []*model.Notification
	states := map[string][]string{}
	for _, row := range list {
		n, err := model.ParseNotification(row.body)
		if err != nil {
			return fmt.Errorf("notification %s: %w", row.ID, err)
		}
		state := StateDone
		if row.body != nil && n.Minimal() {
			state = stateUnresolved
		}
		states[state] = append(states[state], row.ID)
		all = append(all, n)
	}
	for state, ids := range states {
		_, err := t.exec(ctx, "update t49.inbox set state = $1, error = null where id in (select value from jsonb_array_elements_text($2::jsonb))",
			state, string(model.Encode(ids)))
		if err != nil {
			return err
		}
	}
	if err := t.forgetAgain(ctx, list, all); err != nil {
		return err
	}
	return t.TakeNotifications(ctx, settle, all...)
}

// forgetAgain removes the bodies that include a forgotten resource.
func (t *Tx) forgetAgain(ctx context.Context, list []Notification, all []*model.Notification) error {
	var included []*model.Resource
	for _, n := range all {
		included = slices.Concat(included, n.Facts, n.Provisional)
	}
	wanted, err := t.withoutForgotten(ctx, included)
	if err != nil || len(wanted) == len(included) {
		return err // nearly always
	}
	for i, n := range all {
		if err := t.forgetBody(ctx, list[i].ID, slices.Concat(n.Facts, n.Provisional)); err != nil {
			return err
		}
	}
	return nil
}

// TakeNotifications stores what notifications include, and marks what they name.
func (t *Tx) TakeNotifications(ctx context.Context, settle time.Duration, list ...*model.Notification) error {
	var provisional []*model.Resource
	var named []model.Ref
	for _, n := range list {
		provisional, named = append(provisional, n.Provisional...), append(named, n.Named...)
	}
	if err := t.takeFacts(ctx, list); err != nil {
		return err
	}
	if err := t.Write(ctx, plan.Reading{Source: "notification"}, provisional); err != nil {
		return err
	}
	marks, err := t.toMark(ctx, named)
	if err != nil {
		return err
	}
	return t.MarkAll(ctx, t.Now.Add(settle), marks...)
}

// toMark returns the named resources that must be read. Places and companies change rarely, so
// those that were read before are left out.
func (t *Tx) toMark(ctx context.Context, named []model.Ref) (marks []model.Ref, err error) {
	seen := map[model.Ref]bool{}
	var list []model.Ref
	for _, what := range named {
		if !seen[what] {
			list = append(list, what)
		}
		seen[what] = true
	}
	if list, err = t.unforgotten(ctx, list); err != nil {
		return nil, err
	}
	for _, what := range list {
		known := false
		if !model.Kinds[what.Type].Moving {
			if known, err = t.one(ctx, "select 1 from t49."+schema.TableOf(what.Type).Name+" where id = $1 and ticket > 0", []any{what.ID}, new(int)); err != nil {
				return nil, err
			}
		}
		if !known {
			marks = append(marks, what)
		}
	}
	return marks, nil
}

// takeFacts merges the facts of notifications, as many at once as possible: one write must not have
// two copies of a fact.
func (t *Tx) takeFacts(ctx context.Context, list []*model.Notification) error {
	var some []*model.Resource
	seen := map[model.Ref]bool{}
	for _, n := range list {
		if slices.ContainsFunc(n.Facts, func(res *model.Resource) bool { return seen[res.Ref] }) {
			if err := t.Facts(ctx, some); err != nil {
				return err
			}
			some = nil
			clear(seen)
		}
		for _, res := range n.Facts {
			seen[res.Ref] = true
		}
		some = append(some, n.Facts...)
	}
	return t.Facts(ctx, some)
}

// Facts merges the facts of a notification: events, estimates and changesets. It ignores other
// resources. Copies of a fact result in the same row in any order, as long as they do not
// contradict each other.
func (t *Tx) Facts(ctx context.Context, list []*model.Resource) error {
	others := func(res *model.Resource) bool { return !model.IsFact(res.Type) }
	return t.Write(ctx, plan.Reading{Source: "notification"}, slices.DeleteFunc(slices.Clone(list), others))
}
