package worker

import (
	"cmp"
	"context"
	"log/slog"
	"sync"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	MostMissing  = 2000 // rows that a walk reads by id; the next walks read the others
	missingBatch = 20   // rows that are read before a control
	mostControls = 3    // rows that are tried as a control: one may be deleted just now
)

// missing is what a walk does about the rows that it did not show; see package plan for the rule.
type missing struct {
	walk     *walker
	since    int64 // what was shown after this ticket counts as shown
	listing  plan.Listing
	reason   plan.Reason
	found    int         // rows that the list did not show, and the service has
	works    int64       // what readings up to this ticket have shown is known; 0 if the list did not work
	controls []model.Ref // rows that the list shows
}

// read reads the rows that the walk did not show, by id, and finds out whether the list works.
func (m *missing) read(ctx context.Context) error {
	refs, err := m.unseen(ctx)
	if err != nil {
		return err
	}
	if len(refs) > 0 {
		m.walk.turn.log.Info("reading the rows that the list did not show", slog.String("scope", m.walk.list.Name), slog.Int("rows", len(refs)))
	}
	for len(refs) > 0 && m.reason != plan.ReasonByID {
		some := refs[:min(len(refs), missingBatch)]
		refs = refs[len(some):]
		if err := m.readSome(ctx, some); err != nil {
			return err
		}
	}
	return m.trust(ctx)
}

// trust makes known what readings have shown. If the list has rows that were not known, a control
// must be readable first: a walk may begin with one account and end with another, and then shows
// rows of both.
func (m *missing) trust(ctx context.Context) error {
	if m.reason != plan.NoReason {
		return nil
	}
	works, err := m.walk.turn.db.KnownAfter(ctx, m.walk.list, m.listing.Known == 0)
	if err == nil && m.listing.Known > 0 && m.listing.Fresh > 0 {
		err = m.control(ctx)
	}
	if err == nil && m.reason == plan.NoReason {
		m.works = works
	}
	return err
}

// unseen returns the rows to be read, and finds out what a 404 for them means.
func (m *missing) unseen(ctx context.Context) (refs []model.Ref, err error) {
	db, list := m.walk.turn.db, m.walk.list
	if m.since, err = db.ShownSince(ctx, list, m.walk.state.ID); err != nil {
		return nil, err
	}
	if m.listing, err = db.Listing(ctx, list, m.since); err != nil {
		return nil, err
	}
	if m.controls, err = db.Controls(ctx, list, m.since, 10*mostControls); err != nil {
		return nil, err
	}
	switch m.listing.Finding() {
	case plan.Complete, plan.TooEarly:
		return nil, nil
	case plan.NoneListed:
		m.reason = plan.ReasonList
		m.walk.turn.log.Error("the list shows none of the rows that it had, so none is deleted; check the account and the service",
			slog.String("scope", list.Name), slog.Int("rows", m.listing.Unseen))
	}
	return db.UnseenRows(ctx, list, m.since, MostMissing)
}

// readSome reads some rows, then a control if the service did not show one of them, and writes what
// that means.
func (m *missing) readSome(ctx context.Context, refs []model.Ref) error {
	all, err := m.readAll(ctx, refs)
	if err != nil || len(all) == 0 {
		return err
	}
	if m.reason == plan.NoReason {
		if err := m.control(ctx); err != nil {
			return err
		}
	}
	return m.walk.turn.write(ctx, "missing", func(tx *store.Tx) error {
		return tx.NoteRead(ctx, m.walk.state.ID, m.reason == plan.NoReason, all...)
	})
}

// readAll reads rows side by side, and returns those that the service does not show.
func (m *missing) readAll(ctx context.Context, refs []model.Ref) (all []store.ReadByID, err error) {
	var mu sync.Mutex
	err = each(ctx, pollsAhead, refs, func(ctx context.Context, what model.Ref) error {
		read, err := m.readOne(ctx, what)
		mu.Lock()
		defer mu.Unlock()
		if read.Answer == plan.StillThere {
			m.found++
		} else {
			all = append(all, read)
		}
		return err
	})
	return all, err
}

// readOne reads a row, and writes the response if there is anything in it.
func (m *missing) readOne(ctx context.Context, what model.Ref) (store.ReadByID, error) {
	turn := m.walk.turn
	list, r, err := m.walk.service.Resource(ctx, what, terminal49.WithRateLimitShare(m.walk.opts.Share))
	if turn.isOver(ctx, err) {
		return store.ReadByID{}, err
	}
	answer, again := Answered(what, list, err)
	read := store.ReadByID{Ref: what, Reading: r, Answer: answer}
	if again != nil || len(list) == 0 {
		return read, again
	}
	return read, turn.write(ctx, "missing", func(tx *store.Tx) error {
		if answer == plan.StillThere {
			if err := tx.NoteFound(ctx, what); err != nil {
				return err
			}
		}
		return tx.WriteAll(ctx, r, &model.Document{Data: list})
	})
}

// control reads rows that the list shows, until the service shows one. If it does not, no 404
// counts, and the rows wait.
func (m *missing) control(ctx context.Context) error {
	for range min(mostControls, len(m.controls)) {
		read, err := m.readOne(ctx, m.controls[0])
		if err != nil || plan.Control(read.Answer) {
			return err
		}
		m.controls = append(m.controls[1:], m.controls[0])
	}
	m.reason = plan.ReasonByID
	m.walk.turn.log.Error("reads by id fail even for rows that the list shows, so none is deleted", slog.String("scope", m.walk.list.Name))
	return nil
}

// settle writes which rows wait, and returns the problem of the walk; "" if there is none.
func (m *missing) settle(ctx context.Context, tx *store.Tx) (string, error) {
	waiting, err := tx.SettleMissing(ctx, m.walk.list, m.since, m.works, m.reason)
	return cmp.Or(waiting.String(), m.listing.Problem(m.found)), err
}
