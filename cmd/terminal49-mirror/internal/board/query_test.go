package board

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// An estimate that has passed is within any number of days, and only estimates are late.
func TestQuery_Arrival(t *testing.T) {
	now := time.Date(2026, time.November, 12, 20, 0, 0, 0, time.UTC)
	at := func(days int) terminal49.Time {
		return terminal49.NewTime(now.AddDate(0, 0, days), "America/Los_Angeles")
	}
	atSea := func(eta, first int) *terminal49.Container {
		return &terminal49.Container{CurrentStatus: terminal49.StatusOnShip, PODTimezone: "America/Los_Angeles", Shipment: terminal49.Included("s",
			&terminal49.Shipment{PortOfDischargeLOCODE: "USLAX", PODETA: at(eta), PODOriginalETA: at(first)})}
	}
	for name, c := range map[string]struct {
		container *terminal49.Container
		want      []string
	}{
		"in two days, on time":       {atSea(2, 2), []string{"in 3", "in 7"}},
		"in two days, two days late": {atSea(2, 0), []string{"in 3", "in 7", "late 1"}},
		"in nine days, early":        {atSea(9, 12), nil},
		"was expected yesterday":     {atSea(-1, -8), []string{"in 1", "in 3", "in 7", "late 1", "late 3", "late 7"}},
		"there for three days":       {&terminal49.Container{PODArrivedAt: at(-3), Shipment: atSea(-3, -3).Shipment}, []string{"for 3"}},
		"there for two days, late":   {&terminal49.Container{PODArrivedAt: at(-2), Shipment: atSea(-2, -9).Shipment}, nil},
		"nowhere":                    {&terminal49.Container{}, nil},
	} {
		var admitted []string
		for _, choice := range arrivalChoices[1:] {
			q := query{now: now, Arrival: choice.Value}
			if q.admitsArrival(newRow(c.container, now)) {
				admitted = append(admitted, choice.Value)
			}
		}
		require.Equal(t, c.want, admitted, name)
	}
}

// A link to the list has all that the list is limited to and sorted by, so that nothing is lost
// when a page or a heading is chosen.
func TestQuery_LinksKeepEverything(t *testing.T) {
	const all = "/?arrival=in+7&customer=a&day=2026-11-27&lfd=3&line=b&place=c&port=d&q=e&situation=held&sort=-lfd&urgency=overdue&vessel=f"
	values := map[string][]string{"arrival": {"in 7"}, "customer": {"a"}, "day": {"2026-11-27"}, "lfd": {"3"}, "line": {"b"}, "place": {"c"}, "port": {"d"},
		"q": {"e"}, "situation": {"held"}, "sort": {"-lfd"}, "urgency": {"overdue"}, "vessel": {"f"}, "page": {"3"}}
	q := parseQuery(values, newModel(), time.Time{})
	require.Empty(t, q.Mistake)
	require.Equal(t, 3, q.Page)
	require.Equal(t, all, q.Link("/"))
	require.Equal(t, "/", query{}.Link("/", "page", "1"))
}

// A sorted list has rows without a value last, in both directions.
func TestQuery_Sorts(t *testing.T) {
	m := newModel()
	for id, day := range map[string]string{"1": "2026-11-27", "2": "", "3": "2026-11-28"} {
		m.put(&row{shown: shown{ID: id, LFD: day}})
	}
	for sort, want := range map[string][]string{"lfd": {"1", "3", "2"}, "-lfd": {"3", "1", "2"}} {
		q := query{Sort: sort}
		var ids []string
		for _, r := range q.run(m.view().rows).rows {
			ids = append(ids, r.ID)
		}
		require.Equal(t, want, ids, sort)
	}
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

// A vessel with its voyage, as people write it.
func TestQuery_VesselAndVoyage(t *testing.T) {
	m := newModel()
	m.put(&row{shown: shown{ID: "1", Vessel: "NORTHERN JUBILEE 042E"}}, &row{shown: shown{ID: "2", Vessel: "MV STAR 1E"}}, &row{shown: shown{ID: "3"}})
	for part, want := range map[string]int{
		"northern jubilee 042e": 1, "NORTHERN JUBILEE, 042E": 1, "M/V Northern Jubilee V.042E": 1, "mv northern jubilee voyage 042E": 1, "jubilee": 1,
		"northern jubilee 043E": 0, "star": 1, "voyage": 0, ",": 0, "mv": 1, "": 3,
	} {
		q := parseQuery(url.Values{"vessel": {part}}, m, time.Time{})
		require.Len(t, q.run(m.view().rows).rows, want, part)
	}
}
