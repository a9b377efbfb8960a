package mirror

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// In random histories of changes, notifications that come late, twice or
// in another order, a walk that races them, and replicas that lag, the row is right once everything
// has arrived and no mark is left. Each change is recorded once, and follows from the one before.
func TestWrite_RandomHistories(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := offline(t, sqliteMemory(t))
		defer m.db.Pool.Close()
		for seed := range mirrortest.Scale(uint64(100), 300) {
			h := &history{testMirror: m, r: rand.New(rand.NewPCG(seed, 7)), id: fmt.Sprint("history-", seed), start: time.Now()}
			h.run()
			version, last := len(h.changed), ""
			require.Equal(t, "1", m.row("select count(*) from t49.changes where id = $1 and attribute = 'id'", h.id))
			require.JSONEq(t, h.resource(version), m.raw("shipments", h.id), "seed %d", seed)
			require.Empty(t, m.marks(), "seed %d", seed)
			for i, c := range h.recorded() {
				require.True(t, i == 0 || last == c[0], "seed %d", seed)
				require.NotEqual(t, c[0], c[1], "seed %d", seed)
				last = c[1]
			}
			require.Contains(t, []string{fmt.Sprint(version), ""}, last, "seed %d: none if the first read was the last version", seed)
		}
	})
}

// history is a random history of one resource, whose version is how often it has changed.
type history struct {
	*testMirror
	r       *rand.Rand
	id      string
	start   time.Time
	changed []time.Duration
	queue   steps
}

// happening is something that happens at a time.
type happening struct {
	at time.Duration
	do func()
}

type steps []happening

func (s steps) Len() int           { return len(s) }
func (s steps) Less(i, j int) bool { return s[i].at < s[j].at }
func (s steps) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *steps) Push(x any)        { *s = append(*s, x.(happening)) }
func (s *steps) Pop() (x any)      { x = (*s)[len(*s)-1]; *s = (*s)[:len(*s)-1]; return x }

func (h *history) at(after time.Duration, do func()) {
	heap.Push(&h.queue, happening{time.Since(h.start) + after, do})
}

// between returns a random duration.
func (h *history) between(from, to float64) time.Duration {
	return time.Duration((from + h.r.Float64()*(to-from)) * float64(time.Second))
}

func (h *history) run() {
	var end time.Duration
	for range 3 + h.r.IntN(10) {
		end += []time.Duration{h.between(0, 0.4), h.between(0.5, 20), h.between(60, 600)}[h.r.IntN(3)]
		h.changed = append(h.changed, end)
	}
	for i, at := range h.changed {
		late := []time.Duration{h.between(0.1, 2), h.between(0.1, 2), h.between(1, 60), h.between(60, 3600)}[h.r.IntN(4)]
		h.at(at+late, func() { h.notify(i + 1) })
		if h.r.Float64() < 0.1 {
			h.at(at+2*time.Second+h.between(0, 600), func() { h.notify(i + 1) })
		}
	}
	h.at(h.between(0, end.Seconds()+1), h.send) // a walk
	for len(h.queue) > 0 {
		next := heap.Pop(&h.queue).(happening)
		time.Sleep(next.at - time.Since(h.start))
		next.do()
	}
}

// notify delivers a notification with the resource as it was.
func (h *history) notify(version int) {
	h.do(func(tx *store.Tx) error {
		if err := tx.Write(h.Context(), plan.Reading{Source: "notification"}, list(h, h.resource(version))); err != nil {
			return err
		}
		return tx.Mark(h.Context(), model.Ref{Type: "shipment", ID: h.id}, tx.Now.Add(4*time.Second))
	})
	h.at(4*time.Second, h.send)
}

// send sends a read, which a replica of the service answers that may lag.
func (h *history) send() {
	sent := time.Now()
	ticket, err := h.db.Draw(h.Context())
	require.NoError(h, err)
	reads, lag := h.between(0.05, 1.5), time.Duration(0)
	if h.r.Float64() < 0.02 {
		lag = h.between(0, 3)
	}
	version := h.versionAt(time.Since(h.start) + reads - lag)
	h.at(reads+h.between(0.05, 1.5), func() { h.receive(ticket, sent, version) })
}

func (h *history) receive(ticket int64, sent time.Time, version int) {
	until, err := h.db.Drawn(h.Context())
	require.NoError(h, err)
	h.write(plan.Reading{Ticket: ticket, Until: until, Sent: sent, Source: "poll"}, h.resource(version))
	if len(h.marks()) > 0 {
		h.at(time.Second, h.send)
	}
}

func (h *history) versionAt(at time.Duration) (version int) {
	for _, changed := range h.changed {
		if changed <= at {
			version++
		}
	}
	return version
}

func (h *history) resource(version int) string {
	return fmt.Sprintf(`{"type":"shipment","id":%q,"attributes":{"pod_vessel_name":"%d"}}`, h.id, version)
}

