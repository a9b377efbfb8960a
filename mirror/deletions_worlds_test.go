package mirror

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// vanishing is a world in which rows vanish: an account, its mirror, and what stands between them.
type vanishing struct {
	*testing.T
	srv, other *terminal49test.Server // other is another account
	m          *Mirror
	l          *store.Lease
	random     *rand.Rand
	serial     int

	hidden map[string]bool // ids that no list shows
	byID   int             // status of reads by id of what is hidden, or of everything; 0 for the true one
	all    bool            // byID is for everything
	empty  string          // lists whose path ends so are empty; "*" for all
	lists  int             // status of lists; 0 for the true one
	once   bool            // it is healed after a walk
	moved  bool            // requests go to the other account
	merged map[string]string
}

// causes are why rows vanish. Each makes a share of the rows vanish, in percent.
var causes = []struct {
	name   string
	vanish func(v *vanishing, percent int)
	lasts  bool // rows really are gone
}{
	{"deleted", (*vanishing).removeContainers, true},
	{"merged", (*vanishing).mergeShipments, true},
	{"merged, answered with the other", func(v *vanishing, p int) { v.mergeShipments(p); v.merged = v.answers() }, true},
	{"hidden", func(v *vanishing, p int) { v.hide(p, 0) }, false},
	{"hidden, refused", func(v *vanishing, p int) { v.hide(p, 403) }, false},
	{"hidden, no content", func(v *vanishing, p int) { v.hide(p, 204) }, false},
	{"hidden, and 404 by id for all", func(v *vanishing, p int) { v.hide(p, 404); v.all = true }, false},
	{"hidden and 404 in one walk", func(v *vanishing, p int) { v.hide(min(p, 90), 404); v.once = true }, false},
	{"lists empty", func(v *vanishing, _ int) { v.empty = "*" }, false},
	{"lists empty and 404", func(v *vanishing, _ int) { v.empty, v.byID, v.all = "*", 404, true }, false},
	{"one list empty and 404, others deleted", func(v *vanishing, p int) {
		v.empty, v.byID, v.all = "/tracking_requests", 404, true
		v.removeContainers(p)
	}, true},
	{"another account", func(v *vanishing, _ int) { v.other, v.moved = v.account(1000), true }, false},
	{"404 for all", func(v *vanishing, _ int) { v.lists, v.byID, v.all = 404, 404, true }, false},
	{"all deleted", func(v *vanishing, _ int) { v.removeContainers(100) }, true},
	{"all deleted, and new ones", func(v *vanishing, _ int) { v.removeContainers(100); v.add(v.srv, 3) }, true},
	{"404 by id, and deleted", func(v *vanishing, p int) { v.byID, v.all = 404, true; v.removeContainers(p) }, true},
	{"401 by id, and deleted", func(v *vanishing, p int) { v.byID, v.all = 401, true; v.removeContainers(p) }, true},
	{"204 by id, and deleted", func(v *vanishing, p int) { v.byID, v.all = 204, true; v.removeContainers(p) }, true},
	{"500 by id, and merged", func(v *vanishing, p int) { v.byID, v.all = 500, true; v.mergeShipments(p) }, true},
}

// In 100 worlds 1 to 100 % of the rows vanish, for each of the causes. Nothing that exists is ever
// deleted. What is proven is gone within three walks. Everything else waits, with words, and has an
// exit: when the service works again all is equal within three walks, or the user confirms.
func TestDeletions_Worlds(t *testing.T) {
	t.Parallel()
	for i := range 100 {
		if i%mirrortest.Scale(5, 1) != 0 {
			continue
		}
		percent, cause := i+1, i*7%len(causes) // each cause comes with shares from few to nearly all
		run := func(db func(testing.TB) *sql.DB) func(t *testing.T) {
			return func(t *testing.T) { t.Parallel(); worldThatVanishes(t, db(t), i, percent, cause) }
		}
		name := fmt.Sprintf("%03d %d%% %s", i, percent, causes[cause].name)
		t.Run(name, run(sqliteMemory))
		if i%20 == 0 {
			t.Run(name+" Postgres", run(postgres))
		}
	}
}

func worldThatVanishes(t *testing.T, db *sql.DB, seed, percent, cause int) {
	v := newVanishing(t, db, seed)
	v.walks(2)
	v.requireExact("at first")
	causes[cause].vanish(v, percent)
	for n := range 4 {
		v.walks(1)
		v.requireNoneFalse(causes[cause].name)
		if v.once {
			v.heal()
		}
		if n >= 2 {
			v.requireEnd()
		}
	}
	v.heal()
	v.walks(3)
	v.requireNoneFalse("after it is healed")
	v.confirmAll(causes[cause].lasts)
	v.walks(1)
	v.requireExact("in the end")
	require.Empty(t, v.unconfirmed())
	status, err := v.m.Status(t.Context())
	require.NoError(t, err)
	require.Empty(t, status.Problems)
}

