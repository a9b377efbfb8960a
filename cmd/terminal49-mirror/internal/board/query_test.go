package board

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A link to the list has all that the list is limited to and sorted by, so that nothing is lost
// when a page or a heading is chosen.
func TestQuery_LinksKeepEverything(t *testing.T) {
	const all = "/?customer=a&days=7&days_left_to=3&last_free_day_from=2026-11-27&line=b&port=d&q=e&situation=held&sort=-last_free_day&terminal=c&urgency=overdue&vessel=f&work=arriving"
	values, err := url.ParseQuery(strings.TrimPrefix(all, "/?") + "&page=3")
	require.NoError(t, err)
	q := parseQuery(values)
	require.Empty(t, q.Mistake)
	require.Equal(t, 3, q.Page)
	require.Equal(t, all, q.Link("/"))
	require.Equal(t, "/", query{}.Link("/", "page", "1"))
}

// Numbers are pasted one under the other, which a field of one line makes spaces of, and with
// spaces and dashes in them. A text that is not a list of numbers is looked for as it is.
func TestQuery_Numbers(t *testing.T) {
	for text, want := range map[string][]string{
		"EGHU9023165 OOCU 1007335":                          {"EGHU9023165", "OOCU1007335"},
		"EGHU9023165 HLBU 100629-2 hlbu 100629 3":           {"EGHU9023165", "HLBU1006292", "HLBU1006293"},
		"MAEU240000044 OOCU 1007335":                        {"OOCU1007335", "MAEU240000044"},
		"MSKU 718204-7":                                     {"MSKU7182047"},
		"MSKU7182047 MSKU7182411":                           {"MSKU7182047", "MSKU7182411"},
		"TCLU 1234567, MSCU 9999994;\nMSKU 718204 7\tX":     {"TCLU1234567", "MSCU9999994", "MSKU7182047", "X"},
		"OOCU 1007335 MSKU7182047 PO 7702":                  {"OOCU1007335", "MSKU7182047", "PO7702"},
		"ABCD 1234567 XY":                                   {"ABCD1234567XY"},
		"MSKU\u200b7182047 \uff2d\uff33\uff23\uff351234566": {"MSKU7182047", "MSCU1234566"},
		"coral heron 965E":                                  {"CORALHERON965E"},
		" ":                                                 nil,
	} {
		require.Equal(t, want, termsOf(text), text)
	}
}

// What cannot be understood is said, and admits nothing.
func TestQuery_Mistakes(t *testing.T) {
	p := newPage(t)
	for address, want := range map[string]string{
		"/?lfd=3": `The filter "lfd" must not be set: it is not a filter`, "/?days_left_to=x": `The filter "days_left_to" must be a whole number of days, not "x"`,
		"/?situation=gone": `The filter "situation" must be situations such as ready`, "/?line=Mearsk": `No container has "Mearsk" for line; the nearest are `,
		"/?days=3": `The filter "days" must not be set without`,
	} {
		text := html.UnescapeString(p.get(address))
		require.Contains(t, text, want)
		require.NotContains(t, text, `<tr id="c-`, address)
	}
	require.Contains(t, p.get("/?sort=seal"), "cannot be sorted by that")
}
