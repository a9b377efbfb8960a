package terminal49_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"
)

// twoPages responds with a page that has the given links, and then with the last page.
func twoPages(links string) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("page[number]") == "2" {
			return httpmock.NewStringResponse(200, testkit.ShipmentPage("", "b")), nil
		}
		return httpmock.NewStringResponse(200, `{"data":[{"id":"a","type":"shipment"}]`+links+`}`), nil
	}
}

// JSON:API 1.1, "Document Links": a link is a string, an object with href, or null if it does not
// exist. Keys of pagination links are omitted or null if a link is unavailable.
var nextForms = map[string]struct {
	links    string
	followed bool
	refused  bool
}{
	"a string":                    {`,"links":{"next":"/x?page[number]=2"}`, true, false},
	"an object with href":         {`,"links":{"next":{"href":"/x?page[number]=2"}}`, true, false},
	"an object with more":         {`,"links":{"next":{"rel":"next","href":"/x?page%5Bnumber%5D=2","meta":{"n":[1]}}}`, true, false},
	"an object in front":          {`,"links":{"self":{"href":"/x"},"next":"?page[number]=2"}`, true, false},
	"escaped":                     {`,"links":{"n\u0065xt":{"hr\u0065f":"\u002fx?page[number]=2"}}`, true, false},
	"null":                        {`,"links":{"next":null}`, false, false},
	"absent":                      {`,"links":{"self":"/x"}`, false, false},
	"links null":                  {`,"links":null`, false, false},
	"no links":                    {``, false, false},
	"an empty string":             {`,"links":{"next":""}`, false, false},
	"an empty string at the end":  {`,"links":{"next":""},"meta":{"total":1}`, false, false},
	"a number":                    {`,"links":{"next":2}`, false, true},
	"true":                        {`,"links":{"next":true}`, false, true},
	"an array":                    {`,"links":{"next":[]}`, false, true},
	"an array of one":             {`,"links":{"next":["/x?page[number]=2"]}`, false, true},
	"an empty object":             {`,"links":{"next":{}}`, false, true},
	"an object without href":      {`,"links":{"next":{"rel":"next"}}`, false, true},
	"href null":                   {`,"links":{"next":{"href":null}}`, false, true},
	"href an empty string":        {`,"links":{"next":{"href":""}}`, false, true},
	"href a number":               {`,"links":{"next":{"href":2}}`, false, true},
	"href an object":              {`,"links":{"next":{"href":{"href":"/x?page[number]=2"}}}`, false, true},
	"not a URL":                   {`,"links":{"next":"https://%zz"}`, false, true},
	"href not a URL":              {`,"links":{"next":{"href":"https://%zz"}}`, false, true},
	"links an array":              {`,"links":[]`, false, true},
	"links an array with objects": {`,"links":[{"next":"/x?page[number]=2"}]`, false, true},
	"links a string":              {`,"links":"/x?page[number]=2"`, false, true},
	"links a number":              {`,"links":0`, false, true},
}

func TestPagination_FormsOfTheNextLink(t *testing.T) {
	for name, form := range nextForms {
		for walk, opts := range prefetches() {
			client := testkit.NewClient(t, twoPages(form.links))
			items, err := testkit.Drain(client.Shipments.All(t.Context(), nil, opts...))
			pages, pagesErr := testkit.Drain(client.Shipments.Pages(t.Context(), nil, opts...))
			want := []string{"a"}
			if form.followed {
				want = append(want, "b")
			}
			require.Equal(t, want, shipmentIDs(items), "%s, %s", name, walk)
			require.Len(t, pages, len(want), "%s, %s", name, walk)
			for _, err := range []error{err, pagesErr} {
				if form.refused {
					require.ErrorIs(t, err, terminal49.ErrPagination, "%s, %s", name, walk)
				} else {
					require.NoError(t, err, "%s, %s", name, walk)
				}
			}
		}
		page, err := testkit.NewClient(t, twoPages(form.links)).Shipments.List(t.Context(), nil)
		require.NoError(t, err, name)
		require.Equal(t, form.followed || form.refused, page.HasNext(), name)
	}
}

