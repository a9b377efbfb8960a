package store

import (
	"context"
	"slices"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// Facts merges the facts of a notification: events, estimates and changesets. Others are left out.
// Copies of a fact result in the same row in any order, as long as they do not contradict each
// other.
func (t *Tx) Facts(ctx context.Context, list []*model.Resource) error {
	others := func(res *model.Resource) bool { return !model.IsFact(res.Type) }
	return t.Write(ctx, plan.Reading{Source: "notification"}, slices.DeleteFunc(slices.Clone(list), others))
}
