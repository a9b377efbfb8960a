package mirror

import (
	"cmp"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
)

// picked is a random filter with what it selects, decided by the container and its verdict alone.
type picked struct {
	filter worklist.Filter
	has    func(c *terminal49.Container, v terminal49.Verdict) bool
}

func shipmentOf(c *terminal49.Container) *terminal49.Shipment {
	if s, ok := c.Shipment.Value(); ok && s != nil {
		return s
	}
	return &terminal49.Shipment{}
}

// pick returns a random filter that selects some of the containers.
func pick(r *rand.Rand, all []*terminal49.Container) picked {
	one := all[r.IntN(len(all))]
	some, place := shipmentOf(one), terminal49.Assess(one, time.Time{}, terminal49.VerdictOptions{}).Stored().Place.TerminalID
	reference := append(slices.Clone(some.ReferenceNumbers), "PO-00001")[0]
	day := terminal49.Date{Year: 2026, Month: time.March, Day: 1 + r.IntN(20)}
	last := terminal49.Date{Year: 2026, Month: time.March, Day: 25}
	within := func(t terminal49.Time) bool {
		on, known := t.Date()
		return known && on.Compare(day) >= 0 && on.Compare(last) <= 0
	}
	return []picked{
		{has: func(*terminal49.Container, terminal49.Verdict) bool { return true }},
		{worklist.Filter{Customers: []string{"acme"}}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return strings.HasPrefix(shipmentOf(c).CustomerName, "Acme")
		}},
		{worklist.Filter{Customers: []string{" Blue harbor"}, Tracking: worklist.TrackingActive}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return shipmentOf(c).CustomerName == "Blue Harbor" && shipmentOf(c).LineTrackingStoppedAt.IsZero()
		}},
		{worklist.Filter{Tags: []string{"reefer"}}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return slices.Contains(shipmentOf(c).Tags, "reefer")
		}},
		{worklist.Filter{ShippingLines: []string{strings.ToLower(cmp.Or(some.ShippingLineSCAC, "MAEU"))}}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return shipmentOf(c).ShippingLineSCAC == cmp.Or(some.ShippingLineSCAC, "MAEU")
		}},
		{worklist.Filter{Vessels: []string{"oscar", "ever given"}, Tracking: worklist.TrackingStopped}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return shipmentOf(c).PODVesselName != "" && !shipmentOf(c).LineTrackingStoppedAt.IsZero()
		}},
		{worklist.Filter{Terminals: []string{strings.ToUpper(place)}}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			return place != "" && (v.Stored().Place.TerminalID == place || v.Stored().BoundFor.TerminalID == place)
		}},
		{worklist.Filter{References: []string{strings.ToLower(reference)}}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return slices.Contains(c.ReferenceNumbers, reference) || slices.Contains(shipmentOf(c).ReferenceNumbers, reference)
		}},
		{worklist.Filter{PortsOfDischarge: []string{cmp.Or(some.PortOfDischargeLOCODE, "USLAX")}}, func(c *terminal49.Container, _ terminal49.Verdict) bool {
			return shipmentOf(c).PortOfDischargeLOCODE == cmp.Or(some.PortOfDischargeLOCODE, "USLAX")
		}},
		{worklist.Filter{LastFreeDayFrom: day, LastFreeDayTo: last}, func(_ *terminal49.Container, v terminal49.Verdict) bool { return within(v.LastFreeDay.At) }},
		{worklist.Filter{ETAFrom: day, ETATo: last}, func(_ *terminal49.Container, v terminal49.Verdict) bool { return within(v.ETA) }},
		{worklist.Filter{Holds: []string{"customs"}}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			return slices.ContainsFunc(v.Readiness.ActiveHolds, func(h terminal49.Hold) bool { return h.Name == "customs" })
		}},
		{worklist.Filter{LastFreeDayUnknown: true, Situations: []terminal49.Situation{"held", "stale", "out"}}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			_, known := v.LastFreeDay.At.Date()
			return !known && (v.Situation == "held" || v.Situation == "stale")
		}},
		{worklist.Filter{DaysLeftFrom: terminal49.Some(-2), DaysLeftTo: terminal49.Some(3)}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			return v.DaysLeft.Or(99) <= 3 && v.DaysLeft.Or(99) >= -2
		}},
		{worklist.Filter{Work: []worklist.Work{worklist.WorkAtRisk}}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			return v.Urgency == terminal49.UrgencyOverdue || v.Urgency == terminal49.UrgencyImminent
		}},
		{worklist.Filter{Work: []worklist.Work{worklist.WorkOwing}}, func(_ *terminal49.Container, v terminal49.Verdict) bool { return v.Fees.Owes() }},
		{worklist.Filter{Work: []worklist.Work{worklist.WorkHolds, "out"}}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			return v.Situation == "out" || len(v.Readiness.ActiveHolds) > 0 && v.Situation != "returned"
		}},
		{worklist.Filter{Stages: []terminal49.Stage{terminal49.StageAtPort, terminal49.StageOnRail}}, func(_ *terminal49.Container, v terminal49.Verdict) bool {
			return v.Stage() == terminal49.StageAtPort || v.Stage() == terminal49.StageOnRail
		}},
	}[r.IntN(18)]
}

