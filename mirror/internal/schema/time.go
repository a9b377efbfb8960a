package schema

import (
	"fmt"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// TimeArgument returns a time as an argument of a statement, and nil for the zero time.
func TimeArgument(d sqlstore.Dialect, t time.Time) any {
	switch {
	case t.IsZero():
		return nil
	case d == sqlstore.SQLite:
		return t.UTC().Format(SQLiteTime)
	}
	return t.UTC()
}

// SQLiteTime sorts as text, and SQLite's own functions read it.
const SQLiteTime = "2006-01-02T15:04:05.000000Z"

// Instant scans a time of either database; the zero time for null.
type Instant struct{ time.Time }

// Scan implements sql.Scanner.
func (i *Instant) Scan(src any) (err error) {
	switch v := src.(type) {
	case nil:
		i.Time = time.Time{}
	case time.Time:
		i.Time = v.UTC()
	case string:
		i.Time, err = time.Parse(SQLiteTime, v)
	default:
		err = fmt.Errorf("mirror: a time is stored as %T", src)
	}
	return err
}
