package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// periods begins, prolongs and ends the periods of containers that a reading shows.
func (w *writer) periods(ctx context.Context, s *step) error {
	if w.r.Ticket == 0 || s.into != schema.TableOf("container") {
		return nil
	}
	for _, p := range schema.PeriodTables {
		if err := w.update(ctx, p, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) update(ctx context.Context, p *schema.PeriodTable, s *step) error {
	now := map[string][]schema.Period{} // of containers that may differ from before
	var shown []*model.Resource
	for _, row := range s.rows {
		if list, said := p.Of(row.said); said {
			now[row.said.ID] = list
			shown = append(shown, row.said)
		}
	}
	begun, ended, err := w.compare(ctx, p, now)
	if err != nil {
		return err
	}
	for _, res := range s.same {
		if model.OrNil(res.Attributes[p.Attribute]) != nil {
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

// compare returns the periods that begin, by container, and the rows of those that end. It updates
// the text of the others.
func (w *writer) compare(ctx context.Context, p *schema.PeriodTable, now map[string][]schema.Period) (begun map[string][]schema.Period, ended []int64, err error) {
	open, err := w.open(ctx, p, now)
	if err != nil {
		return nil, nil, err
	}
	begun = map[string][]schema.Period{}
	for id, list := range now {
		unchanged := func(is, was schema.Period) bool { return is.What == was.What && is.Detail == was.Detail }
		list, was, _ := schema.PairPeriods(list, open[id], unchanged)
		list, was, reworded := schema.PairPeriods(list, was, func(is, was schema.Period) bool { return is.What == was.What })
		for _, is := range reworded {
			if _, err := w.tx.exec(ctx, "update t49."+p.Table+" set description = $1 where n = $2", orNull(is.Detail), is.N); err != nil {
				return nil, nil, err
			}
		}
		if len(list) > 0 {
			begun[id] = list
		}
		for _, o := range was {
			ended = append(ended, o.N)
		}
	}
	return begun, ended, nil
}

// open reads the periods of containers that have not ended.
func (w *writer) open(ctx context.Context, p *schema.PeriodTable, of map[string][]schema.Period) (map[string][]schema.Period, error) {
	open := map[string][]schema.Period{}
	if len(of) == 0 {
		return open, nil
	}
	rows, err := w.tx.query(ctx, "select container_id, n"+textsOf(p)+" from t49."+p.Table+`
where cleared_at is null and container_id in (select value from jsonb_array_elements_text($1::jsonb)) order by n`, keysOf(of))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		id, is, err := scanPeriod(p, rows)
		if err != nil {
			return nil, err
		}
		open[id] = append(open[id], is)
	}
	return open, rows.Err()
}

// textsOf are the columns of scanPeriod after the container and n.
func textsOf(p *schema.PeriodTable) (columns string) {
	for _, c := range p.Columns {
		columns += ", cast(" + c + " as text)"
	}
	return columns
}

// scanPeriod reads a row; more are the columns after those of textsOf.
func scanPeriod(p *schema.PeriodTable, rows *sql.Rows, more ...any) (container string, is schema.Period, err error) {
	values := make([]sql.NullString, len(p.Columns))
	dest := []any{&container, &is.N}
	for i := range values {
		dest = append(dest, &values[i])
	}
	err = rows.Scan(append(dest, more...)...)
	for i, column := range p.Columns {
		switch column {
		case "description":
			is.Detail = values[i].String
		case "counted":
			is.What[i] = strconv.FormatBool(values[i].String == "true" || values[i].String == "1")
		default:
			is.What[i] = values[i].String
		}
	}
	return container, is, err
}

func keysOf(of map[string][]schema.Period) string {
	all := make([]string, 0, len(of))
	for id := range of {
		all = append(all, id)
	}
	slices.Sort(all)
	return string(model.Encode(all))
}

func (w *writer) end(ctx context.Context, p *schema.PeriodTable, rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := w.tx.exec(ctx, "update t49."+p.Table+` set cleared_at = $1
where n in (select cast(value as bigint) from jsonb_array_elements_text($2::jsonb))`, w.tx.time(w.tx.Now), string(model.Encode(rows)))
	return err
}

func (w *writer) prolong(ctx context.Context, p *schema.PeriodTable, shown []*model.Resource) error {
	if len(shown) == 0 {
		return nil
	}
	_, err := w.tx.exec(ctx, "update t49."+p.Table+` set last_seen = $1
where cleared_at is null and container_id in (select value from jsonb_array_elements_text($2::jsonb))`, w.tx.time(w.tx.Now), IDs(shown))
	return err
}

func (w *writer) begin(ctx context.Context, p *schema.PeriodTable, begun map[string][]schema.Period) error {
	if len(begun) == 0 {
		return nil
	}
	var last int64
	if _, err := w.tx.one(ctx, "select coalesce(max(n), 0) from t49."+p.Table, nil, &last); err != nil {
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
	columns := append([]string{"n", "container_id", "first_seen", "last_seen", "source"}, p.Columns...)
	return w.tx.insert(ctx, p.Table, columns, rows, "")
}

func (w *writer) row(p *schema.PeriodTable, container string, is schema.Period) []any {
	row := []any{nil, container, w.tx.time(w.tx.Now), w.tx.time(w.tx.Now), w.r.Source}
	for i, column := range p.Columns {
		switch column {
		case "description":
			row = append(row, orNull(is.Detail))
		case "currency_code":
			row = append(row, orNull(is.What[i]))
		case "counted":
			row = append(row, is.What[i] == "true")
		default:
			row = append(row, is.What[i])
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
