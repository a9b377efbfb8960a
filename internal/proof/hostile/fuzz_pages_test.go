package hostile_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// FuzzNextPage walks a list whose next links are the lines of script, over and over, and whose
// pages hold the ids. Each request must go to the configured address, with the filters and the page
// size of the first and the following page number, which was linked; and the walk must end.
func FuzzNextPage(f *testing.F) {
	const base = testkit.Base + "/shipments"
	for _, script := range []string{
		"", base + "?page[number]=2\n" + base + "?page%5Bnumber%5D=3&page[size]=25\n",
		"https://elsewhere.example/v2/containers?page[number]=2",
		"?page[number]=2&number=other", "http://user:pass@[::1]:99/../?page[number]=2#frag?page[number]=9",
		"//elsewhere.example?page[number]=2",
		"?page[number]=2;x", "mailto:x", "?", "?page[number]=%zz", "?page[cursor]=é\n?page[cursor]=\xff",
		"?page[number]=-1\n?page[number]=00", "?page[number]=1&page[number]=2",
		"?page[number]=1&page[size]=100", "%", "\x7f?page[number]=2", "?page[number]=" + strings.Repeat("9", 400),
		strings.Join(slices.Repeat([]string{"?page[number]=2", "?page[number]=3", "?page[number]=4"}, 10), "\n"),
	} {
		f.Add(script, "MAEU1", "abc", false)
		f.Add(script, "a&page[number]=7", "a", true)
	}
	var distinct strings.Builder // endless pages without new items
	for i := range 30 {
		fmt.Fprintf(&distinct, "?page[number]=%d\n", i+2)
	}
	f.Add(distinct.String(), "x", "a", false)
	f.Add(distinct.String(), "", "", true)
	f.Fuzz(func(t *testing.T, script, filter, ids string, ahead bool) { checkWalk(t, script, filter, ids, ahead) })
}

func checkWalk(t *testing.T, script, filter, ids string, ahead bool) {
	var links []string
	for line := range strings.Lines(strings.ToValidUTF8(script, "\uFFFD")) { // as in JSON
		links = append(links, strings.TrimSuffix(line, "\n"))
	}
	var sent []*url.URL
	rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		n := len(sent)
		sent = append(sent, req.URL)
		if n > len(links)+1 {
			return nil, errors.New("no end")
		}
		body := `{"data":[` + strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"id":"%x","type":"shipment"},`,
			idOn(ids, n)), min(len(ids), 2)), ",") + `]`
		if len(links) > 0 {
			link, err := json.Marshal(links[n%len(links)])
			require.NoError(t, err)
			body += `,"links":{"next":` + string(link) + `}`
		}
		return testkit.Answer(200, body+"}")(req)
	})
	var opts []terminal49.CallOption
	if ahead {
		opts = append(opts, terminal49.WithPrefetch(2))
	}
	params := &terminal49.ShipmentListParams{Number: filter, TrackingStopped: terminal49.Some(true)}
	_, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), params, opts...))
	if err != nil && !errors.Is(err, terminal49.ErrPagination) {
		t.Fatalf("after %d requests: %v", len(sent), err)
	}
	if len(links) == 0 && (err != nil || len(sent) != 1) {
		t.Fatalf("%d requests for one page: %v", len(sent), err)
	}
	if barren := ids == "" || strings.Count(ids, ids[:1]) == len(ids); barren && len(sent) > barrenPages+2 {
		t.Fatalf("%d requests for pages that bring nothing new", len(sent))
	}
	first := sent[0].Query()
	for i, to := range sent {
		if address := to.Scheme + "://" + to.Host + to.EscapedPath(); address != testkit.Base+"/shipments" ||
			to.User != nil || to.Fragment != "" {
			t.Fatalf("request %d went to %v", i, to)
		}
		query := to.Query()
		if i == 0 {
			continue
		}
		if number := query["page[number]"]; !slices.Equal(number, []string{strconv.Itoa(i + 1)}) {
			t.Fatalf("request %d asks for page %q", i, number)
		}
		if query.Del("page[number]"); query.Encode() != first.Encode() {
			t.Fatalf("request %d has %v, the first %v", i, query, first)
		}
		_, linked, _ := strings.Cut(beforeFragment(links[(i-1)%len(links)]), "?")
		want, _ := url.ParseQuery(linked) // parts that cannot be read are left out
		if number, _ := strconv.Atoi(want.Get("page[number]")); number != i+1 {
			t.Fatalf("request %d asks for %v, linked was %q", i, to, linked)
		}
	}
	// The walk ends in an error unless a link was empty.
	if ended := len(links) == 0 || slices.Contains(links[:min(len(sent), len(links))], ""); !ended && err == nil {
		t.Fatalf("the walk ended after %d requests without a reason", len(sent))
	}
}

func idOn(ids string, n int) string {
	if ids == "" {
		return ""
	}
	return ids[n%len(ids) : n%len(ids)+1]
}

func beforeFragment(link string) string {
	before, _, _ := strings.Cut(link, "#")
	return before
}