// recorded returns the old and the new value of each change of the attribute.
func (h *history) recorded() (all [][2]string) {
	for _, row := range h.all("select old, new from t49.changes where id = $1 and attribute = 'pod_vessel_name' order by seq", h.id) {
		old, new, _ := strings.Cut(row, "|")
		all = append(all, [2]string{strings.Trim(old, `"`), strings.Trim(new, `"`)})
	}
	return all
}

// In any order of arrival, the row is that of the greatest ticket, and of two readings that overlap
// and differ, where the one with the greatest ticket takes part, a mark is left.
func TestWrite_RandomOrder(t *testing.T) {
	t.Parallel()
	m := offline(t, sqliteMemory(t))
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		id := fmt.Sprint("order-", seed)
		var all []plan.Reading
		values := map[int64]int{}
		for ticket := range int64(2 + r.IntN(5)) {
			all = append(all, between(ticket+1, ticket+1+int64(r.IntN(3))))
			values[ticket+1] = r.IntN(2)
		}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = append(all, all[r.IntN(len(all))]) // one arrives twice
		last := slices.MaxFunc(all, func(a, b plan.Reading) int { return cmp.Compare(a.Ticket, b.Ticket) })
		doubt := false
		for _, a := range all {
			m.write(a, fmt.Sprintf(`{"type":"shipment","id":%q,"attributes":{"pod_voyage_number":"%d"}}`, id, values[a.Ticket]))
			doubt = doubt || a.Until >= last.Ticket && values[a.Ticket] != values[last.Ticket]
		}
		require.Equal(t, fmt.Sprint(values[last.Ticket]), m.row("select pod_voyage_number from shipments where id = $1", id), "seed %d", seed)
		if doubt {
			require.Equal(t, "1", m.row("select count(*) from dirty where id = $1", id), "seed %d: %+v %v", seed, all, values)
		}
	}
}

var digestOf = regexp.MustCompile(`\|[0-9a-f]{32}\|`)

// Copies of a fact, whole or in part, from notifications and readings, in any order and repeated,
// result in the same row. Once withdrawn, it stays withdrawn.
func TestFacts_RandomOrder(t *testing.T) {
	t.Parallel()
	m := offline(t, sqliteMemory(t))
	columns := strings.Join(append([]string{"raw", "digest", "ticket", "until"}, schema.TableOf("transport_event").ColumnNames()...), ", ")
	for seed := range mirrortest.Scale(uint64(100), 400) {
		r := rand.New(rand.NewPCG(seed, 5))
		copies := randomCopies(r)
		want := ""
		for order := range 4 {
			id := fmt.Sprintf("fact-%d-%d", seed, order)
			for _, i := range slices.Concat(r.Perm(len(copies)), []int{r.IntN(len(copies))}) {
				c := copies[i]
				m.write(c.Reading, strings.Replace(c.text, "THE-ID", id, 1))
			}
			got := m.all("select " + columns + " from transport_events where id = '" + id + "'")
			require.Len(t, got, 1)
			raw, rest, _ := strings.Cut(got[0], "|")
			row := strings.ReplaceAll(compact(json.RawMessage(raw))+"|"+rest, id, "THE-ID")
			row = digestOf.ReplaceAllString(row, "|digest|") // of bytes with the id
			if want == "" {
				want = row
			}
			require.Equal(t, want, row, "seed %d", seed)
			require.Equal(t, slices.ContainsFunc(copies, func(c factCopy) bool { return c.withdrawn }), strings.Contains(raw, "2026-02-0"), "seed %d", seed)
		}
	}
}

type factCopy struct {
	plan.Reading
	text      string
	withdrawn bool
}

// randomCopies returns copies of a fact that agree in what they mention, but for when it was
// withdrawn.
func randomCopies(r *rand.Rand) (copies []factCopy) {
	attributes := []string{`"event":"container.transport.vessel_arrived"`, `"timestamp":"2026-01-01T00:00:00Z"`, `"timezone":"Asia/Shanghai"`, `"location_locode":null`}
	relationships := []string{
		`"container":{"data":{"type":"container","id":"C"}}`, `"vessel":{"data":null}`, `"location":{"data":{"type":"port","id":"P"}}`,
	}
	for i := range 2 + r.IntN(4) {
		c := factCopy{Reading: plan.Reading{Source: "notification"}, withdrawn: r.IntN(3) == 0}
		if r.IntN(2) == 0 {
			c.Reading = between(int64(i+1), int64(i+1+r.IntN(2)))
		}
		members := some(r, attributes)
		switch {
		case c.withdrawn:
			members = append(members, fmt.Sprintf(`"invalidated_at":"2026-02-0%dT00:00:00Z"`, 1+r.IntN(2)))
		case r.IntN(2) == 0:
			members = append(members, `"invalidated_at":null`)
		}
		c.text = `{"type":"transport_event","id":"THE-ID","attributes":{` + strings.Join(members, ",") + `},"relationships":{` + strings.Join(some(r, relationships), ",") + `}}`
		copies = append(copies, c)
	}
	return copies
}

func some(r *rand.Rand, all []string) (some []string) {
	for _, one := range all {
		if r.IntN(3) > 0 {
			some = append(some, one)
		}
	}
	r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some
}
