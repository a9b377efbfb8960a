package mirror

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
	"github.com/go-freight/terminal49/worklist"
)

// lives are containers with the reports of verdicttest's cases, altered at random.
type lives struct {
	r     *rand.Rand
	cases []verdicttest.Case
}

func newLives(seed uint64) *lives {
	return &lives{rand.New(rand.NewPCG(30, seed)), verdicttest.Cases()}
}

// page returns a page with the n-th containers, from a number on, and what belongs to them.
func (l *lives) page(t testing.TB, from, n int) string {
	t.Helper()
	var all []any
	for i := range n {
		var d struct {
			Data     map[string]any
			Included []map[string]any
		}
		require.NoError(t, json.Unmarshal(l.cases[l.r.IntN(len(l.cases))].Document, &d))
		for _, res := range append(d.Included, d.Data) {
			l.own(res, from+i)
			if attributes := res["attributes"].(map[string]any); res["type"] == "shipment" {
				name(attributes, from+i)
			}
			l.alter(res["attributes"].(map[string]any))
			all = append(all, res)
		}
	}
	text, err := json.Marshal(map[string]any{"data": all})
	require.NoError(t, err)
	return string(text)
}

// name gives the n-th shipment what filters and counts need.
func name(attributes map[string]any, n int) {
	attributes["pod_original_eta_at"] = attributes["pod_eta_at"]
	attributes["destination_original_eta_at"] = attributes["destination_eta_at"]
	attributes["customer_name"] = []any{"Acme Imports", "Acme Foods", "Blue Harbor", nil}[n%4]
	attributes["tags"] = [][]string{{"urgent"}, {}, {"urgent", "reefer"}}[n%3]
	attributes["ref_numbers"] = []string{fmt.Sprintf("PO-%05d", n)}
	attributes["pod_vessel_name"] = []any{"EVER GIVEN", "MSC OSCAR", nil}[n%3]
	if n%5 == 0 {
		attributes["line_tracking_stopped_at"] = "2026-03-01T10:00:00Z"
	}
}

// own gives the resources of a container, and what refers to them, ids of their own.
func (l *lives) own(v any, i int) {
	switch v := v.(type) {
	case map[string]any:
		if id, typ := v["id"], v["type"]; id != nil && typ != nil {
			if v["id"] = fmt.Sprintf("%v-%v", typ, id); slices.Contains([]string{"container", "shipment", "transport_event"}, typ.(string)) {
				v["id"] = fmt.Sprintf("%v-%v-%06d", typ, id, i)
			}
		}
		for _, member := range v {
			l.own(member, i)
		}
	case []any:
		for _, item := range v {
			l.own(item, i)
		}
	}
}

// alter drops some attributes, and moves some times by days.
func (l *lives) alter(attributes map[string]any) {
	names := make([]string, 0, len(attributes))
	for name := range attributes {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		text, _ := attributes[name].(string)
		at, err := time.Parse(time.RFC3339, text)
		switch {
		case l.r.IntN(30) == 0 && name != "event" && name != "code":
			attributes[name] = nil
		case err == nil && l.r.IntN(6) == 0:
			attributes[name] = at.AddDate(0, 0, l.r.IntN(13)-6).Format(time.RFC3339)
		}
	}
}

// scaled returns all with T49_MIRROR=long, for half an hour, and a sample otherwise.
func scaled(sample, all int) int {
	if os.Getenv("T49_MIRROR") == "long" {
		return all
	}
	return sample
}

// The stored situation is the one that the rule finds, after lives that changed, after deletions,
// and after other rules made the situations.
func TestSituations_OfManyLives(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		leading, lives := lead(m, l), newLives(1)
		n, page := scaled(400, 50_000), 200
		for range 2 { // the second time, all are different
			for from := 0; from < n; from += page {
				walkPage(t, m, l, lives.page(t, from, page))
				if lives.r.IntN(2) == 0 {
					leading.round(t)
				}
			}
		}
		_, err := db.Exec(m.db.SQL("update t49.cursors set value = '0' where name = 'situations.rules'"))
		require.NoError(t, err)
		_, err = db.Exec(m.db.SQL("update t49.situations set rules = 0, standing = '{\"rules\":0}' where container_id like '%0'"))
		require.NoError(t, err)
		lead(m, l).round(t) // another turn
		require.Equal(t, n, requireSituations(t, m))
		t.Logf("figure: situations of %d containers in %d states: 0 differ from the rule", n, 2*n)
	})
}

