package mirror

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
)

// periods are a table of what a container had for a time, which readings list while it lasts.
type periods struct {
	table     string
	attribute string // of a container; a list, complete unless it is null
	columns   []string
	read      func(list []byte) ([]period, error)
}

// period is a row without its times.
type period struct {
	what   [4]string // the values that tell it apart, in the order of columns
	detail string    // the human-readable text, as last read; it does not distinguish periods
	n      int64     // of a stored row
}

// allPeriods are the tables of periods.
var allPeriods = []*periods{
	{"holds", "holds_at_pod_terminal", []string{"name", "status", "description"}, holdPeriods},
	{"fees", "fees_at_pod_terminal", []string{"type", "amount", "currency_code", "counted"}, feePeriods},
}

func holdPeriods(list []byte) (all []period, err error) {
	var holds []terminal49.Hold
	err = json.Unmarshal(list, &holds)
	for _, h := range holds {
		all = append(all, period{what: [4]string{model.StorableText(string(h.Name)), model.StorableText(string(h.Status))}, detail: model.StorableText(h.Description)})
	}
	return all, err
}

func feePeriods(list []byte) (all []period, err error) {
	var fees []terminal49.Fee
	err = json.Unmarshal(list, &fees)
	counts := countedFees(fees)
	for i, f := range fees {
		all = append(all, period{what: [4]string{
			model.StorableText(string(f.Type)), f.Amount.String(), model.StorableText(f.CurrencyCode), strconv.FormatBool(counts[i]),
		}})
	}
	return all, err
}

// countedFees reports which fees add to what is owed. A total counts only without other fees, and
// once in each currency; totals that conflict do not count.
func countedFees(fees []terminal49.Fee) []bool {
	sum, counted := terminal49.SumFees(fees), make([]bool, len(fees))
	taken := map[string]bool{}
	for i, f := range fees {
		if f.Type != terminal49.FeeTotal {
			counted[i] = true
			continue
		}
		total, has := sum.In(f.CurrencyCode).Total.Get()
		counted[i] = has && !sum.TotalExcluded && total.Equal(f.Amount) && !taken[f.CurrencyCode]
		taken[f.CurrencyCode] = taken[f.CurrencyCode] || counted[i]
	}
	return counted
}

