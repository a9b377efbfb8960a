package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Unconfirmed is a row that the service does not show, and that is not proven to be deleted. It
// waits until the service shows it, or proves with two 404s that it is gone, or the user calls
// [Mirror.ConfirmDeletions].
type Unconfirmed struct {
	Ref
	List   string `json:"list"`   // such as "containers"
	Reason string `json:"reason"` // "none listed", "none readable" or "no 404"
	Answer string `json:"answer"` // to the latest read by id, such as "404" or "another resource"; "" for none
}

// Unconfirmed returns the rows that wait for a confirmation, by list and id. It sends nothing to
// the service.
//
// Errors: those of the database.
func (m *Mirror) Unconfirmed(ctx context.Context) ([]Unconfirmed, error) {
	if err := m.db.Ready(ctx); err != nil {
		return nil, err
	}
	rows, err := m.db.Unconfirmed(ctx)
	all := make([]Unconfirmed, len(rows))
	for i, r := range rows {
		all[i] = Unconfirmed{Ref(r.Ref), r.List, string(r.Reason), string(r.Answer)}
	}
	return all, m.db.Explain(err)
}

// UnconfirmedError is returned by [Mirror.Reconcile] if rows wait for a confirmation. All its work
// is done nevertheless.
type UnconfirmedError struct {
	Rows     map[string]int // by list, such as "containers"
	problems []error
}

// Error returns for each list how many rows wait, for what, and the command that ends it.
func (e *UnconfirmedError) Error() string { return errors.Join(e.problems...).Error() }

// unconfirmed returns an *UnconfirmedError if rows wait.
func (m *Mirror) unconfirmed(ctx context.Context) error {
	rows, err := m.db.Unconfirmed(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	e := &UnconfirmedError{Rows: map[string]int{}}
	reasons := map[string]plan.Reason{}
	for _, r := range rows {
		e.Rows[r.List]++
		reasons[r.List] = r.Reason
	}
	for _, list := range slices.Sorted(maps.Keys(reasons)) {
		e.problems = append(e.problems, fmt.Errorf("%s: %s", list, plan.Waiting{List: list, Reason: reasons[list], Rows: e.Rows[list]}))
	}
	return e
}

// ErrNotConfirmed means that a confirmation was refused, and nothing was deleted. The error that
// wraps it says why.
var ErrNotConfirmed = errors.New("mirror: nothing was deleted")

func notConfirmed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNotConfirmed, fmt.Sprintf(format, args...))
}

// ConfirmDeletions deletes rows whose resources are gone, although the service does not prove it.
// It reads each resource by id first. A row that the latest walk over its list or that read shows
// is never deleted: then the call deletes nothing. A mirror that runs on the same database waits
// meanwhile; a resource that the service shows again later is stored again.
//
// Errors: [ErrNotConfirmed]; [ErrOtherAccount]; *terminal49.ArgumentError for a Ref without a table
// or id; those of the service and of the database.
func (m *Mirror) ConfirmDeletions(ctx context.Context, all ...Ref) error {
	refs, err := m.refsOf("ConfirmDeletions", all)
	if err != nil {
		return err
	}
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	for _, what := range refs {
		if err := m.mayConfirm(ctx, what); err != nil {
			return m.db.Explain(err)
		}
	}
	return m.db.Explain(m.confirm(ctx, refs))
}

// ConfirmList is [Mirror.ConfirmDeletions] for all rows of a list that [Mirror.Unconfirmed]
// returns. rows is how many that are, so that no more are deleted than the user has seen. list is a
// name such as "containers".
//
// Errors: those of [Mirror.ConfirmDeletions]; *terminal49.ArgumentError for an unknown list.
func (m *Mirror) ConfirmList(ctx context.Context, list string, rows int) error {
	if plan.ListNamed(list) == nil {
		return &terminal49.ArgumentError{Op: "mirror.ConfirmList", Field: "list", Problem: "must be the name of a list, such as containers"}
	}
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	waiting, err := m.db.Unconfirmed(ctx)
	if err != nil {
		return m.db.Explain(err)
	}
	var refs []model.Ref
	for _, row := range waiting {
		if row.List == list {
			refs = append(refs, row.Ref)
		}
	}
	switch {
	case len(refs) == 0:
		return notConfirmed("no row of %s waits for a confirmation", list)
	case len(refs) != rows:
		return notConfirmed("%s of %s wait for a confirmation, not %d; look at them again", plan.Rows(len(refs)), list, rows)
	}
	return m.db.Explain(m.confirm(ctx, refs))
}

// refsOf checks the arguments of a method. The name of a list, such as containers, means its type.
func (m *Mirror) refsOf(method string, all []Ref) ([]model.Ref, error) {
	refs := make([]model.Ref, len(all))
	for i, what := range all {
		if list := plan.ListNamed(what.Type); list != nil {
			what.Type = list.Kind
		}
		if !model.IsKept(what.Type) || what.ID == "" {
			return nil, &terminal49.ArgumentError{Op: "mirror." + method, Field: "all", Problem: "must have the type of a table, such as shipment, and an id"}
		}
		if err := checkText(method, "Ref.ID", what.ID); err != nil {
			return nil, err
		}
		refs[i] = model.Ref(what)
	}
	return refs, nil
}

