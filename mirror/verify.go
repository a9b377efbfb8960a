package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Difference is a difference between a row and what the service reports. A resource that is only on
// one side differs in the attribute "id", which is nil on the other side. If a column differs from
// the row's own raw JSON, Attribute is its table and name, such as "containers.pickup_lfd", and
// There is the value that [Mirror.Rebuild] would set; "containers.raw" means that raw is damaged.
// [Mirror.Repair] ends any difference of a resource that the service has.
type Difference struct {
	Kind      string          `json:"kind"`      // wire type, such as "container"
	ID        string          `json:"id"`        // of the resource
	Attribute string          `json:"attribute"` // wire name of an attribute or relationship, "id", or table.column
	Here      json.RawMessage `json:"here"`      // in the database; nil for null and for no row
	There     json.RawMessage `json:"there"`     // at the service, or from raw; nil for null and for no resource
}

// String returns the difference in one line.
func (d Difference) String() string {
	switch {
	case d.Attribute == "id" && d.Here == nil:
		return fmt.Sprintf("%s %s: missing here", d.Kind, d.ID)
	case d.Attribute == "id" && d.There == nil:
		return fmt.Sprintf("%s %s: missing there", d.Kind, d.ID)
	case strings.HasSuffix(d.Attribute, ".raw"):
		return fmt.Sprintf("%s %s: %s is damaged", d.Kind, d.ID, d.Attribute)
	case strings.Contains(d.Attribute, "."): // no attribute of the service has a dot
		return fmt.Sprintf("%s %s: %s is %s, and raw gives %s", d.Kind, d.ID, d.Attribute, textOf(d.Here), textOf(d.There))
	}
	return fmt.Sprintf("%s %s: %s is %s here and %s there", d.Kind, d.ID, d.Attribute, textOf(d.Here), textOf(d.There))
}

func textOf(value json.RawMessage) string {
	if value == nil {
		return "null"
	}
	return string(value)
}

// Verify reads everything from the service again, in lists, and yields each difference from the
// tables. It writes nothing, and uses the share of [WithRateLimitShare]. A resource differs only if
// a second read, after twice the time of [WithSettle], still differs from the row. Verify ignores
// members that the service does not send, the times of its own checks, forgotten resources, and
// missing rows that the service does not have. Facts that only notifications contain cannot be read
// again. Columns are compared with the row's own raw JSON, except the times and zones at origin of
// a container, whose zones other rows have, and the mirror's own columns, such as seen_at.
//
// Errors: those of the service and of the database, yielded once, at the end. If the first walk
// over everything has not ended, the error says so, and nothing is read: most rows would be
// missing.
func (m *Mirror) Verify(ctx context.Context) iter.Seq2[Difference, error] {
	return func(yield func(Difference, error) bool) {
		v := &verification{m: m, ctx: ctx, seed: maphash.MakeSeed(), yield: yield}
		if err := v.run(); err != nil && !errors.Is(err, errEnough) {
			yield(Difference{}, m.db.Explain(err))
		}
	}
}

// errEnough means that the loop over the differences has ended.
var errEnough = errors.New("mirror: the loop has ended")

// verification is one run of Verify.
type verification struct {
	m     *Mirror
	ctx   context.Context
	yield func(Difference, error) bool

	seed     maphash.Seed
	unlisted map[*schema.Table]error // whose list the service failed to send
	seen     hashes                  // of what the lists showed, except facts
	yielded  map[uint64]bool         // hashes of the differences: two lists may show a resource
	suspects []suspect
}

// suspect is a resource that differs, or one that no list showed.
type suspect struct {
	model.Ref
	there *model.Resource // nil if no list showed it
	at    time.Time       // when it was read
}

func (v *verification) run() error {
	if err := v.m.db.Ready(v.ctx); err != nil {
		return err
	}
	if err := v.m.firstWalk(v.ctx); err != nil {
		return err
	}
	v.unlisted, v.yielded = map[*schema.Table]error{}, map[uint64]bool{}
	for _, s := range plan.WholeLists {
		err := v.list(s)
		if errors.Is(err, terminal49.ErrServer) { // the others can be verified
			v.unlisted[schema.TableOf(s.Kind)] = fmt.Errorf("mirror.Verify: %s: %w", s.Name, err)
			err = nil
		}
		if err == nil {
			err = v.again()
		}
		if err != nil {
			return err
		}
	}
	v.seen.sort()
	for _, t := range schema.Tables {
		if err := v.stored(t); err != nil {
			return err
		}
	}
	return errors.Join(slices.Collect(maps.Values(v.unlisted))...)
}

// firstWalk returns an error if a list was never walked to its end.
func (m *Mirror) firstWalk(ctx context.Context) error {
	walks, err := m.Walks(ctx)
	if err != nil {
		return err
	}
	s := Status{Walks: walks}
	for _, l := range plan.WholeLists {
		if s.ended(plan.WholeLists[0], l).IsZero() {
			return fmt.Errorf("mirror.Verify: the first walk over %s has not ended, so the copy is not whole: run or run --once ends it, and status shows how far it is", l.Name)
		}
	}
	return nil
}

// list reads the pages of a list and compares their resources with the rows.
func (v *verification) list(s *plan.List) error {
	var before string // ids of the page before; some lists link a page that repeats it
	for size, number, rows := worker.LargestPage, 1, 0; ; number++ {
		doc, err := v.page(s, number, size)
		switch {
		case err != nil && worker.IsTooMuch(err) && size > worker.SmallestPage && v.ctx.Err() == nil:
			size /= 2
			number = rows / size // the next page has the first row that is left
			continue
		case worker.IsRefused(err) && !errors.Is(err, terminal49.ErrUnauthorized):
			v.m.opts.Log.Warn("mirror: a list cannot be verified", slog.String("scope", s.Name), slog.Any("error", err))
			return nil
		case err != nil:
			return err
		}
		if err := v.compare(doc.All()); err != nil {
			return err
		}
		rows += len(doc.Data)
		if listed := store.IDs(doc.Data); s.Unpaged || !model.HasNext(&doc) || model.IsEmpty(&doc) || listed == before {
			return nil
		} else {
			before = listed
		}
	}
}

