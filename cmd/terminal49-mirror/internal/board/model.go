package board

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// model holds a row of every container, in memory, and wakes those who listen when one changes.
type model struct {
	boot string // differs each time the program is started

	mu        sync.Mutex
	rows      map[string]*row
	names     [len(facets)]map[string]int // how many rows have a name
	changes   uint64                      // how often a row has changed
	sorted    []*row                      // the most urgent first; never changed, but replaced
	unsorted  map[string]bool             // ids whose rows sorted does not have as they are
	listeners map[*listener]bool
	news      news
}

func newModel() *model {
	m := &model{boot: strconv.FormatInt(time.Now().UnixNano(), 36), rows: map[string]*row{}, unsorted: map[string]bool{}, listeners: map[*listener]bool{}, news: news{clock: time.Now}}
	for i := range m.names {
		m.names[i] = map[string]int{}
	}
	return m
}

// put stores rows in the place of those with the same ids.
func (m *model) put(rows ...*row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range rows {
		m.set(r)
	}
}

func (m *model) set(r *row) {
	old := m.rows[r.ID]
	if old != nil && *old == *r {
		return
	}
	m.news.note(old, r)
	m.count(old, -1)
	m.count(r, 1)
	m.rows[r.ID] = r
	m.changed(r.ID, old == nil || old.shown != r.shown)
}

// remove removes rows.
func (m *model) remove(ids ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if old := m.rows[id]; old != nil {
			m.count(old, -1)
			delete(m.rows, id)
			m.changed(id, true)
		}
	}
}

// keepOnly removes the rows that are not in listed, which is everything there is.
func (m *model) keepOnly(listed map[string]bool) {
	var others []string
	m.mu.Lock()
	m.news.noteAll()
	for id := range m.rows {
		if !listed[id] {
			others = append(others, id)
		}
	}
	m.mu.Unlock()
	m.remove(others...)
}

// changed notes that a row has changed, and wakes the listeners if what it shows has.
func (m *model) changed(id string, visibly bool) {
	m.unsorted[id] = true
	if !visibly {
		return
	}
	m.changes++
	for l := range m.listeners {
		l.add(id)
	}
}

// count adds n to the counters of the names that a row has.
func (m *model) count(r *row, n int) {
	if r == nil {
		return
	}
	for i, f := range facets {
		for _, name := range f.of(r) {
			if m.names[i][name] += n; m.names[i][name] <= 0 {
				delete(m.names[i], name)
			}
		}
	}
}

// view is the model at one moment.
type view struct {
	rows    []*row // the most urgent first
	version string
	names   [len(facets)][]string // unless they are too many to choose from, sorted
}

// view returns the model as it is now.
func (m *model) view() view {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := view{rows: m.order(), version: m.version()}
	for i, names := range m.names {
		if delete(names, ""); len(names) <= mostNames {
			v.names[i] = slices.Sorted(maps.Keys(names))
		}
	}
	return v
}

func (m *model) version() string { return m.boot + "-" + strconv.FormatUint(m.changes, 36) }

// order returns the rows, the most urgent first. It merges what has changed into the order before.
func (m *model) order() []*row {
	if len(m.unsorted) == 0 {
		return m.sorted
	}
	var fresh []*row
	for id := range m.unsorted {
		if r := m.rows[id]; r != nil {
			fresh = append(fresh, r)
		}
	}
	slices.SortFunc(fresh, compare)
	sorted := make([]*row, 0, len(m.rows))
	for _, r := range m.sorted {
		if m.unsorted[r.ID] {
			continue
		}
		for len(fresh) > 0 && compare(fresh[0], r) < 0 {
			sorted, fresh = append(sorted, fresh[0]), fresh[1:]
		}
		sorted = append(sorted, r)
	}
	m.sorted, m.unsorted = append(sorted, fresh...), map[string]bool{}
	return m.sorted
}

// has reports whether there is a row with an id.
func (m *model) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rows[id] != nil
}

// hasName reports whether a row has a name.
func (m *model) hasName(facet int, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names[facet][name] > 0
}

// batch is how many containers are read at once.
const batch = 500

// reassess reads the containers again on which the verdict has changed with the clock. A row that
// changes meanwhile is newer.
func (m *model) reassess(ctx context.Context, from source) error {
	m.mu.Lock()
	before := maps.Clone(m.rows)
	m.mu.Unlock()
	now := from.now()
	var due []string
	for _, r := range before {
		if clockOf(&r.standing, now) != r.clock {
			due = append(due, r.ID)
		}
	}
	for ids := range slices.Chunk(due, batch) {
		containers, err := from.containers(ctx, ids)
		if err != nil {
			return err
		}
		rows := newRows(containers, from.now())
		m.mu.Lock()
		for _, r := range rows {
			if m.rows[r.ID] == before[r.ID] {
				m.set(r)
			}
		}
		m.mu.Unlock()
	}
	return nil
}

// listener collects the ids of the rows that change. The lock of the model protects it.
type listener struct {
	model *model
	ids   map[string]bool
	many  bool          // more changed than are collected
	wake  chan struct{} // has a value if something changed
}

// mostIDs is how many ids a listener collects.
const mostIDs = 200

func (l *listener) add(id string) {
	if l.many = l.many || len(l.ids) == mostIDs; l.many {
		clear(l.ids)
	} else {
		l.ids[id] = true
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// listen returns a listener; if most others listen already, false.
func (m *model) listen(most int) (*listener, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.listeners) >= most {
		return nil, false
	}
	l := &listener{model: m, ids: map[string]bool{}, wake: make(chan struct{}, 1)}
	m.listeners[l] = true
	return l, true
}

// take returns the ids since the last call, or that they were many, and the version.
func (l *listener) take() (ids []string, many bool, version string) {
	l.model.mu.Lock()
	defer l.model.mu.Unlock()
	ids, many = slices.AppendSeq([]string{}, maps.Keys(l.ids)), l.many
	clear(l.ids)
	l.many = false
	return ids, many, l.model.version()
}

func (l *listener) stop() {
	l.model.mu.Lock()
	defer l.model.mu.Unlock()
	delete(l.model.listeners, l)
}

// streams returns how many listen.
func (m *model) streams() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.listeners)
}