// mayConfirm refuses a row that is not there, or that the service has shown.
func (m *Mirror) mayConfirm(ctx context.Context, what model.Ref) error {
	presence, err := m.db.PresenceOf(ctx, what)
	switch {
	case err != nil:
		return err
	case model.Kinds[what.Type].Path == "":
		return notConfirmed("a %s cannot be read by id", what.Type)
	case presence == store.NoRow:
		return notConfirmed("there is no row of %s %s", what.Type, what.ID)
	case presence == store.Gone:
		return notConfirmed("%s %s is deleted already", what.Type, what.ID)
	case presence == store.Shown:
		return notConfirmed("the service still shows %s %s in a list", what.Type, what.ID)
	case presence == store.Unwalked:
		return notConfirmed("no walk over everything has ended yet, so it is unknown whether %s %s is gone", what.Type, what.ID)
	}
	return nil
}

// confirm reads resources, and deletes their rows unless the service has one of them.
func (m *Mirror) confirm(ctx context.Context, refs []model.Ref) error {
	service, err := m.ownService(ctx)
	if err != nil {
		return err
	}
	fails, err := m.failing(ctx)
	if err != nil {
		return err
	}
	c := confirmation{m: m, gone: map[string][]model.Ref{}}
	for _, what := range refs {
		list, r, err := service.Resource(ctx, what, terminal49.WithRateLimitShare(m.opts.Share))
		switch answer, _ := worker.Answered(what, list, err); {
		case answer == plan.Failed && !fails[what]:
			return fmt.Errorf("mirror.ConfirmDeletions: %s %s: %w", what.Type, what.ID, err)
		case answer == plan.StillThere:
			c.found = append(c.found, what)
			c.pages = append(c.pages, reading{r, list})
		default:
			c.gone[what.Type] = append(c.gone[what.Type], what)
		}
	}
	if err := c.write(ctx); err != nil {
		return err
	}
	if len(c.found) > 0 {
		return notConfirmed("the service has %d of the %d, such as %s %s", len(c.found), len(refs), c.found[0].Type, c.found[0].ID)
	}
	return nil
}

// failing returns the rows that wait because reads of them have failed in several walks.
func (m *Mirror) failing(ctx context.Context) (map[model.Ref]bool, error) {
	rows, err := m.db.Unconfirmed(ctx)
	fails := map[model.Ref]bool{}
	for _, row := range rows {
		fails[row.Ref] = row.Answer == plan.Fails
	}
	return fails, err
}

// ownService returns the service for a call outside of Run. It refuses the token of another
// account.
func (m *Mirror) ownService(ctx context.Context) (*worker.Service, error) {
	service := &worker.Service{Client: m.client, Store: m.db}
	account, err := service.Account(ctx)
	if err != nil {
		return nil, err
	}
	return service, m.db.IsAccount(ctx, account)
}

// confirmation is what the service answered for rows to be confirmed.
type confirmation struct {
	m     *Mirror
	gone  map[string][]model.Ref // by type
	found []model.Ref            // what the service has nevertheless
	pages []reading              // that showed it
}

// reading is a response of the service.
type reading struct {
	plan.Reading
	list []*model.Resource
}

// write deletes the rows, or stores what the service has nevertheless.
func (c *confirmation) write(ctx context.Context) error {
	since := map[string]int64{}
	for kind := range c.gone {
		var err error
		if since[kind], err = c.m.db.ConfirmableSince(ctx, kind); err != nil {
			return err
		}
	}
	return c.m.alone(ctx, func(ctx context.Context, l *store.Lease) error {
		return c.m.db.Apply(ctx, l, "confirm", func(t *store.Tx) error {
			if len(c.found) > 0 {
				return c.store(ctx, t)
			}
			return c.delete(ctx, t, since)
		})
	})
}

// store stores what the service has. It no longer waits.
func (c *confirmation) store(ctx context.Context, t *store.Tx) error {
	for _, r := range c.pages {
		if err := t.WriteAll(ctx, r.Reading, &model.Document{Data: r.list}); err != nil {
			return err
		}
	}
	return c.settle(ctx, t)
}

// delete deletes the rows, unless a reading has shown one of them since the latest whole walk.
func (c *confirmation) delete(ctx context.Context, t *store.Tx, since map[string]int64) error {
	c.found = nil
	for kind, refs := range c.gone {
		shown, err := t.ShownAfter(ctx, kind, since[kind], refs)
		if err != nil {
			return err
		}
		c.found = append(c.found, shown...)
	}
	for _, refs := range c.gone {
		if len(c.found) > 0 {
			break
		}
		if err := t.Confirm(ctx, refs); err != nil {
			return err
		}
	}
	return c.settle(ctx, t)
}

// settle notes which rows still wait.
func (c *confirmation) settle(ctx context.Context, t *store.Tx) error {
	if err := t.NoteFound(ctx, c.found...); err != nil {
		return err
	}
	kinds := map[string]bool{}
	for _, what := range c.found {
		kinds[what.Type] = true
	}
	for kind := range c.gone {
		kinds[kind] = true
	}
	for kind := range kinds {
		if err := t.NoteWaiting(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}
