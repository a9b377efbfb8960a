package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Retention is how long what grows is kept. Zero is for ever.
type Retention struct {
	Changes, Inbox, Facts time.Duration
}

// pruner deletes what is older than it is to be kept, in short transactions.
type pruner struct {
	turn *turn
	keep Retention
}

// prune prunes, if it is due.
func (p *pruner) prune(ctx context.Context) error {
	var may bool
	err := p.turn.write(ctx, "prune begin", func(tx *store.Tx) (err error) {
		may, err = tx.MayPrune(ctx)
		return err
	})
	if err != nil || !may {
		return err
	}
	if err := p.repeat(ctx, "changes", p.keep.Changes, (*store.Tx).PruneChanges); err != nil {
		return err
	}
	if err := p.repeat(ctx, "notifications", p.keep.Inbox, (*store.Tx).PruneInbox); err != nil {
		return err
	}
	return p.facts(ctx)
}

// repeat prunes batches until there is nothing left to prune.
func (p *pruner) repeat(ctx context.Context, what string, keep time.Duration, batch func(*store.Tx, context.Context, time.Time) (int64, error)) error {
	if keep == 0 {
		return nil
	}
	var total int64
	for more := true; more && ctx.Err() == nil; {
		err := p.turn.write(ctx, "prune", func(tx *store.Tx) error {
			n, err := batch(tx, ctx, tx.Now.Add(-keep))
			more = n > 0
			total += n
			return err
		})
		if err != nil {
			return err
		}
	}
	p.report(what, total)
	return nil
}

// facts prunes facts that only notifications contain. They are looked for outside of transactions,
// because there is no index on their age.
func (p *pruner) facts(ctx context.Context) error {
	if p.keep.Facts == 0 {
		return nil
	}
	before := p.turn.db.Now().Add(-p.keep.Facts)
	for _, in := range store.NotifiedTables {
		var total int64
		for ctx.Err() == nil {
			ids, err := p.turn.db.OldFacts(ctx, in, before)
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				break
			}
			total += int64(len(ids))
			if err := p.turn.write(ctx, "prune", func(tx *store.Tx) error { return tx.DeleteFacts(ctx, in, ids, before) }); err != nil {
				return err
			}
		}
		p.report(in.Name, total)
	}
	return nil
}

func (p *pruner) report(what string, n int64) {
	if n > 0 {
		p.turn.log.Info("old rows were deleted", slog.String("of", what), slog.Int64("rows", n))
	}
}