// A next link may change only the page number of the request (SECURITY.md), by one.
func TestPagination_OnlyTheNumberOfTheNextLinkCounts(t *testing.T) {
	const first = "number=MAEU1&page[number]=3&page[size]=25"
	for link, followed := range map[string]bool{
		"?page[number]=4":               true,
		"?page[number]=4&page[size]=25": true, "?page[number]=4&page[size]=1": true,
		"?page[number]=4&page[size]=100000": true, "?page[number]=4&page[cursor]=c&number=other": true,
		"?page[number]=3": false, "?page[number]=2": false, "?page[number]=5": false, "?page[number]=0": false,
		"?page[number]=-1": false, "?page[number]=1000000000": false, "?page[number]=9223372036854775808": false,
		"?page[number]=4.0": false, "?page[number]=4&page[number]=4": false, "?page[number]=4&page[number]=9": false,
		"?page[number]=": false, "?page=4": false, "?page[cursor]=c": false, "?page[size]=25": false,
	} {
		var sent []string
		rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			query, err := url.QueryUnescape(req.URL.RawQuery)
			if sent = append(sent, query); len(sent) == 2 {
				return httpmock.NewStringResponse(200, testkit.ShipmentPage("", "b")), err
			}
			return httpmock.NewStringResponse(200, testkit.ShipmentPage(link, "a")), err
		})
		params := &terminal49.ShipmentListParams{Number: "MAEU1", PageParams: terminal49.PageParams{PageNumber: 3, PageSize: 25}}
		got, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), params))
		if followed {
			require.NoError(t, err, link)
			require.Equal(t, []string{first, "number=MAEU1&page[number]=4&page[size]=25"}, sent, link)
			continue
		}
		require.ErrorIs(t, err, terminal49.ErrPagination, link)
		require.Equal(t, []string{"a"}, shipmentIDs(got), link)
		require.Equal(t, []string{first}, sent, link)
	}
}

// Go servers without omitempty send "" on the last page. On any other it must not end the list in
// silence.
func TestPagination_AnEmptyLinkBeforeTheEnd(t *testing.T) {
	for start, want := range map[int]error{0: terminal49.ErrPagination, 1: terminal49.ErrPagination, 2: nil} {
		rt := testkit.Answer(200, `{"data":[{"id":"a","type":"shipment"}],"links":{"next":""},"meta":{"total":2}}`)
		params := &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: start}}
		items, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), params))
		require.ErrorIs(t, err, want)
		require.Equal(t, []string{"a"}, shipmentIDs(items))
	}
}

// The largest page number has none after it.
func TestPagination_TheLargestNumber(t *testing.T) {
	rt := testkit.Answer(200, testkit.ShipmentPage(fmt.Sprintf("?page[number]=%d", math.MinInt), "a"))
	params := &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: math.MaxInt}}
	_, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), params))
	require.ErrorIs(t, err, terminal49.ErrPagination)
}

// The doc comment of ErrPagination: a list has at most twice as many items as it reports, and
// 1,000.
func TestPagination_MoreItemsThanTheTotalExplains(t *testing.T) {
	for total, want := range map[int]int{0: 1002, 1: 1004, 100: 1202, 1000: 3002} {
		for name, opts := range prefetches() {
			var pages atomic.Int32
			rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				pages.Add(1)
				number, _ := strconv.Atoi(req.URL.Query().Get("page[number]"))
				return httpmock.NewStringResponse(200, fmt.Sprintf(`{"data":[{"id":"%da","type":"shipment"},{"id":"%db","type":"shipment"}],
					"meta":{"total":%d},"links":{"next":"?page[number]=%d"}}`, number, number, total, max(number, 1)+1)), nil
			})
			got, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), nil, opts...))
			require.ErrorIs(t, err, terminal49.ErrPagination, name)
			require.Len(t, got, want, "%s, a total of %d", name, total)
			require.LessOrEqual(t, int(pages.Load()), want/2+9, name)
		}
	}
}

// Lists move while they are read: a list that ends with fewer or more items than it reported is
// whole.
func TestPagination_ATotalThatIsNotReached(t *testing.T) {
	for _, total := range []string{"0", "1", "3", "400", "1000000", "null", `"4"`, "-1", "1e300", "[]", "9223372036854775807"} {
		api := testkit.NewFakeAPI()
		page := func(next, id string) string {
			return `{"data":[{"id":"` + id + `","type":"shipment"}],"meta":{"total":` + total + `},"links":{"next":` + next + `}}`
		}
		api.OnPages("/shipments", map[string]string{pageOne: page(`"?page[number]=2"`, "a"),
			pageTwo: page(`"?page[number]=3"`, "b"), pageThree: page("null", "c")})
		got, err := testkit.Drain(testkit.NewClient(t, api).Shipments.All(t.Context(), nil))
		require.NoError(t, err, total)
		require.Equal(t, []string{"a", "b", "c"}, shipmentIDs(got), total)
	}
}

