package mirror

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/terminal49test"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// listed are the top-level members of a page of a list.
type listed struct {
	Data  []json.RawMessage
	Links map[string]any
	Meta  map[string]any
	More  map[string]json.RawMessage
}

// editing returns a transport that changes pages of lists before the client reads them.
func editing(next http.RoundTripper, edit func(*listed)) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil || resp.StatusCode != http.StatusOK {
			return resp, err
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		_ = resp.Body.Close()
		var page listed
		if json.Unmarshal(body, &page.More) == nil && json.Unmarshal(page.More["data"], &page.Data) == nil {
			_ = json.Unmarshal(page.More["links"], &page.Links)
			_ = json.Unmarshal(page.More["meta"], &page.Meta)
			if page.Meta == nil {
				page.Meta = map[string]any{}
			}
			edit(&page)
			body = page.encoded()
		}
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		resp.Header.Del("Content-Length")
		return resp, nil
	})
}

// encoded returns the page as JSON. Its elements may be what encoding/json would not write.
func (p listed) encoded() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"data":[%s]`, bytes.Join(asBytes(p.Data), []byte(",")))
	for name, value := range map[string]any{"links": p.Links, "meta": p.Meta, "included": p.More["included"]} {
		if data, err := json.Marshal(value); err == nil && string(data) != "null" {
			fmt.Fprintf(&b, `,%q:%s`, name, data)
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

func asBytes(list []json.RawMessage) (all [][]byte) {
	for _, data := range list {
		all = append(all, data)
	}
	return all
}

// walksAll walks over lists through a transport that changes the pages, requires that all
// containers of the service are stored, and returns the mirror.
func walksAll(t *testing.T, db *sql.DB, srv *terminal49test.Server, lists []*plan.List, edit func(*listed)) *Mirror {
	t.Helper()
	_, l := stored(t, db, srv)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1),
		terminal49.WithHTTPClient(&http.Client{Transport: editing(srv.Transport(), edit)}))
	require.NoError(t, err)
	m, err := New(client, db, WithSettle(time.Millisecond))
	require.NoError(t, err)
	require.NoError(t, m.db.Ask(t.Context()))
	for _, list := range lists {
		_, err := m.worker(l).Walks.Walk(t.Context(), list)
		require.NoError(t, err, list.Name)
	}
	var ids []string
	for r := range srv.Snapshot("container") {
		ids = append(ids, r.ID)
	}
	stored := m.strings(t, "select id from t49.containers")
	ids = slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(stored, id) })
	require.Empty(t, ids, "of these, no row is stored")
	return m
}

// JSON:API 1.1 allows a link to be an object, and the client reads numbers as texts. The rest of a
// page is stored whatever the form of one part is, and the page after it is read.
func TestWalk_OddPages(t *testing.T) {
	t.Parallel()
	pages := map[string]struct {
		edit    func(p *listed)
		problem string
	}{
		"a link as an object": {edit: func(p *listed) {
			if next := p.Links["next"]; next != nil {
				p.Links["next"] = map[string]any{"href": next, "rel": "next"}
			}
		}},
		"a total as a text":      {edit: func(p *listed) { p.Meta["total"] = fmt.Sprintf("%v", p.Meta["total"]) }},
		"a total as 20.0":        {edit: func(p *listed) { p.Meta["total"] = json.RawMessage(fmt.Sprintf("%v.0", p.Meta["total"])) }},
		"a total that is none":   {func(p *listed) { p.Meta["total"] = "many" }, "unknown form"},
		"an element as a number": {func(p *listed) { p.Data = slices.Insert(p.Data, min(1, len(p.Data)), json.RawMessage("7")) }, "unknown form"},
		"an element as a text":   {func(p *listed) { p.Data = append(p.Data, json.RawMessage(`"x"`)) }, "unknown form"},
		"an element as a list":   {func(p *listed) { p.Data = append(p.Data, json.RawMessage(`[[]]`)) }, "unknown form"},
		"an element as null":     {edit: func(p *listed) { p.Data = append(p.Data, json.RawMessage(`null`)) }},
		"a link that is none": {func(p *listed) {
			if p.Links["next"] != nil {
				p.Links["next"] = 5
			}
		}, "unknown form"},
		"included as an object": {func(p *listed) { p.More["included"] = json.RawMessage(`7`) }, "unknown form"},
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		for name, c := range pages {
			srv := stillServer(t, terminal49test.WithSyntheticContainers(60))
			m := walksAll(t, db, srv, plan.WholeLists, c.edit)
			problem := m.strings(t, "select coalesce(problem, '') from t49.walks where scope = 'containers' order by id desc limit 1")
			require.Contains(t, problem[0], c.problem, name)
			if c.problem == "" {
				require.Empty(t, problem[0], name)
			}
			require.Equal(t, []string{"done"}, m.strings(t, "select state from t49.walks where scope = 'containers' order by id desc limit 1"), name)
			require.Empty(t, verified(t, m), name)
			m.emptied(t)
		}
	})
}

// emptied deletes all rows of all tables.
func (m *Mirror) emptied(t *testing.T) {
	t.Helper()
	for _, table := range []string{"leases", "identity", "pages", "walks", "cursors", "changes", "dirty", "shipments", "containers", "tracking_requests", "transport_events", "ports", "terminals", "vessels"} {
		_, err := m.db.Pool.Exec(m.db.SQL("delete from t49." + table))
		require.NoError(t, err)
	}
}

// Whatever one resource is, the others of its page are stored.
func TestWalk_OddResources(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) string { // that no database can compress
		b := make([]byte, n)
		for i := range b {
			b[i] = "0123456789abcdefghijklmnopqrstuv"[random.IntN(32)]
		}
		return string(b)
	}
	container := func(id, attributes string) string {
		return `{"type":"container","id":` + id + `,"attributes":{` + attributes + `}}`
	}
	long := noise(20_000)
	resources := map[string]string{
		"without a type":          `{"id":"x"}`,
		"without an id":           `{"type":"container"}`,
		"a number as id":          container("5", ""),
		"a type as a list":        `{"type":["container"],"id":"x"}`,
		"a long id":               container(`"`+noise(3000)+`"`, ""),
		"an id with NUL":          container(`"a\u0000b"`, ""),
		"an id with a surrogate":  container(`"a\ud800b"`, ""),
		"attributes as a number":  `{"type":"container","id":"x","attributes":7,"relationships":"y"}`,
		"linkage as a text":       `{"type":"container","id":"x","relationships":{"shipment":{"data":"s1"},"pod_terminal":{"data":[7]},"transport_events":{"data":[7,null]}}}`,
		"a long link":             `{"type":"container","id":"x","relationships":{"shipment":{"data":{"type":"shipment","id":"` + long + `"}}}}`,
		"a large number":          container(`"x"`, `"weight_in_lbs":1e400,"equipment_length":-1e400`),
		"a long number":           container(`"x"`, `"weight_in_lbs":`+strings.Repeat("9", 200_000)),
		"lone surrogates":         container(`"x"`, `"number":"\ud800%d","\udc00":"\udc00%[1]d"`),
		"NUL":                     container(`"x"`, `"number":"a\u0000%d","n\u0000":%[1]d`),
		"a long container number": container(`"x"`, `"number":"`+long+`%d","current_status":"`+long+`"`),
		"a long name":             container(`"x"`, `"`+long+`":%d`),
		"a deep value":            container(`"x"`, `"more":`+strings.Repeat("[", 150)+"%d"+strings.Repeat("]", 150)),
		"a large value":           container(`"x"`, `"more":"`+noise(200_000)+`%d"`),
		"the year 10000":          container(`"x"`, `"created_at":"10000-01-01T00:00:00Z","pickup_lfd":"-5-01-01","pod_arrived_at":"99999-12-31"`),
		"a long hold":             container(`"x"`, `"holds_at_pod_terminal":[{"name":"`+long+`%d","status":"`+long+`"}],"fees_at_pod_terminal":[{"type":"`+long+`","amount":1e400},{"type":"x","amount":"y"}]`),
		"a long event":            `{"type":"transport_event","id":"x","attributes":{"event":"` + long + `%d"},"relationships":{"container":{"data":{"type":"container","id":"` + long + `"}}}}`,
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := migrated(t, db)
		for name, resource := range resources {
			t.Run(name, func(t *testing.T) {
				n := 0
				defer m.emptied(t)
				walksAll(t, db, stillServer(t), []*plan.List{plan.ContainerList, plan.ContainerList}, func(p *listed) {
					n++
					p.Data = append(p.Data, json.RawMessage(strings.ReplaceAll(strings.ReplaceAll(resource, "%d", fmt.Sprint(n)), "%[1]d", fmt.Sprint(n))))
				})
			})
		}
	})
}

// The client's own token is in no table, wherever the service repeats it and however it spells it.
func TestToken_IsNotStored(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t)
		escaped := ""
		for _, c := range srv.Token {
			escaped += fmt.Sprintf(`\u%04x`, c)
		}
		forms := []string{srv.Token, escaped, strings.ToUpper(srv.Token), "a " + srv.Token + " b"}
		n := 0
		m := walksAll(t, db, srv, plan.WholeLists, func(p *listed) {
			for _, form := range forms {
				n++
				p.Data = append(p.Data, json.RawMessage(fmt.Sprintf(`{"type":"container","id":"x%d","attributes":{"number":"%s","ref_numbers":["%[2]s"],"%[2]s":"%[2]s",
					"holds_at_pod_terminal":[{"name":"%[2]s %[1]d","status":"hold","description":"%[2]s"}]},
					"relationships":{"pod_terminal":{"data":{"type":"terminal","id":"%[2]s"}}}}`, len(p.Data)%7, form)))
			}
		})
		dump := m.dump(t)
		require.Contains(t, dump, "[secret]")
		require.NotContains(t, strings.ToLower(dump), strings.ToLower(srv.Token))
		require.Equal(t, []string{"a [secret] b"}, m.strings(t, "select distinct number from t49.containers where number like 'a %'"))
	})
}

// Nor is it in the inbox, as it was delivered or as the service's log has it.
func TestToken_IsNotInTheInbox(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		container, _ := s.container()
		token := s.srv.Token
		s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
			Event: "container.updated", Webhook: s.webhook, ReferenceType: "container", ReferenceID: container, Attributes: map[string]any{"note": "with " + token},
		})
		for i, body := range [][]byte{
			mirrortest.Delivered(terminal49.EventContainerUpdated, "container_updated_event", fmt.Sprintf(`"changeset":{"note":[null,%q]}`, token),
				`"container":{"data":{"type":"container","id":"`+container+`"}}`),
			fmt.Appendf(nil, `{"data":[],"note":%q}`, token),
		} {
			require.Equal(t, 200, s.deliver(bytes.ReplaceAll(body, []byte("n-1"), fmt.Appendf(nil, "n-%d", i))))
		}
		require.NoError(t, s.work.Audits.Audit(t.Context(), true))
		s.applyAll(t)
		dump := s.dump(t)
		require.Contains(t, dump, "[secret]")
		require.NotContains(t, dump, token)
	})
}