// periods begins, prolongs and ends the periods of containers that a reading shows.
func (w *writer) periods(ctx context.Context, s *step) error {
	if w.r.ticket == 0 || s.into != tableOf("container") {
		return nil
	}
	for _, p := range allPeriods {
		if err := w.update(ctx, p, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) update(ctx context.Context, p *periods, s *step) error {
	now := map[string][]period{} // of containers that may differ from before
	var shown []*model.Resource
	for _, row := range s.rows {
		if list, said := p.of(row.said); said {
			now[row.ID] = list
			shown = append(shown, row.said)
		}
	}
	begun, ended, err := w.compare(ctx, p, now)
	if err != nil {
		return err
	}
	for _, res := range s.same {
		if model.OrNil(res.Attributes[p.attribute]) != nil {
			shown = append(shown, res)
		}
	}
	if err := w.end(ctx, p, ended); err != nil {
		return err
	}
	if err := w.prolong(ctx, p, shown); err != nil {
		return err
	}
	return w.begin(ctx, p, begun)
}

// of returns what a container has. It returns false if the reading does not say it.
func (p *periods) of(container *model.Resource) (list []period, said bool) {
	value := model.OrNil(container.Attributes[p.attribute])
	if value == nil {
		return nil, false
	}
	list, err := p.read(value)
	return list, err == nil
}

// compare returns the periods that begin, by container, and the rows of those that end. It updates
// the text of the others.
func (w *writer) compare(ctx context.Context, p *periods, now map[string][]period) (begun map[string][]period, ended []int64, err error) {
	open, err := w.open(ctx, p, now)
	if err != nil {
		return nil, nil, err
	}
	begun = map[string][]period{}
	for id, list := range now {
		unchanged := func(is, was period) bool { return is.what == was.what && is.detail == was.detail }
		list, was, _ := pair(list, open[id], unchanged)
		list, was, reworded := pair(list, was, func(is, was period) bool { return is.what == was.what })
		for _, is := range reworded {
			if _, err := w.exec(ctx, "update t49."+p.table+" set description = $1 where n = $2", orNull(is.detail), is.n); err != nil {
				return nil, nil, err
			}
		}
		if len(list) > 0 {
			begun[id] = list
		}
		for _, o := range was {
			ended = append(ended, o.n)
		}
	}
	return begun, ended, nil
}

// pair pairs the periods of two lists, and returns those that are left, and those of list that have
// a pair, with its row.
func pair(list, was []period, equal func(is, was period) bool) (begun, ended, paired []period) {
	for _, is := range list {
		i := slices.IndexFunc(was, func(o period) bool { return equal(is, o) })
		if i < 0 {
			begun = append(begun, is)
			continue
		}
		is.n = was[i].n
		paired = append(paired, is)
		was = slices.Delete(slices.Clone(was), i, i+1)
	}
	return begun, was, paired
}

// open reads the periods of containers that last.
func (w *writer) open(ctx context.Context, p *periods, of map[string][]period) (map[string][]period, error) {
	open := map[string][]period{}
	if len(of) == 0 {
		return open, nil
	}
	columns := ""
	for _, c := range p.columns {
		columns += ", cast(" + c + " as text)"
	}
	rows, err := w.query(ctx, "select container_id, n"+columns+" from t49."+p.table+`
where cleared_at is null and container_id in (select value from jsonb_array_elements_text($1::jsonb)) order by n`, keysOf(of))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		id, is, err := p.scan(rows)
		if err != nil {
			return nil, err
		}
		open[id] = append(open[id], is)
	}
	return open, rows.Err()
}

func (p *periods) scan(rows *sql.Rows) (container string, is period, err error) {
	values := make([]sql.NullString, len(p.columns))
	dest := []any{&container, &is.n}
	for i := range values {
		dest = append(dest, &values[i])
	}
	err = rows.Scan(dest...)
	for i, column := range p.columns {
		switch column {
		case "description":
			is.detail = values[i].String
		case "counted":
			is.what[i] = strconv.FormatBool(values[i].String == "true" || values[i].String == "1")
		default:
			is.what[i] = values[i].String
		}
	}
	return container, is, err
}

func keysOf(of map[string][]period) string {
	all := make([]string, 0, len(of))
	for id := range of {
		all = append(all, id)
	}
	slices.Sort(all)
	return string(model.Encode(all))
}

func (w *writer) end(ctx context.Context, p *periods, rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := w.exec(ctx, "update t49."+p.table+` set cleared_at = $1
where n in (select cast(value as bigint) from jsonb_array_elements_text($2::jsonb))`, w.time(w.now), string(model.Encode(rows)))
	return err
}

func (w *writer) prolong(ctx context.Context, p *periods, shown []*model.Resource) error {
	if len(shown) == 0 {
		return nil
	}
	_, err := w.exec(ctx, "update t49."+p.table+` set last_seen = $1
where cleared_at is null and container_id in (select value from jsonb_array_elements_text($2::jsonb))`, w.time(w.now), ids(shown))
	return err
}

func (w *writer) begin(ctx context.Context, p *periods, begun map[string][]period) error {
	if len(begun) == 0 {
		return nil
	}
	var last int64
	if _, err := w.one(ctx, "select coalesce(max(n), 0) from t49."+p.table, nil, &last); err != nil {
		return err
	}
	var rows [][]any
	for id, list := range begun {
		for _, is := range list {
			rows = append(rows, w.row(p, id, is))
		}
	}
	slices.SortStableFunc(rows, func(a, b []any) int { return cmp.Compare(a[1].(string), b[1].(string)) })
	for i := range rows {
		rows[i][0] = last + int64(i) + 1
	}
	columns := append([]string{"n", "container_id", "first_seen", "last_seen", "source"}, p.columns...)
	return w.insert(ctx, p.table, columns, rows, "")
}

func (w *writer) row(p *periods, container string, is period) []any {
	row := []any{nil, container, w.time(w.now), w.time(w.now), w.r.source}
	for i, column := range p.columns {
		switch column {
		case "description":
			row = append(row, orNull(is.detail))
		case "currency_code":
			row = append(row, orNull(is.what[i]))
		case "counted":
			row = append(row, is.what[i] == "true")
		default:
			row = append(row, is.what[i])
		}
	}
	return row
}

// orNull returns nil for "".
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