// requireWorklist requires that a worklist is what one finds who assesses all containers.
func requireWorklist(t *testing.T, r *Reader, all []*terminal49.Container, what worklist.Work, now time.Time, opts WorklistOptions) int {
	t.Helper()
	question, err := new(worklist.Set).Ask(now, worklist.Filter{Work: []worklist.Work{what}, Days: opts.Days}, opts.Verdict)
	require.NoError(t, err)
	var want []terminal49.Verdict
	for _, c := range all {
		if v := terminal49.Assess(c, now, opts.Verdict); question.Has(worklist.NewRecord(c, &v)) {
			want = append(want, v)
		}
	}
	slices.SortFunc(want, func(a, b terminal49.Verdict) int {
		return cmp.Or(a.Compare(b), cmp.Compare(a.ContainerID, b.ContainerID))
	})
	got, err := r.Worklist(t.Context(), what, now, opts)
	require.NoError(t, err)
	require.Equal(t, len(want), got.Total, "%s at %s", what, now)
	require.Zero(t, got.Waiting)
	want = want[:min(len(want), cmp.Or(opts.Limit, 50))]
	require.Len(t, got.Items, len(want))
	for i, item := range got.Items {
		require.Equal(t, want[i].ContainerID, item.Container.ID)
		require.Equal(t, asJSON(t, want[i]), asJSON(t, item.Verdict))
	}
	return got.Total
}

var allWork = []worklist.Work{
	worklist.WorkWaiting, worklist.WorkOverdue, worklist.WorkImminent, worklist.WorkAtRisk, worklist.WorkOwing, worklist.WorkHolds, worklist.WorkArriving, worklist.WorkETASlipped, worklist.WorkDwelling, worklist.WorkEmptyDue, "pay_first", "ready", "stale", "held", "unknown", "not_released_inland",
	"not_released", "awaiting_transfer", "on_rail", "at_sea", "before_voyage", "out", "returned",
}

func TestWorklist_IsWhatAssessFinds(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		lives := newLives(2)
		n := scaled(mirrortest.Scale(400, 600), 5_000)
		for from := 0; from < n; from += 200 {
			walkPage(t, m, l, lives.page(t, from, 200))
		}
		r := NewReader(db)
		waiting, err := r.Worklist(t.Context(), "ready", time.Now(), WorklistOptions{})
		require.NoError(t, err)
		require.Equal(t, &Worklist{Waiting: n}, waiting, "nothing was assessed yet")
		lead(m, l).round(t)
		all, err := collected(r.Containers(t.Context(), ""))
		require.NoError(t, err)
		found, kinds := 0, map[worklist.Work]bool{}
		payFirst := slices.IndexFunc(lives.cases, func(c verdicttest.Case) bool { return c.Name == "pay first" })
		for i := range scaled(mirrortest.Scale(4, 6), 30) {
			now := lives.cases[lives.r.IntN(len(lives.cases))].Now.Add(time.Duration(lives.r.IntN(14*24)-7*24) * time.Hour)
			if i == 0 {
				now = lives.cases[payFirst].Now // few random times are within a day of its last check
			}
			for _, what := range allWork {
				opts := WorklistOptions{Limit: lives.r.IntN(30)}
				if slices.Contains([]worklist.Work{worklist.WorkArriving, worklist.WorkETASlipped, worklist.WorkDwelling, worklist.WorkEmptyDue}, what) {
					opts.Days = lives.r.IntN(9)
				}
				if lives.r.IntN(2) == 0 {
					opts.Verdict = terminal49.VerdictOptions{
						MaxAge: time.Duration(1+lives.r.IntN(96)) * time.Hour, ImminentDays: terminal49.Some(lives.r.IntN(9)),
						DeadlineMaxAge: time.Duration(1+lives.r.IntN(20)) * 24 * time.Hour, FallbackZone: time.FixedZone("", -7*3600),
					}
				}
				some := requireWorklist(t, r, all, what, now, opts)
				found += some
				kinds[what] = kinds[what] || some > 0
			}
			requireCounts(t, r.Overview(), all, now)
		}
		for _, what := range allWork {
			require.True(t, kinds[what], "no container was %s", what)
		}
		t.Logf("figure: worklists of %d containers with %d items: 0 differ from Assess", n, found)
	})
}