// requireOverview requires that an overview is what one finds who assesses all containers.
func requireOverview(t *testing.T, o *Overview, r *rand.Rand, now time.Time) {
	t.Helper()
	all, err := collected(o.reader.Containers(t.Context(), ""))
	require.NoError(t, err)
	for range 4 {
		p, want := pick(r, all), []terminal49.Verdict{}
		situations := map[terminal49.Situation]int{}
		var fees terminal49.FeeSummary
		for _, c := range all {
			if v := terminal49.Assess(c, now, terminal49.VerdictOptions{}); p.has(c, v) {
				want = append(want, v)
				situations[v.Situation]++
				fees = fees.Add(v.Fees)
			}
		}
		slices.SortFunc(want, func(a, b terminal49.Verdict) int {
			return cmp.Or(a.Compare(b), cmp.Compare(a.ContainerID, b.ContainerID))
		})
		offset := r.IntN(20)
		got, err := o.List(t.Context(), now, ListOptions{Filter: p.filter, Limit: 10, Offset: offset})
		if err != nil && len(want) == 0 {
			continue // nothing has the name
		}
		require.NoError(t, err)
		require.Equal(t, len(want), got.Total, "%+v", p.filter)
		require.Zero(t, got.Waiting)
		requireMeanings(t, got.Meanings, all)
		page := want[min(len(want), offset):min(len(want), offset+10)]
		require.Len(t, got.Items, len(page))
		for i, item := range got.Items {
			require.Equal(t, asJSON(t, page[i]), asJSON(t, item.Verdict))
		}

		counts, err := o.Count(t.Context(), now, CountOptions{Filter: p.filter, By: []worklist.Key{worklist.KeySituation}})
		require.NoError(t, err)
		require.Equal(t, len(want), counts.Total)
		var sum terminal49.FeeSummary
		for _, g := range counts.Groups {
			require.Equal(t, situations[terminal49.Situation(g.Key)], g.Containers)
			sum = sum.Add(g.Owed.Fees)
		}
		require.Len(t, counts.Groups, len(situations))
		require.Equal(t, fees.String(), sum.String())
		require.Equal(t, fees.String(), counts.Owed.Fees.String())
	}
}

// requireMeanings requires that each customer that a text means is of as many containers as it
// says.
func requireMeanings(t *testing.T, meanings []worklist.Meaning, all []*terminal49.Container) {
	t.Helper()
	for _, m := range meanings {
		for _, name := range m.Names {
			n := 0
			for _, c := range all {
				if m.Field == "Customers" && shipmentOf(c).CustomerName == name.Name || m.Field == "ShippingLines" && shipmentOf(c).ShippingLineSCAC == name.Code {
					n++
				}
			}
			if m.Field == "Customers" || m.Field == "ShippingLines" {
				require.Equal(t, n, name.Containers, "%+v", m)
			}
		}
	}
}

// requireKeys requires that a count by two keys is what one finds who assesses all containers.
func requireKeys(t *testing.T, o *Overview, now time.Time) {
	t.Helper()
	all, err := collected(o.reader.Containers(t.Context(), ""))
	require.NoError(t, err)
	want := map[string]int{}
	for _, c := range all {
		week := ""
		if day, known := terminal49.Assess(c, now, terminal49.VerdictOptions{}).ETA.Date(); known {
			at := time.Date(day.Year, day.Month, day.Day, 0, 0, 0, 0, time.UTC)
			for at.Weekday() != time.Monday {
				at = at.AddDate(0, 0, -1)
			}
			week = at.Format(time.DateOnly)
		}
		for _, hold := range holdKeys(c) {
			want[hold+" "+week]++
		}
	}
	counts, err := o.Count(t.Context(), now, CountOptions{By: []worklist.Key{worklist.KeyHold, worklist.KeyETAWeek}})
	require.NoError(t, err)
	got := map[string]int{}
	for _, g := range counts.Groups {
		got[g.Key+" "+g.SecondKey] = g.Containers
	}
	require.Equal(t, want, got)
	require.Equal(t, len(all), counts.Total)

	lines := map[string]int{}
	for _, c := range all {
		lines[shipmentOf(c).ShippingLineSCAC+" "+shipmentOf(c).CustomerName]++
	}
	counts, err = o.Count(t.Context(), now, CountOptions{By: []worklist.Key{worklist.KeyLine, worklist.KeyCustomer}})
	require.NoError(t, err)
	for _, g := range counts.Groups {
		require.Equal(t, lines[g.Key+" "+g.SecondKey], g.Containers)
	}
	require.Len(t, counts.Groups, len(lines))
}

