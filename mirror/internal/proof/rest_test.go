//go:build unix

package proof

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// observer reads containers that are at rest: the notification of the latest change has been
// applied, even if older ones are still to arrive, and no mark requires another read. By the rule
// the row must then be what the service has, even if nothing else is ever read.
type observer struct {
	*story
	written  int   // rows, when it last looked
	seen     []int // by history, the latest version that was at rest
	rests    int
	tickets  []int64 // by history, of the row
	wrongs   map[int]bool
	problems []string
}

func newObserver(s *story) *observer {
	return &observer{story: s, seen: make([]int, s.size), tickets: make([]int64, s.size), wrongs: map[int]bool{}}
}

// watch reads the rows until stop is called.
func (o *observer) watch() (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(o.looks)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				o.look()
			case <-quit:
				return
			}
		}
	}()
	return func() { close(quit); <-done }
}

// notifiedVersions returns the version of each history; -1 if its notification is still to arrive.
func (o *observer) notifiedVersions() []int {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := make([]int, len(o.histories))
	for i, h := range o.histories {
		list[i] = -1
		if h.notified == h.version {
			list[i] = h.version
		}
	}
	return list
}

// look compares the rows of the containers that are at rest, before and after it reads them.
func (o *observer) look() {
	written := o.db.count(o.t, "select total_changes()")
	if written == o.written {
		return
	}
	o.written = written
	before := o.notifiedVersions()
	rows := o.resting()
	after := o.notifiedVersions()
	for i, row := range rows {
		if row.ticket < o.tickets[i] {
			o.problems = append(o.problems, fmt.Sprintf("the ticket of container %d is %d after %d", i, row.ticket, o.tickets[i]))
		}
		o.tickets[i] = row.ticket
		if before[i] < 0 || before[i] != after[i] || !row.atRest {
			continue
		}
		if o.seen[i] < before[i] {
			o.seen[i] = before[i]
			o.rests++
		}
		if row.location != location(i, before[i]) && !o.wrongs[i] {
			o.wrongs[i] = true
			o.problems = append(o.problems, fmt.Sprintf("container %s is at rest with %s, not version %d", o.histories[i].container, row.location, before[i]))
		}
	}
}

// restRow is what is stored of a container.
type restRow struct {
	location string
	ticket   int64
	atRest   bool
}

// resting reads the rows of the containers, by history.
func (o *observer) resting() map[int]restRow {
	rows := map[int]restRow{}
	o.db.each(o.t, `
select c.location_at_pod_terminal, c.ticket,
  not exists (select 1 from t49.inbox where state <> 'done') and
  not exists (select 1 from t49.dirty d where d.kind = 'container' and d.id = c.id) and
  not exists (select 1 from t49.dirty d where d.kind = 'shipment' and d.id = c.shipment_id)
from t49.containers c`, func(c []sql.NullString) {
		history, _, _ := strings.Cut(c[0].String, ",")
		i, err := strconv.Atoi(history)
		if err != nil {
			o.problems = append(o.problems, "a container is at "+c[0].String)
			return
		}
		ticket, _ := strconv.ParseInt(c[1].String, 10, 64)
		rows[i] = restRow{c[0].String, ticket, c[2].String == "1"}
	})
	return rows
}
