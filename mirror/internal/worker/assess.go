package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/notice"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/worklist"
)

// assessor keeps the situations of containers current, and appends their notices to the feed.
type assessor struct {
	turn  *turn
	rules notice.Rules
	begun bool // the version of the rules was compared in this turn
}

const (
	mostAssessed = 300   // containers in a transaction
	mostTaken    = 5_000 // containers that are taken from the queue at a time: in Postgres it may be sorted for that
)

// Round assesses what was written since the last round, and what is due by the clock.
func (a *assessor) Round(ctx context.Context) error {
	if err := a.begin(ctx); err != nil {
		return err
	}
	var taken []string
	for ctx.Err() == nil {
		if len(taken) == 0 {
			has, err := a.turn.db.HasUnassessed(ctx, a.turn.db.Now())
			if err != nil || !has {
				return err
			}
		}
		var rest []string
		err := a.turn.write(ctx, "situations", func(tx *store.Tx) (err error) {
			rest, err = a.batch(ctx, tx, taken)
			return err
		})
		if err != nil {
			return err
		}
		taken = rest
	}
	return nil
}

// begin queues all containers if other rules made their situations, their records have something
// else, or other numbers decided their notices.
func (a *assessor) begin(ctx context.Context) error {
	if a.begun {
		return nil
	}
	are := map[string]string{
		store.CursorRules: strconv.Itoa(terminal49.RulesVersion), store.CursorRecords: strconv.Itoa(worklist.RecordVersion),
		store.CursorNotices: string(model.Encode(a.rules)),
	}
	same := true
	for name, value := range are {
		made, err := a.turn.db.Cursor(ctx, name)
		if err != nil {
			return err
		}
		same = same && made == value
	}
	if !same {
		if err := a.turn.write(ctx, "situations begin", func(tx *store.Tx) error { return a.queueAll(ctx, tx, are) }); err != nil {
			return err
		}
	}
	a.begun = true
	return nil
}

func (a *assessor) queueAll(ctx context.Context, tx *store.Tx, cursors map[string]string) error {
	for name, value := range cursors {
		if err := tx.Note(ctx, name, value); err != nil {
			return err
		}
	}
	return tx.EnqueueAll(ctx)
}

// batch assesses the first of the containers that were taken from the queue, or takes others if
// there are none. It returns the rest.
func (a *assessor) batch(ctx context.Context, tx *store.Tx, taken []string) (rest []string, err error) {
	if len(taken) == 0 {
		if taken, err = tx.Unassessed(ctx, mostTaken); err != nil || len(taken) == 0 {
			return nil, err
		}
	}
	n := min(len(taken), mostAssessed)
	return taken[n:], a.assessSome(ctx, tx, taken[:n])
}

// assessSome assesses containers, and stores what is different from before.
func (a *assessor) assessSome(ctx context.Context, tx *store.Tx, ids []string) error {
	stored, err := tx.Situations(ctx, ids)
	if err != nil {
		return err
	}
	containers, err := tx.Readable(ctx, ids)
	if err != nil {
		return err
	}
	all := a.assessAll(containers, stored, tx.Now)
	if err := a.store(ctx, tx, all); err != nil {
		return err
	}
	return tx.Assessed(ctx, ids, without(ids, containers))
}

// without returns the ids that no container has.
func without(ids []string, containers []*terminal49.Container) (rest []string) {
	has := make(map[string]bool, len(containers))
	for _, c := range containers {
		has[c.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return has[id] })
}

// assessed is a container's situation, and its new notices.
type assessed struct {
	store.Situation
	notices   []store.Notice
	different bool
	err       error
}

// assessAll assesses containers, on all processors.
func (a *assessor) assessAll(containers []*terminal49.Container, stored map[string]store.Situation, now time.Time) []assessed {
	all, places := make([]assessed, len(containers)), make([]int, len(containers))
	for i := range places {
		places[i] = i
	}
	_ = each(context.Background(), runtime.GOMAXPROCS(0), places, func(_ context.Context, i int) error {
		all[i] = a.assess(containers[i], stored[containers[i].ID], now)
		return nil
	})
	return all
}

// assess returns the situation of a container now.
func (a *assessor) assess(c *terminal49.Container, before store.Situation, now time.Time) (next assessed) {
	v := terminal49.Assess(c, now, a.rules.VerdictOptions())
	record := worklist.NewRecord(c, &v)
	next.Situation = store.Situation{
		Standing: record.Standing, Facts: model.Encode(record.Facts), Brief: record.Brief(), Holds: len(record.Facts.Holds), Owes: v.Fees.Owes(),
		Reported: before.Reported, Due: before.Due,
	}
	next.err = a.report(&next, c, v, now)
	next.different = next.Standing != before.Standing || next.Brief != before.Brief || !next.Due.Equal(before.Due) ||
		!model.Same(next.Facts, before.Facts) || !model.Same(next.Reported, before.Reported)
	return next
}

// report sets the notices of a container, and when the next ones may be due.
func (a *assessor) report(next *assessed, c *terminal49.Container, v terminal49.Verdict, now time.Time) error {
	var reported *notice.Reported
	if next.Reported != nil {
		reported = new(notice.Reported)
		if err := json.Unmarshal(next.Reported, reported); err != nil {
			next.Due = time.Time{}
			return err
		}
	}
	notices, after, due := a.rules.Next(reported, c, v, now)
	for _, n := range notices {
		old, new, err := n.JSON()
		if err != nil {
			return err
		}
		next.notices = append(next.notices, store.Notice{ContainerID: n.ContainerID, Name: n.Name, Old: old, New: new})
	}
	next.Due = due
	data, err := json.Marshal(after)
	if err == nil {
		next.Reported = data
	}
	return err
}

// store writes the situations that differ, with their notices.
func (a *assessor) store(ctx context.Context, tx *store.Tx, all []assessed) error {
	var different []store.Situation
	var notices []store.Notice
	for _, one := range all {
		if one.err != nil {
			a.turn.log.Warn("the notices of a container could not be made", slog.String("id", one.Standing.ContainerID), slog.Any("error", one.err))
		}
		if one.different {
			different = append(different, one.Situation)
		}
		notices = append(notices, one.notices...)
	}
	if err := tx.StoreSituations(ctx, different); err != nil {
		return err
	}
	return tx.Report(ctx, notices)
}