// holdKeys are the names of the holds in force; "none", or "" if that is not known.
func holdKeys(c *terminal49.Container) (keys []string) {
	for _, h := range c.Holds {
		key := string(h.Name)
		if h.Status != terminal49.HoldStatusActive {
			key += " (" + string(h.Status) + ")"
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	warnings := terminal49.PickupReadiness(c).Warnings
	switch {
	case len(keys) > 0:
		return keys
	case c.Holds == nil, slices.Contains(warnings, terminal49.WarnHoldsNotProvided):
		return []string{""}
	}
	return []string{worklist.NoHold}
}

// overviewTables are those that an overview and the rule read.
var overviewTables = []string{"situations", "unassessed", "cursors", "changes", "containers", "shipments", "transport_events", "forgotten"}

// backup copies the tables; the returned function restores them.
func (m *Mirror) backup(t *testing.T) (restore func()) {
	t.Helper()
	exec := func(statement string) {
		_, err := m.db.Pool.Exec(m.db.SQL(statement))
		require.NoError(t, err)
	}
	for _, name := range overviewTables {
		exec("drop table if exists kept_" + name)
		exec("create table kept_" + name + " as select * from t49." + name)
	}
	return func() {
		for _, name := range overviewTables {
			exec("delete from t49." + name)
			exec("insert into t49." + name + " select * from kept_" + name)
		}
	}
}

// An overview is what the rule finds, after lives that changed, were deleted and were restored to
// an earlier state, whether or not it was asked in between.
func TestOverview_OfManyLives(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		leading, lives, r := lead(m, l), newLives(4), rand.New(rand.NewPCG(4, 5))
		n := scaled(150, 1_500)
		walkPage(t, m, l, lives.page(t, 0, n))
		leading.round(t)
		o := NewReader(db).Overview()
		restore := m.backup(t)
		for i := range scaled(14, 200) {
			now := lives.cases[r.IntN(len(lives.cases))].Now
			switch step := r.IntN(8); {
			case i == 5, i == 6, step == 0:
				restore()
			case step == 1:
				ids := m.strings(t, "select id from t49.containers where deleted_at is null order by id")
				require.NoError(t, m.db.Apply(t.Context(), l, "test", func(tx *store.Tx) error {
					return tx.Forget(t.Context(), model.Ref{Type: "container", ID: ids[r.IntN(len(ids))]})
				}))
			case step == 2:
				restore = m.backup(t) // of a queue, too
			default:
				walkPage(t, m, l, lives.page(t, r.IntN(n), 1+r.IntN(20)))
			}
			if r.IntN(3) == 0 {
				_, err := o.List(t.Context(), now, ListOptions{})
				require.NoError(t, err)
				continue
			}
			leading.round(t)
			requireOverview(t, o, r, now)
			requireKeys(t, o, now)
		}
		t.Logf("figure: an overview of %d containers differs from Assess in 0 answers", o.all.Len())
	})
}

// Calls at the same time, while the tables change, each see one state.
func TestOverview_BesideAWriter(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		leading, lives := lead(m, l), newLives(6)
		walkPage(t, m, l, lives.page(t, 0, 100))
		leading.round(t)
		o, now := NewReader(db).Overview(), lives.cases[0].Now
		done := make(chan struct{})
		var readers sync.WaitGroup
		for i := range 4 {
			readers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					list, err := o.List(t.Context(), now, ListOptions{Limit: 5, Filter: worklist.Filter{Work: []worklist.Work{allWork[i]}}})
					if err == nil && list.Total < len(list.Items) {
						err = fmt.Errorf("%d items of %d", len(list.Items), list.Total)
					}
					counts, err2 := o.Count(t.Context(), now, CountOptions{By: []worklist.Key{worklist.KeyHold, worklist.KeyTerminal}})
					if err != nil || err2 != nil || counts.Total != 100 {
						t.Errorf("%v, %v, %+v", err, err2, counts)
						return
					}
				}
			})
		}
		for range 10 {
			walkPage(t, m, l, lives.page(t, 0, 100))
			leading.round(t)
		}
		close(done)
		readers.Wait()
		requireOverview(t, o, rand.New(rand.NewPCG(1, 1)), now)
	})
}

// Overviews of two accounts in one database are of one account each.
func TestOverview_OfTwoAccounts(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	for i, name := range []string{"acct_a", "acct_b"} {
		srv := terminal49test.NewServer()
		defer srv.Close()
		client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
		require.NoError(t, err)
		m, err := New(client, db, WithSchema(name))
		require.NoError(t, err)
		require.NoError(t, m.Migrate(t.Context()))
		l := store.NewLease()
		has, err := m.db.TakeLease(t.Context(), l, time.Now())
		require.NoError(t, err)
		require.True(t, has)
		walkPage(t, m, l, newLives(uint64(7+i)).page(t, 100*i, 40+i))
		lead(m, l).round(t)
	}
	for i, name := range []string{"acct_a", "acct_b"} {
		o := NewReader(db, WithSchema(name)).Overview()
		list, err := o.List(t.Context(), time.Now(), ListOptions{Limit: 100})
		require.NoError(t, err)
		require.Equal(t, 40+i, list.Total)
		for _, item := range list.Items {
			require.Regexp(t, fmt.Sprintf("-000%d[0-9]{2}$", i), item.Container.ID)
		}
	}
}