// requireCounts requires that the counts are those of the verdicts.
func requireCounts(t *testing.T, o *Overview, all []*terminal49.Container, now time.Time) {
	t.Helper()
	for by, keyOf := range map[worklist.Key]func(c *terminal49.Container, v terminal49.Verdict) string{
		worklist.KeySituation: func(_ *terminal49.Container, v terminal49.Verdict) string { return string(v.Situation) },
		worklist.KeyTerminal:  func(_ *terminal49.Container, v terminal49.Verdict) string { return v.Place.TerminalID },
		worklist.KeyPort: func(c *terminal49.Container, _ terminal49.Verdict) string {
			s, _ := c.Shipment.Value()
			if s == nil {
				return ""
			}
			return s.PortOfDischargeLOCODE
		},
		worklist.KeyLastFreeDay: func(_ *terminal49.Container, v terminal49.Verdict) string {
			day, known := v.LastFreeDay.At.Date()
			return map[bool]string{true: day.String()}[known]
		},
	} {
		want := map[string]map[terminal49.Situation]int{}
		for _, c := range all {
			v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
			key := keyOf(c, v)
			if want[key] == nil {
				want[key] = map[terminal49.Situation]int{}
			}
			want[key][v.Situation]++
		}
		got, err := o.Count(t.Context(), now, CountOptions{By: []worklist.Key{by}})
		require.NoError(t, err)
		require.Equal(t, len(all), got.Total)
		counted := map[string]map[terminal49.Situation]int{}
		for _, g := range got.Groups {
			counted[g.Key] = g.Situations
		}
		require.Equal(t, want, counted, by)
	}
}

func TestWorklist_RefusesAnUnknownSituation(t *testing.T) {
	t.Parallel()
	r := NewReader(sqliteMemory(t)) // without tables: nothing is read
	for field, err := range map[string]error{
		"Work":  second(r.Worklist(t.Context(), "readdy", time.Now(), WorklistOptions{})),
		"Limit": second(r.Worklist(t.Context(), "ready", time.Now(), WorklistOptions{Limit: -1})),
		"Days":  second(r.Worklist(t.Context(), worklist.WorkArriving, time.Now(), WorklistOptions{Days: 36_501})),
	} {
		var argument *terminal49.ArgumentError
		require.True(t, errors.As(err, &argument), err)
		require.Equal(t, field, argument.Field)
		require.Contains(t, argument.Problem, "must")
	}
}

func second[T any](_ T, err error) error { return err }

// A row whose brief is missing, or of another version, is read as a whole. One that cannot be read
// waits.
func TestWorklist_ReadsRowsWithoutABrief(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		lead(m, l).round(t)
		r, now := NewReader(db), srv.Now()
		want := map[worklist.Work]*Worklist{}
		for _, what := range allWork {
			list, err := r.Worklist(t.Context(), what, now, WorklistOptions{})
			require.NoError(t, err)
			want[what] = list
		}
		exec := func(statement string) {
			_, err := db.Exec(m.db.SQL(statement))
			require.NoError(t, err)
		}
		require.NotContains(t, m.strings(t, "select brief from t49.situations"), "")
		exec("update t49.situations set brief = '' where container_id < '8'")
		exec("update t49.situations set brief = '1.3' || brief where container_id >= '8' and container_id < 'c'")
		for _, what := range allWork {
			list, err := r.Worklist(t.Context(), what, now, WorklistOptions{})
			require.NoError(t, err)
			require.Equal(t, want[what], list, what)
		}
		ready := want["ready"].Items[0].Container.ID
		exec("update t49.situations set brief = '', standing = '[]' where container_id = '" + ready + "'")
		list, err := r.Worklist(t.Context(), "ready", now, WorklistOptions{})
		require.NoError(t, err)
		require.Equal(t, 1, list.Waiting)
		require.Equal(t, want["ready"].Total-1, list.Total)
	})
}

// A worklist reports if something was stored that it does not show yet, and shows nothing that has
// ended.
func TestWorklist_SaysWhatWaits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		lead(m, l).round(t)
		r := NewReader(db)
		ready, err := r.Worklist(t.Context(), "ready", srv.Now(), WorklistOptions{})
		require.NoError(t, err)
		require.NotEmpty(t, ready.Items)
		require.Zero(t, ready.Waiting)

		id := ready.Items[0].Container.ID
		var page string
		for res := range srv.Snapshot("container") {
			if res.ID == id {
				page = strings.Replace(string(res.JSON), `"available_for_pickup":true`, `"available_for_pickup":false`, 1)
			}
		}
		walkPage(t, m, l, `{"data":[`+page+`]}`)
		changed, err := r.Worklist(t.Context(), "ready", srv.Now(), WorklistOptions{})
		require.NoError(t, err)
		require.Equal(t, 1, changed.Waiting)
		require.Equal(t, ready.Total-1, changed.Total)
		require.NotContains(t, changed.Items, ready.Items[0])

		_, err = db.Exec(m.db.SQL("update t49.cursors set value = '99' where name = $1"), store.CursorRules)
		require.NoError(t, err)
		_, err = r.Worklist(t.Context(), "ready", srv.Now(), WorklistOptions{})
		require.ErrorIs(t, err, terminal49.ErrRulesVersion)
		require.ErrorContains(t, err, "version 99")
	})
}
