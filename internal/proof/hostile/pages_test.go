package hostile_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// These tests use the responses of a broken or hostile service.

// barrenPages is how many pages in a row may have no new items.
const barrenPages = 20

func TestHostile_AListThatIgnoresThePageNumberEnds(t *testing.T) {
	requests := 0
	rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		requests++
		next := fmt.Sprintf("https://api.example.test/v2/shipments?page[number]=%d", requests+1)
		return testkit.Answer(200,
			`{"data":[{"id":"a","type":"shipment"},{"id":"b","type":"shipment"}],"links":{"next":"`+next+`"}}`)(r)
	})
	var got []string
	for s, err := range testkit.NewClient(t, rt, terminal49.WithoutRateLimits()).Shipments.All(t.Context(), nil) {
		if err != nil {
			require.ErrorIs(t, err, terminal49.ErrPagination)
			got = append(got, "error")
			continue
		}
		got = append(got, s.ID)
	}
	require.Equal(t, []string{"a", "b", "error"}, got)
	require.Equal(t, 1+barrenPages+1, requests)
}

func TestHostile_ANextLinkWithoutAPageIsAnError(t *testing.T) {
	for _, next := range []string{"?", "mailto:x", "https://elsewhere.example/",
		"https://api.example.test/v2/shipments?page[number]=2;x", "https://a/?include=containers"} {
		requests := 0
		rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			requests++
			return testkit.Answer(200, `{"data":[{"id":"a","type":"shipment"}],"links":{"next":"`+next+`"}}`)(r)
		})
		_, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), nil))
		require.ErrorIs(t, err, terminal49.ErrPagination, next)
		require.Equal(t, 1, requests, next)
	}
}

func TestHostile_ANextLinkWithoutTheFilterKeepsIt(t *testing.T) {
	var queries []string
	rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		queries = append(queries, r.URL.Query().Get("number")+" "+r.URL.Query().Get("page[number]"))
		if len(queries) == 2 {
			return testkit.Answer(200, `{"data":[]}`)(r)
		}
		return testkit.Answer(200,
			`{"data":[{"id":"a","type":"shipment"}],"links":{"next":"/v2/shipments?page[number]=2"}}`)(r)
	})
	_, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(),
		&terminal49.ShipmentListParams{Number: "MAEU1"}))
	require.NoError(t, err)
	require.Equal(t, []string{"MAEU1 ", "MAEU1 2"}, queries)
}

// Otherwise a list of one customer's shipments could continue with another's.
func TestHostile_ANextLinkCannotChangeTheFilter(t *testing.T) {
	var queries []string
	rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		queries = append(queries,
			r.URL.Query().Get("filter[customer_id]")+" "+r.URL.Query().Get("page[number]")+" "+
				r.URL.Query().Get("page[size]"))
		if len(queries) == 2 {
			return testkit.Answer(200, `{"data":[]}`)(r)
		}
		return testkit.Answer(200,
			`{"data":[{"id":"a","type":"shipment"}],"links":{"next":"?filter[customer_id]=other&page[number]=2&page[size]=25"}}`)(r)
	})
	_, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(),
		&terminal49.ShipmentListParams{CustomerID: "mine"}))
	require.NoError(t, err)
	require.Equal(t, []string{"mine  100", "mine 2 100"}, queries)
}

func TestHostile_ManyEmptyResourcesAreRefused(t *testing.T) {
	for _, member := range []string{"data", "included"} {
		body := `{"data":[],"` + member + `":[` + strings.Repeat("{},", 300_000) + `{}]}`
		_, err := testkit.NewClient(t, testkit.Answer(200, body)).Shipments.List(t.Context(), nil)
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, member)
		require.ErrorContains(t, err, "resources")
	}
}

func TestHostile_DataWithoutResourcesAreNotAnEmptyList(t *testing.T) {
	for _, data := range []string{`"x"`, `5`, `true`, `[[]]`, `["a","b"]`} {
		_, err := testkit.NewClient(t, testkit.Answer(200, `{"data":`+data+`}`)).Shipments.List(t.Context(), nil)
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, data)
	}
	_, err := testkit.NewClient(t, testkit.Answer(200, `{"data":{}}`)).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.ErrorContains(t, err, "without an id")
}

func TestHostile_AnEchoedTokenIsRedacted(t *testing.T) {
	const token = "abc/def+ghi"
	escaped := strings.NewReplacer("/", `\/`, "+", `\u002b`).Replace(token)
	rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := testkit.Answer(401, `{"errors":[{"title":"`+escaped+`","meta":{"`+escaped+`":["`+escaped+`"]}}]}`)(r)
		resp.Header.Set("X-Request-Id", token)
		return resp, err
	})
	client, err := terminal49.New(token, terminal49.WithHTTPClient(&http.Client{Transport: rt}))
	require.NoError(t, err)
	_, err = client.Shipments.List(t.Context(), nil)
	var refused *terminal49.APIError
	require.ErrorAs(t, err, &refused)
	for _, form := range []string{"%v", "%+v", "%#v"} {
		require.NotContains(t, fmt.Sprintf(form, refused), token)
	}
	require.Equal(t, "[secret]", refused.Errors[0].Title)

	client, err = terminal49.New(token,
		terminal49.WithHTTPClient(&http.Client{Transport: testkit.Answer(200, `{"at":"Token `+token+`"}`)}))
	require.NoError(t, err)
	var out struct{ At time.Time }
	err = client.Do(t.Context(), terminal49.Request{Method: "GET", Path: "/odd"}, &out)
	require.Error(t, err)
	for ; err != nil; err = errors.Unwrap(err) {
		require.NotContains(t, err.Error(), token)
	}
}

// A body without error objects is kept as text, where a token may be escaped as in JSON, HTML or
// URLs, or split by a byte that is dropped.
func TestHostile_ATokenEchoedInAPageIsRedacted(t *testing.T) {
	const token = "abc/def+ghi"
	for _, echoed := range []string{token, `abc\/def\u002Bghi`, `abc\\u002fdef+ghi`, "abc&#47;def&#x2B;ghi",
		"abc%2fdef%2Bghi", "%61bc/def+gh&#105", "abc/\xffdef+ghi"} {
		for _, page := range []string{`<p>%s</p>`, `{"note":"%s"}`, `{"errors":[{"detail":"%s`} {
			client, err := terminal49.New(token,
				terminal49.WithHTTPClient(&http.Client{Transport: testkit.Answer(403, fmt.Sprintf(page, echoed))}))
			require.NoError(t, err)
			_, err = client.Shipments.List(t.Context(), nil)
			var refused *terminal49.APIError
			require.ErrorAs(t, err, &refused)
			require.Contains(t, refused.Body, "[secret]", echoed)
			require.NotContains(t, refused.Body, "def", echoed)
		}
	}
}

func TestHostile_AnAccessTokenIsSentAsBearer(t *testing.T) {
	var sent string
	client, err := terminal49.New("Bearer abc", terminal49.WithAccountID("a1"),
		terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			sent = r.Header.Get("Authorization")
			return testkit.Answer(200, `{"data":[]}`)(r)
		})}))
	require.NoError(t, err)
	_, err = client.Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, "Bearer abc", sent)
}
