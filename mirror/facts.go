package mirror

import (
	"context"
	"slices"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// facts merges facts that a notification has: events, estimates and changesets. Others are left
// out. Copies of a fact that agree in what they mention give the same row in any order.
func (t *tx) facts(ctx context.Context, list []*model.Resource) error {
	others := func(res *model.Resource) bool { return !model.IsFact(res.Type) }
	return t.write(ctx, reading{source: "notification"}, slices.DeleteFunc(slices.Clone(list), others))
}

// join adds what a copy of a fact says besides to a row whose reading is not older.
func (w *writer) join(s *step, res, was *model.Resource, k kept) {
	joined := model.JoinFacts(was, res, k.ticket == 0)
	if joined == was {
		s.late = append(s.late, res)
		return
	}
	changed := w.differs(joined, was, k, model.Compare(was, joined))
	sum := k.digest
	if k.ticket == 0 {
		joined = model.PlainFact(joined)
		sum = model.Digest(joined.Raw)
	}
	s.rows = append(s.rows, written{joined, res, sum, k.ticket, max(w.r.until, k.until), w.changedAt(k, changed)})
}