func (v *verification) page(s *plan.List, number, size int) (doc model.Document, err error) {
	query := maps.Clone(s.Query)
	if query == nil {
		query = url.Values{}
	}
	if !s.Unpaged {
		query.Set("page[number]", strconv.Itoa(number))
		query.Set("page[size]", strconv.Itoa(size))
	}
	err = v.get(s.Path, query, &doc)
	return doc, err
}

func (v *verification) get(path string, query url.Values, into *model.Document) error {
	return worker.Read(v.ctx, v.m.client, terminal49.Request{Method: http.MethodGet, Path: path, Query: query}, into,
		terminal49.WithRateLimitShare(v.m.opts.Share), terminal49.WithMaxResponseBytes(worker.MaxPage))
}

// compare records which resources differ from their rows. Once there are mostSuspects, it reads
// them again, so that an empty mirror does not fill the memory.
func (v *verification) compare(list []*model.Resource) error {
	for _, t := range schema.Tables {
		some := store.InTable(t, list)
		for _, r := range some {
			if !t.Facts() { // no list shows all facts, so none of them is missed
				v.seen.add(v.hash(r.Type, r.ID))
			}
		}
		if err := v.compareRows(t, some); err != nil {
			return err
		}
	}
	if len(v.suspects) < mostSuspects {
		return nil
	}
	return v.again()
}

// mostSuspects is how many resources are kept to be read again.
const mostSuspects = 1000

func (v *verification) compareRows(t *schema.Table, list []*model.Resource) error {
	rows, err := v.m.db.PresentRows(v.ctx, t, list)
	if err != nil {
		return err
	}
	at := time.Now()
	for _, there := range list {
		if there, err = model.ScrubResource(there); err != nil {
			return err
		}
		if len(differences(rows[there.ID], there)) > 0 {
			v.suspects = append(v.suspects, suspect{there.Ref, there, at})
		}
	}
	return nil
}

func (v *verification) hash(texts ...string) uint64 {
	return maphash.String(v.seed, strings.Join(texts, " "))
}

// differences returns what differs between a row and a resource without secrets; either may be nil.
func differences(here, there *model.Resource) (all []Difference) {
	switch {
	case here == nil && there == nil:
		return nil
	case here == nil:
		return []Difference{{there.Type, there.ID, "id", nil, model.Encode(there.ID)}}
	case there == nil:
		return []Difference{{here.Type, here.ID, "id", model.Encode(here.ID), nil}}
	case here.Raw == nil: // it is damaged, as the comparison of columns reports
		return nil
	}
	for _, d := range model.Compare(here, there) {
		if d.Weight > model.OfCheck {
			all = append(all, Difference{there.Type, there.ID, d.Name, d.Old, d.New})
		}
	}
	return all
}

// again reads each suspect once more, and yields what still differs.
func (v *verification) again() error {
	list := v.suspects
	v.suspects = nil
	for _, s := range list {
		if !worker.Pause(v.ctx, time.Until(s.at.Add(2*v.m.opts.Settle)), nil) {
			return v.ctx.Err()
		}
		if err := v.readAgain(s); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) readAgain(s suspect) error {
	there, err := v.one(s)
	switch {
	case errors.Is(err, terminal49.ErrForbidden):
		v.m.opts.Log.Warn("mirror: a resource cannot be verified", slog.String("kind", s.Type), slog.String("id", s.ID), slog.Any("error", err))
		return nil
	case err != nil:
		return fmt.Errorf("mirror.Verify: %s %s: %w", s.Type, s.ID, err)
	}
	rows, err := v.m.db.PresentRows(v.ctx, schema.TableOf(s.Type), []*model.Resource{{Ref: s.Ref}})
	if err != nil {
		return err
	}
	for _, d := range differences(rows[s.ID], there) {
		if changing(s.there, there, d.Attribute) {
			continue
		}
		if forgotten, err := v.m.db.IsForgotten(v.ctx, s.Ref); err != nil || forgotten {
			return err
		}
		if err := v.yieldOnce(d); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) yieldOnce(d Difference) error {
	once := v.hash(d.Kind, d.ID, d.Attribute)
	if v.yielded[once] {
		return nil
	}
	v.yielded[once] = true
	if !v.yield(d, nil) {
		return errEnough
	}
	return nil
}

// changing reports whether two readings of the service differ in an attribute or relationship.
func changing(before, after *model.Resource, name string) bool {
	return before != nil && after != nil && slices.ContainsFunc(model.Compare(before, after), func(d model.Difference) bool { return d.Name == name })
}

// one reads a resource by itself; nil if the service does not have it. A fact cannot be read by
// itself, so one returns it as the list showed it.
func (v *verification) one(s suspect) (*model.Resource, error) {
	path := model.Kinds[s.Type].Path
	if path == "" {
		return s.there, nil
	}
	var doc model.Document
	err := v.get(path+url.PathEscape(s.ID), nil, &doc)
	if worker.IsMissing(err) {
		return nil, nil
	}
	there := model.Find(doc.All(), s.Ref)
	if err != nil || there == nil { // another resource is not this one
		return nil, err
	}
	return model.ScrubResource(there)
}
