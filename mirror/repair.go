package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Outcome is what [Mirror.Repair] did for a resource.
type Outcome string

// The outcomes of a repair.
const (
	Written    Outcome = "written"    // the row differed, or there was none
	Unchanged  Outcome = "unchanged"  // the row was equal to what the service sent
	NotFound   Outcome = "not_found"  // the service answered 404; the row stays, and walks decide
	NotShown   Outcome = "not_shown"  // the response did not have the resource; the row stays
	Unreadable Outcome = "unreadable" // the service has no operation that reads it; the row stays
	Forgotten  Outcome = "forgotten"  // [Mirror.Forget] has removed it for good
)

// Repaired is a resource that [Mirror.Repair] has read.
type Repaired struct {
	Ref
	Outcome Outcome `json:"outcome"`
}

// String returns what was done, in one line.
func (r Repaired) String() string {
	text := map[Outcome]string{
		Written: "written", Unchanged: "unchanged: the row is as the service sent it",
		NotFound: "the service has no such resource (404); the row stays until a walk proves that it is gone",
		NotShown: "the service answered without the resource; the row stays", Unreadable: "the service cannot be asked for it; the row stays",
		Forgotten: "it was forgotten, and is not stored again",
	}
	return fmt.Sprintf("%s %s: %s", r.Type, r.ID, text[r.Outcome])
}

// Repair reads resources again by id, and writes their rows whole, whatever the digests are: raw
// JSON, columns and digest. Use it for what [Mirror.Verify] finds. [Mirror.Changes] gets what the
// service has changed, and not the damage. A Ref without a Type means the only row with that ID. A
// mirror that runs on the same database waits meanwhile. If it fails, what was repaired before is
// returned too.
//
// Errors: [ErrOtherAccount]; *terminal49.ArgumentError for an unknown type, and for an id without a
// type that no row or several rows have, or that is not text; those of the service and of the
// database.
func (m *Mirror) Repair(ctx context.Context, all ...Ref) ([]Repaired, error) {
	if err := m.Migrate(ctx); err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	for i, what := range all {
		if what.Type == "" {
			var err error
			if all[i], err = m.refOf(ctx, what.ID); err != nil {
				return nil, err
			}
		}
	}
	refs, err := m.refsOf("Repair", all)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	service, err := m.ownService(ctx)
	if err != nil {
		return nil, err
	}
	var done []Repaired
	for _, what := range refs {
		outcome, err := m.repair(ctx, service, what)
		if err != nil {
			return done, fmt.Errorf("mirror.Repair: %s %s: %w", what.Type, what.ID, err)
		}
		done = append(done, Repaired{Ref(what), outcome})
	}
	return done, nil
}

// refOf returns the only row that has an id.
func (m *Mirror) refOf(ctx context.Context, id string) (Ref, error) {
	if err := checkText("Repair", "Ref.ID", id); err != nil {
		return Ref{}, err
	}
	types, err := m.db.TypesOf(ctx, id)
	if err == nil && len(types) != 1 {
		problem := "must have a type: no row has the id " + id
		if len(types) > 1 {
			problem = "must have a type: rows of " + strings.Join(types, " and ") + " have the id " + id
		}
		err = &terminal49.ArgumentError{Op: "mirror.Repair", Field: "all", Problem: problem}
	}
	if err != nil {
		return Ref{}, err
	}
	return Ref{Type: types[0], ID: id}, nil
}

// repair reads one resource, and writes its row.
func (m *Mirror) repair(ctx context.Context, service *worker.Service, what model.Ref) (Outcome, error) {
	forgotten, err := m.db.IsForgotten(ctx, what)
	if err != nil || forgotten {
		return Forgotten, err
	}
	read := what
	if model.IsFact(what.Type) {
		if read, err = m.db.OwnerOf(ctx, what); err != nil || read == (model.Ref{}) {
			return Unreadable, err
		}
	}
	var outcome Outcome
	err = m.alone(ctx, func(ctx context.Context, l *store.Lease) error { // so that no other reading is stored meanwhile
		list, r, err := service.Resource(ctx, read)
		switch {
		case worker.IsMissing(err):
			outcome = NotFound
			return nil
		case err != nil:
			return err
		case model.Find(list, what) == nil:
			outcome = NotShown
			return nil
		}
		return m.db.Apply(ctx, l, "repair", func(t *store.Tx) error {
			different, err := t.Repair(ctx, r, list, what)
			outcome = Unchanged
			if different {
				outcome = Written
			}
			return err
		})
	})
	return outcome, err
}