// newVanishing returns an account with some shipments, and another one.
func newVanishing(t *testing.T, db *sql.DB, seed int) *vanishing {
	v := &vanishing{T: t, random: rand.New(rand.NewPCG(uint64(seed), 1)), hidden: map[string]bool{}, merged: map[string]string{}}
	v.srv = v.account(int64(seed + 1))
	client, err := terminal49.New(v.srv.Token, terminal49.WithBaseURL(v.srv.URL), terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1),
		terminal49.WithHTTPClient(&http.Client{Transport: roundTripper(v.roundTrip)}))
	require.NoError(t, err)
	v.m, err = New(client, db)
	require.NoError(t, err)
	require.NoError(t, v.m.Migrate(t.Context()))
	v.l = store.NewLease()
	return v
}

func (v *vanishing) account(seed int64) *terminal49test.Server {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithSeed(seed),
		terminal49test.WithoutRateLimits(), terminal49test.WithoutWebhooks())
	v.Cleanup(srv.Close)
	srv.SeedDemo()
	v.add(srv, 4+v.random.IntN(12))
	return srv
}

// add adds shipments with containers.
func (v *vanishing) add(to *terminal49test.Server, shipments int) {
	for range shipments {
		v.serial++
		id := to.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("MAEU%09d", v.serial), ShippingLine: "MAEU"})
		for range 1 + v.random.IntN(3) {
			v.serial++
			to.AddContainer(terminal49test.Container{Shipment: id, Number: terminal49test.ContainerNumber("MSKU", v.serial), EquipmentType: "dry", EquipmentLength: 40})
		}
	}
}

// roundTrip is the way to the service.
func (v *vanishing) roundTrip(r *http.Request) (*http.Response, error) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v2/"), "/")
	list, id := len(parts) == 1, parts[len(parts)-1]
	switch {
	case parts[0] == "me":
		return responseTo(r, 404, notFoundBody), nil
	case list && v.lists > 0:
		return responseTo(r, v.lists, notFoundBody), nil
	case list && (v.empty == "*" || v.empty != "" && strings.HasSuffix(r.URL.Path, v.empty)):
		return responseTo(r, 200, `{"data":[],"meta":{"size":0,"total":0},"links":{}}`), nil
	case !list && v.byID > 0 && (v.all || v.hidden[id]):
		return responseTo(r, v.byID, map[bool]string{true: notFoundBody}[v.byID != 204]), nil
	}
	srv := v.srv
	if v.moved {
		srv = v.other
	}
	if into := v.merged[id]; into != "" && !list {
		r = r.Clone(r.Context())
		r.URL.Path = "/v2/shipments/" + into
	}
	resp, err := srv.Transport().RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return v.without(resp, list)
}

func responseTo(r *http.Request, status int, text string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/vnd.api+json"}}, Body: io.NopCloser(strings.NewReader(text)), Request: r}
}

