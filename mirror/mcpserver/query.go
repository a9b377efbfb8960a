package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

var queryTool = mcp.Tool{
	Name: "query",
	Description: "For what no other tool answers: one SQL select, or with and select, over views of the account, in the dialect of the copy: SQLite or Postgres. " +
		"The argument views, without sql, returns the columns of views. A null was not reported. Write dates as text: columns that end with _local are " +
		"the calendar of the place, the others are in UTC. Not offered: writes, other tables, arrays, JSON, recursion.",
}

// viewName is the name of a view.
type viewName string

var queryViews = func() map[viewName]mirror.QueryView {
	all := map[viewName]mirror.QueryView{}
	var names []viewName
	for _, v := range mirror.QueryViews() {
		names, all[viewName(v.Name)] = append(names, viewName(v.Name)), v
	}
	enumOf(names...)
	return all
}()

type queryInput struct {
	SQL     string     `json:"sql,omitempty"`
	Views   []viewName `json:"views,omitempty" jsonschema:"whose columns to return"`
	Limit   int        `json:"limit,omitempty" jsonschema:"rows; default 50, at most 500"`
	Seconds int        `json:"seconds,omitempty" jsonschema:"time for the statement; default 5, at most 15"`
}

type queryAnswer struct {
	common
	Limit   int      `json:"limit,omitempty"`
	Seconds int      `json:"seconds,omitempty"`
	More    bool     `json:"more" jsonschema:"there are more rows; total is what is shown"`
	Columns []string `json:"columns"`
	Rows    [][]cell `json:"rows"`
}

// cell is a value of a row.
type cell struct{ Value any } // nil, bool, int64, float64 or string

func init() {
	enums[reflect.TypeFor[cell]()] = &jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}}
}

// MarshalJSON returns the value.
func (c cell) MarshalJSON() ([]byte, error) { return json.Marshal(c.Value) }

// UnmarshalJSON reads what MarshalJSON returned.
func (c *cell) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &c.Value) }

// isTime matches digits, times and dates, which are not quoted.
var isTime = regexp.MustCompile(`^[0-9][0-9T:. Z-]*$`).MatchString

// String returns a value for a person.
func (c cell) String() string {
	switch v := c.Value.(type) {
	case nil:
		return "-"
	case string:
		if isTime(v) {
			return clean(v)
		}
		return string(quoted(v))
	}
	return fmt.Sprint(c.Value)
}

// mostAnswered bounds the texts of an answer of query, which has them twice.
const mostAnswered = 80 << 10

func (s *server) query(ctx context.Context, in queryInput) (*queryAnswer, error) {
	switch {
	case len(in.Views) > 0 && in.SQL != "":
		return nil, mend("views", "must not be set together with sql")
	case len(in.Views) > 0:
		return describeViews(in.Views), nil
	case in.SQL == "":
		return nil, mend("sql", "must be a select; or ask for the columns of views with the argument views")
	case in.Limit < 0 || in.Limit > 500:
		return nil, mend("limit", "must be from 1 to 500")
	case in.Seconds < 0 || in.Seconds > 15:
		return nil, mend("seconds", "must be from 1 to 15")
	}
	in.Limit, in.Seconds = cmp.Or(in.Limit, 50), cmp.Or(in.Seconds, 5)
	select { // each uses a connection, and as much time as it may
	case s.queries <- struct{}{}:
		defer func() { <-s.queries }()
	case <-ctx.Done():
		return nil, wait(5*time.Second, "other queries are running")
	}
	found, err := s.Reader.Query(ctx, in.SQL, mirror.QueryOptions{MaxRows: in.Limit, Timeout: time.Duration(in.Seconds) * time.Second})
	if err != nil {
		return nil, refusedQuery(err)
	}
	a := answerOf(found)
	a.Limit, a.Seconds = in.Limit, in.Seconds
	return a, nil
}

// refusedQuery returns why a query is refused, with the whole list of what is allowed.
func refusedQuery(err error) error {
	var of *terminal49.ArgumentError
	if !errors.As(err, &of) {
		return err
	}
	parts := strings.Split(of.Problem, ", ")
	for i, part := range parts {
		parts[i] = clean(part)
	}
	return mend("sql", "%s", strings.Join(parts, ", "))
}

func answerOf(found *mirror.QueryResult) *queryAnswer {
	a := &queryAnswer{More: found.More, Columns: []string{}, Rows: [][]cell{}}
	for _, name := range found.Columns {
		a.Columns = append(a.Columns, clean(name))
	}
	size := 0
	for _, values := range found.Rows {
		row := make([]cell, len(values))
		for i, v := range values {
			row[i] = cell{v}
			size += len(row[i].String())
		}
		if size > mostAnswered {
			a.More = true
			break
		}
		a.Rows = append(a.Rows, row)
	}
	a.Total, a.Shown = len(a.Rows), len(a.Rows)
	if a.More {
		a.note("There are more rows. Group them, add a condition or, with an order, read on with limit and offset in the statement.")
	}
	return a
}

// describeViews returns the columns of views.
func describeViews(names []viewName) *queryAnswer {
	a := &queryAnswer{Columns: []string{"view", "column", "type", "meaning"}, Rows: [][]cell{}}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		v := queryViews[name]
		for _, c := range v.Columns {
			a.Rows = append(a.Rows, []cell{{v.Name}, {c.Name}, {c.Type}, {c.Doc}})
		}
		a.note(v.Name + ": " + v.Doc)
	}
	a.Total, a.Shown = len(a.Rows), len(a.Rows)
	return a
}

func (a *queryAnswer) write(p *page) {
	p.line("%s of %s", plural(len(a.Rows), "row", "rows"), quotedAll(a.Columns, " | "))
	for _, row := range a.Rows {
		values := make([]string, len(row))
		for i, c := range row {
			values[i] = c.String()
		}
		p.line("%s", own(strings.Join(values, " | ")))
	}
}