// The doc comment of ErrPagination: 100,000 pages.
func TestPagination_AListWithoutATotalEnds(t *testing.T) {
	pages, err := terminal49.WalkEndless()
	require.ErrorIs(t, err, terminal49.ErrPagination)
	require.ErrorContains(t, err, "page 100000 is the last that is read")
	require.Equal(t, 100_000, pages)
}

// A link of megabytes is not read, and does not end the list in silence.
func TestPagination_ALinkOfMegabytes(t *testing.T) {
	for length, want := range map[int]error{1 << 10: nil, 64<<10 + 1: terminal49.ErrPagination, 8 << 20: terminal49.ErrPagination} {
		link := "?page[number]=2&x="
		link += strings.Repeat("%5c", length)[:length-len(link)]
		pages := []string{testkit.ShipmentPage(link, "a"), testkit.ShipmentPage("", "b")}
		rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			page := pages[0]
			pages = pages[1:]
			return testkit.Answer(200, page)(req)
		})
		_, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), nil))
		require.ErrorIs(t, err, want)
	}
}

// Transport events, options and other lists are not really paged, and their links may advertise
// pages that do not exist (docs/service.md#lists-without-pages). What was received is not lost.
func TestPagination_KeepsTheItemsOfALinkWithoutAPage(t *testing.T) {
	page := func(typ string) string {
		return `{"data":[{"id":"` + testkit.OptionID + `","type":"` + typ + `"}],"links":{"next":"https://api.example.test/v2/x"}}`
	}
	for name, c := range map[string]struct {
		path, typ string
		list      func(*terminal49.Client) (int, error)
		whole     bool // links are ignored
	}{
		"transport events": {"/containers/" + testkit.ContainerID + "/transport_events", "transport_event", func(c *terminal49.Client) (int, error) {
			list, err := c.Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
			return len(list), err
		}, false},
		"options": {"/custom_field_definitions/" + testkit.DefinitionID + "/options", "custom_field_option", func(c *terminal49.Client) (int, error) {
			list, err := c.CustomFieldOptions.List(t.Context(), testkit.DefinitionID)
			return len(list), err
		}, false},
		"custom fields": {"/shipments/" + testkit.ShipmentID + "/custom_fields", "custom_field", func(c *terminal49.Client) (int, error) {
			list, err := c.Shipments.CustomFields(t.Context(), testkit.ShipmentID)
			return len(list), err
		}, false},
		"definitions": {"/custom_field_definitions", "custom_field_definition", func(c *terminal49.Client) (int, error) {
			list, err := testkit.Drain(c.CustomFieldDefinitions.All(t.Context(), nil))
			return len(list), err
		}, false},
		"webhooks": {"/webhooks", "webhook", func(c *terminal49.Client) (int, error) {
			list, err := testkit.Drain(c.Webhooks.All(t.Context(), nil))
			return len(list), err
		}, false},
		"raw events": {"/containers/" + testkit.ContainerID + "/raw_events", "raw_event", func(c *terminal49.Client) (int, error) {
			list, err := c.Containers.RawEvents(t.Context(), testkit.ContainerID)
			return len(list), err
		}, true},
		"shipping lines": {"/shipping_lines", "shipping_line", func(c *terminal49.Client) (int, error) {
			list, err := c.ShippingLines.List(t.Context())
			return len(list), err
		}, true},
		"search": {"/search", "search_result", func(c *terminal49.Client) (int, error) {
			list, err := c.Search.Query(t.Context(), "MSCU")
			return len(list), err
		}, true},
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", c.path, 200, page(c.typ))
		n, err := c.list(testkit.NewClient(t, api))
		require.Equal(t, 1, n, name)
		require.Equal(t, !c.whole, errors.Is(err, terminal49.ErrPagination), "%s: %v", name, err)
		require.Len(t, api.Requests(), 1, name)
	}
}