// without leaves out the account, and what is hidden from lists.
func (v *vanishing) without(resp *http.Response, list bool) (*http.Response, error) {
	text, err := io.ReadAll(resp.Body)
	text = bytes.ReplaceAll(text, []byte(`"account"`), []byte(`"owner"`))
	if list && len(v.hidden) > 0 && err == nil {
		var doc map[string]json.RawMessage
		if err := json.Unmarshal(text, &doc); err != nil {
			return nil, err
		}
		for _, member := range []string{"data", "included"} {
			var all []json.RawMessage
			if json.Unmarshal(doc[member], &all) == nil {
				doc[member] = model.Encode(slices.DeleteFunc(all, v.isHidden))
			}
		}
		text = model.Encode(doc)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	resp.Header.Del("Content-Length")
	return resp, err
}

func (v *vanishing) isHidden(raw json.RawMessage) bool {
	var of model.Ref
	return json.Unmarshal(raw, &of) == nil && v.hidden[of.ID]
}

// some returns a share of the resources of a type, at least one.
func (v *vanishing) some(kind string, percent int) []string {
	var ids []string
	for r := range v.srv.Snapshot(kind) {
		ids = append(ids, r.ID)
	}
	v.random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids[:max(1, len(ids)*percent/100)]
}

func (v *vanishing) removeContainers(percent int) {
	for _, id := range v.some("container", percent) {
		v.srv.RemoveContainer(id)
	}
}

func (v *vanishing) mergeShipments(percent int) {
	all := v.some("shipment", 100)
	for _, from := range all[:min(max(1, len(all)*percent/100), len(all)-1)] {
		into := all[len(all)-1]
		v.srv.MergeShipments(from, into)
		v.merged[from] = into
	}
	if v.byID == 0 {
		v.merged = map[string]string{}
	}
}

// answers are the shipments that answer with another one: all that are gone.
func (v *vanishing) answers() map[string]string {
	all := v.some("shipment", 100)
	merged := map[string]string{}
	for what := range v.living("t49.shipments") {
		if _, exists := v.srv.Shipment(what.ID); !exists {
			merged[what.ID] = all[0]
		}
	}
	return merged
}

func (v *vanishing) hide(percent, status int) {
	v.byID = status
	for _, kind := range []string{"shipment", "container", "tracking_request", "party"} {
		for _, id := range v.some(kind, percent) {
			v.hidden[id] = true
		}
	}
}

// heal lets the service work again. What is merged or deleted stays so.
func (v *vanishing) heal() {
	v.hidden, v.byID, v.all, v.empty, v.lists, v.moved = map[string]bool{}, 0, false, "", 0, false
}

// walks walks over everything, as a mirror does.
func (v *vanishing) walks(n int) {
	v.Helper()
	for range n {
		v.walksOver(activeOnly...)
		v.walksOver(plan.WholeLists...)
	}
}

var activeOnly = []*plan.List{plan.ActiveList}

func (v *vanishing) walksOver(lists ...*plan.List) {
	v.Helper()
	_, err := v.m.db.SeizeLease(v.Context(), v.l)
	require.NoError(v, err)
	for _, list := range lists {
		_, err := v.m.worker(v.l).Walks.Walk(v.Context(), list)
		var refused *terminal49.APIError
		require.True(v, err == nil || v.lists > 0 && errors.As(err, &refused), "%s: %v", list.Name, err)
	}
}

// living returns the rows of a table that are not deleted.
func (v *vanishing) living(table string) map[model.Ref]bool {
	return v.rowsWhere(table, "deleted_at is null")
}

func (v *vanishing) rowsWhere(table, condition string) map[model.Ref]bool {
	v.Helper()
	all := map[model.Ref]bool{}
	rows, err := v.m.db.Pool.Query(v.m.db.SQL("select type, id from " + table + " where " + condition))
	require.NoError(v, err)
	defer rows.Close()
	for rows.Next() {
		var what model.Ref
		require.NoError(v, rows.Scan(&what.Type, &what.ID))
		all[what] = true
	}
	require.NoError(v, rows.Err())
	return all
}

// exists returns what the service has of the types that lists show.
func (v *vanishing) exists() map[model.Ref]bool {
	all := map[model.Ref]bool{}
	for r := range v.srv.Snapshot("shipment", "container", "tracking_request", "document", "custom_field", "party") {
		all[model.Ref{Type: r.Type, ID: r.ID}] = true
	}
	return all
}

// requireNoneFalse fails if something that exists is stored as deleted.
func (v *vanishing) requireNoneFalse(when string) {
	v.Helper()
	exists := v.exists()
	for _, list := range plan.WholeLists {
		for what := range v.rowsWhere("t49."+schema.TableOf(list.Kind).Name, "deleted_at is not null") {
			require.False(v, exists[what], "%s: %v exists, and is stored as deleted", when, what)
		}
	}
}

// requireExact fails unless exactly what exists is stored.
func (v *vanishing) requireExact(when string) {
	v.Helper()
	exists := v.exists()
	for _, list := range plan.WholeLists {
		if list.Kind == "shipping_line" {
			continue
		}
		for what := range v.living("t49." + schema.TableOf(list.Kind).Name) {
			require.True(v, exists[what], "%s: %v is stored", when, what)
			delete(exists, what)
		}
	}
	require.Empty(v, exists, when)
}

// requireEnd fails if a row that does not exist is in a state without an exit: it must be deleted,
// or wait. If a walk was refused, the status says so, and nothing is known.
func (v *vanishing) requireEnd() {
	v.Helper()
	status, err := v.m.Status(v.Context())
	require.NoError(v, err)
	problems := strings.Join(status.Problems, "\n")
	if v.lists > 0 {
		require.Contains(v, problems, "404")
		return
	}
	exists, waits := v.exists(), v.unconfirmed()
	for _, list := range plan.WholeLists {
		for what := range v.living("t49." + schema.TableOf(list.Kind).Name) {
			if waits[list.Name] == 0 && list.Kind != "shipping_line" && !v.moved {
				require.True(v, exists[what], "%v does not exist, and after three walks is neither deleted nor waits", what)
			}
		}
		if n := waits[list.Name]; n > 0 {
			require.Contains(v, problems, fmt.Sprintf("%s: %s not deleted: ", list.Name, plan.Rows(n)))
			require.Contains(v, problems, fmt.Sprintf("confirm-deletions %s --expect %d", list.Name, n))
		}
	}
}

func (v *vanishing) unconfirmed() map[string]int {
	v.Helper()
	rows, err := v.m.Unconfirmed(v.Context())
	require.NoError(v, err)
	waits := map[string]int{}
	for _, r := range rows {
		waits[r.List]++
	}
	return waits
}

// confirmAll confirms what waits, if rows really are gone. Otherwise nothing may wait.
func (v *vanishing) confirmAll(lasts bool) {
	v.Helper()
	waits := v.unconfirmed()
	if !lasts {
		require.Empty(v, waits, "it is healed")
	}
	for list, n := range waits {
		require.ErrorIs(v, v.m.ConfirmList(v.Context(), list, n+1), ErrNotConfirmed)
		require.NoError(v, v.m.ConfirmList(v.Context(), list, n))
	}
	v.requireNoneFalse("after the confirmation")
}
