package mirror

import (
	"fmt"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Retention is how long a mirror keeps what only grows. The zero value of a field means for ever.
// See [WithRetention].
type Retention struct {
	// Changes is how long the table changes keeps a change, at least 48 hours. A reader that is
	// further behind gets [ErrPositionPruned], and so does a new reader that starts at the beginning.
	Changes time.Duration

	// Inbox is how long applied notifications and dead letters are kept, at least 15 days, because
	// audits compare the inbox with the service's log of the last 14. Those that could not be applied
	// stay.
	Inbox time.Duration

	// Facts is how long estimates and container_events are kept after they were reported, at least 15
	// days. Only notifications contain them. Transport events stay, because lists show them again.
	Facts time.Duration
}

// WithRetention makes [Mirror.Run] delete what is older than a time, once an hour, in short
// transactions. The default is to keep everything. Deletions by age are not in the table changes.
// Nothing is deleted until the mirror has run for a day without a pause or jump of the clock of
// more than a day: a clock that is wrong must not delete what is recent.
func WithRetention(keep Retention) Option {
	return func(o *worker.Options) error {
		for _, field := range []struct {
			name        string
			keep, least time.Duration
		}{{"Changes", keep.Changes, 48 * time.Hour}, {"Inbox", keep.Inbox, 15 * 24 * time.Hour}, {"Facts", keep.Facts, 15 * 24 * time.Hour}} {
			if field.keep != 0 && field.keep < field.least {
				return invalid("Retention."+field.name, fmt.Sprintf("must be 0, to keep everything, or at least %.0f hours", field.least.Hours()))
			}
		}
		o.Keep = worker.Retention(keep)
		return nil
	}
}
