package compatibility_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// sqlForms returns what values write into columns, and what they read of columns that were written
// before. The columns' contents are those of v0.1.0: add others, and change none.
func sqlForms(t *testing.T) (lines []string) {
	for _, text := range []string{
		"2026-03-02T16:00:00Z[America/Los_Angeles]", "2026-03-02T16:00:00.25Z[unknown]", "2026-03-02T16:00:00Z[unreported]",
		"2026-03-02T16:00:00Z[America/Chicago or America/Denver]", "2026-03-02[Asia/Shanghai]", "2026-03-02T16:00:00Z", "2026-03-02T16:00:00-08:00",
	} {
		lines = append(lines, column[terminal49.Time](t, "Time", text), column[terminal49.Time](t, "Time", []byte(text)),
			column[terminal49.Opt[terminal49.Time]](t, "Opt", text))
	}
	instant := time.Date(2026, time.March, 3, 7, 0, 0, 0, time.UTC)
	losAngeles, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return append(lines,
		column[terminal49.Time](t, "Time", instant), column[terminal49.Time](t, "Time", nil),
		column[terminal49.Date](t, "Date", "2026-03-02"), column[terminal49.Date](t, "Date", []byte("2026-03-02")),
		column[terminal49.Date](t, "Date", instant), column[terminal49.Date](t, "Date", instant.In(losAngeles)), column[terminal49.Date](t, "Date", nil),
		column[terminal49.Opt[string]](t, "Opt", "text"), column[terminal49.Opt[string]](t, "Opt", []byte("text")),
		column[terminal49.Opt[string]](t, "Opt", ""), column[terminal49.Opt[string]](t, "Opt", nil),
		column[terminal49.Opt[bool]](t, "Opt", true), column[terminal49.Opt[bool]](t, "Opt", int64(1)), column[terminal49.Opt[bool]](t, "Opt", nil),
		column[terminal49.Opt[int]](t, "Opt", int64(-7)), column[terminal49.Opt[int]](t, "Opt", "12"),
		column[terminal49.Opt[float64]](t, "Opt", 12.5), column[terminal49.Opt[float64]](t, "Opt", "12.5"),
		column[terminal49.Opt[terminal49.Date]](t, "Opt", "2026-03-02"),
		column[terminal49.Opt[decimal.Decimal]](t, "Opt", "1300.50"), column[terminal49.Opt[decimal.Decimal]](t, "Opt", []byte("1300.50")),
	)
}

// column returns the line of a value that is read of a column, and of what that writes.
func column[V any](t *testing.T, name string, stored any) string {
	t.Helper()
	var v V
	text := fmt.Sprint(stored)
	if b, ok := stored.([]byte); ok {
		text = string(b)
	}
	content := fmt.Sprintf("%s: a %s with %T %s", name, reflect.TypeFor[V](), stored, text)
	if err := any(&v).(sql.Scanner).Scan(stored); err != nil {
		return content + " cannot be read"
	}
	written, err := any(v).(driver.Valuer).Value()
	if err != nil {
		return content + " cannot be written"
	}
	if valuer, ok := written.(driver.Valuer); ok { // as database/sql asks again
		if written, err = valuer.Value(); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%s is read, and written as %T %v", content, written, written)
}
