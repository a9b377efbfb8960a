//go:build unix

package proof

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// columnFaults compares each column that has the name of an attribute with the service's value, and
// holds and fees with their open periods.
func columnFaults(t testing.TB, s *stored, srv *terminal49test.Server) (list []string) {
	t.Helper()
	world, compared := worldOf(t, srv), 0
	for _, table := range slices.Compact(slices.Sorted(maps.Values(kinds))) {
		s.wide(t, "select * from t49."+table+" where deleted_at is null", func(row map[string]any) {
			k := key{fmt.Sprint(row["type"]), fmt.Sprint(row["id"])}
			for name, want := range world[k].Attributes {
				got, column := row[name]
				if !column || name == "id" {
					continue
				}
				compared++
				if !isValue(got, want) && !(got == nil && isMoment(want) && row[name+"_local"] != nil) {
					list = append(list, fmt.Sprintf("%v: %s is %v, and the column has %v", k, name, want, got))
				}
			}
		})
	}
	if compared < 100 {
		list = append(list, fmt.Sprintf("only %d columns could be compared", compared))
	}
	return append(list, periodFaults(t, s, world)...)
}

// wide calls f with each row, by column.
func (s *stored) wide(t testing.TB, text string, f func(map[string]any)) {
	t.Helper()
	rows, err := s.Query(s.statement(text))
	require.NoError(t, err)
	defer rows.Close()
	names, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		values, dest := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			dest[i] = &values[i]
		}
		require.NoError(t, rows.Scan(dest...))
		row := map[string]any{}
		for i, name := range names {
			row[name] = values[i]
		}
		f(row)
	}
	require.NoError(t, rows.Err())
}

// moment parses a time as the service or SQLite writes it.
func moment(text string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339Nano, text)
	return at, err == nil
}

func isMoment(want any) bool {
	text, ok := want.(string)
	if ok {
		_, ok = moment(text)
	}
	return ok
}

// isValue reports whether a column has the value of an attribute.
func isValue(got, want any) bool {
	if b, ok := got.([]byte); ok {
		got = string(b)
	}
	switch want := want.(type) {
	case nil:
		return got == nil
	case string:
		at, _ := moment(want)
		switch got := got.(type) {
		case time.Time:
			return got.Equal(at)
		case string:
			stored, isTime := moment(got)
			return got == want || isTime && stored.Equal(at) || sameJSON([]byte(got), encoded(want))
		}
		n, err := strconv.ParseFloat(want, 64) // coordinates are text, and stored as numbers
		return err == nil && got == n
	case bool:
		return got == want || got == map[bool]int64{true: 1}[want]
	case float64:
		n, err := strconv.ParseFloat(fmt.Sprint(got), 64)
		return err == nil && n == want
	}
	text, ok := got.(string)
	return ok && sameJSON([]byte(text), encoded(want))
}

// periodFaults compares the periods that are open with the holds and fees of the containers.
func periodFaults(t testing.TB, s *stored, world map[key]resource) (list []string) {
	t.Helper()
	open := map[string][]string{}
	add := func(c []sql.NullString) {
		open[c[0].String] = append(open[c[0].String], c[1].String+" "+c[2].String)
	}
	s.each(t, "select container_id, name, status from t49.holds where cleared_at is null", add)
	s.each(t, "select container_id, type, amount::text from t49.fees where cleared_at is null", func(c []sql.NullString) {
		c[2].String = strings.TrimSuffix(strings.TrimRight(c[2].String, "0"), ".")
		add(c)
	})
	for k, r := range world {
		if k.Type != "container" {
			continue
		}
		want, got := periods(t, r), slices.Sorted(slices.Values(open[k.ID]))
		if !slices.Equal(want, slices.Compact(got)) {
			list = append(list, fmt.Sprintf("%v has the holds and fees %q, and the open periods %q", k, want, got))
		}
	}
	return list
}

// periods returns the holds and fees of a container, each once.
func periods(t testing.TB, r resource) (list []string) {
	t.Helper()
	var items struct {
		Holds []struct{ Name, Status string } `json:"holds_at_pod_terminal"`
		Fees  []struct {
			Type   string
			Amount json.Number
		} `json:"fees_at_pod_terminal"`
	}
	require.NoError(t, json.Unmarshal(encoded(r.Attributes), &items))
	for _, h := range items.Holds {
		list = append(list, h.Name+" "+h.Status)
	}
	for _, f := range items.Fees {
		list = append(list, f.Type+" "+strings.TrimSuffix(strings.TrimRight(string(f.Amount), "0"), "."))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
