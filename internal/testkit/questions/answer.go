package questions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// Answer is what an engine or the oracle answers. What an engine does not report is left out of
// both answers; see [Engine].
type Answer struct {
	Unknown string   // the field and the text that no container has; nothing else is set then
	IDs     []string // of the page, in order
	Rows    []Row    // of the page

	Total   int
	Stopped int // that meet the rest of the filter and are no longer tracked
	Undated int // left out because the day that is asked for is unknown
	Days    map[string]int

	Groups []Group
	Owed   Owed // of a count
}

// Row is what is shown of a container.
type Row struct {
	Number, Situation, Urgency, DaysLeft, LastFreeDay, Place, BoundFor, Owed, Holds string
}

// Group is how many containers have a key.
type Group struct {
	Key, SecondKey string
	Containers     int
	Situations     map[terminal49.Situation]int
	Urgencies      map[terminal49.Urgency]int
	DaysPast       int
	Owed           Owed
}

// Owed is what is owed for several containers.
type Owed struct {
	Amounts             string // by currency, such as "CAD 90 + USD 300"
	Containers, Unknown int
}

// AmountsOf returns the amounts of a sum by currency.
func AmountsOf(fees terminal49.FeeSummary) string {
	var all []string
	for _, sum := range fees.Currencies() {
		if !sum.Owed.IsZero() {
			all = append(all, strings.TrimSpace(sum.CurrencyCode+" "+sum.Owed.String()))
		}
	}
	return strings.Join(all, " + ")
}

// RowOf returns the row of a container with a verdict.
func RowOf(c *terminal49.Container, v *terminal49.Verdict) Row {
	days := ""
	if left, known := v.DaysLeft.Get(); known {
		days = fmt.Sprint(left)
	}
	return Row{
		Number: v.Number, Situation: string(v.Situation), Urgency: string(v.Urgency), DaysLeft: days, LastFreeDay: textOf(v.LastFreeDay.At),
		Place: v.Place.String(), BoundFor: v.BoundFor.String(), Owed: v.Fees.String(), Holds: holdsText(c),
	}
}

// textOf returns the day of a time at its place; "" if it is unknown.
func textOf(t terminal49.Time) string {
	if day, known := t.Date(); known {
		return day.String()
	}
	return ""
}

// holdsText returns the holds of a container; "unknown" if they are not reported.
func holdsText(c *terminal49.Container) string {
	if c.Holds == nil {
		return "unknown"
	}
	all := []string{}
	for _, h := range c.Holds {
		all = append(all, holdKey(h))
	}
	return strings.Join(all, ", ")
}

// Against returns in what an answer differs from the expected one; "" if in nothing.
func (a Answer) Against(want Answer) string {
	text := differences(want.summary(), a.summary())
	if !slices.Equal(a.IDs, want.IDs) {
		return text + fmt.Sprintf("ids: expected %s\nactual %s\n", want.IDs, a.IDs)
	}
	return text + eachDifference("row", want.Rows, a.Rows) + eachDifference("group", want.Groups, a.Groups)
}

// summary returns the answer without its lists.
func (a Answer) summary() Answer {
	a.IDs, a.Rows, a.Groups = nil, nil, nil
	return a
}

// eachDifference returns in what the items of two lists differ.
func eachDifference[T any](what string, want, got []T) (text string) {
	if len(want) != len(got) {
		text = fmt.Sprintf("%ss: expected %d, actual %d\n", what, len(want), len(got))
	}
	for i := range min(len(want), len(got)) {
		if difference := differences(want[i], got[i]); difference != "" {
			text += fmt.Sprintf("%s %d: %s", what, i, difference)
		}
	}
	return text
}

// differences returns the members that differ, as JSON.
func differences(want, got any) (text string) {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	a, b := membersOf(want), membersOf(got)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !bytes.Equal(a[name], b[name]) {
			text += fmt.Sprintf("%s: expected %s, actual %s\n", name, a[name], b[name])
		}
	}
	return text
}

func membersOf(v any) (all map[string]json.RawMessage) {
	text, err := json.Marshal(v)
	if err != nil || json.Unmarshal(text, &all) != nil {
		panic(err)
	}
	return all
}

func strictly(text []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(to)
}
