package mirror

import (
	"slices"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// verifyPage is how many rows are read at once. A page is read completely before the service is
// called or the caller receives a difference, so that no statement stays open meanwhile.
const verifyPage = 500

// stored compares the columns of all rows of a table with their raw JSON, and notes the rows that
// no list showed.
func (v *verification) stored(t *schema.Table) error {
	p := &storedPage{table: t}
	for p.more = true; p.more; {
		if err := v.readPage(p); err != nil {
			return err
		}
		for _, d := range p.wrong {
			if !v.yield(d, nil) {
				return errEnough
			}
		}
		if len(v.suspects) >= mostSuspects {
			if err := v.again(); err != nil {
				return err
			}
		}
	}
	return v.again()
}

// storedPage is a page of the rows of a table.
type storedPage struct {
	table *schema.Table
	last  string // id of the last row that was read
	more  bool   // rows may follow
	wrong []Difference
}

// readPage reads the next page.
func (v *verification) readPage(p *storedPage) error {
	rows, err := v.m.db.StoredRows(v.ctx, p.table, p.last, verifyPage)
	p.wrong, p.more = nil, len(rows) == verifyPage
	for _, row := range rows {
		p.last = row.ID
		if row.Present && v.allListed(p.table) && !v.seen.has(v.hash(row.Type, row.ID)) {
			v.suspects = append(v.suspects, suspect{Ref: row.Ref})
		}
		for _, c := range row.Wrong {
			p.wrong = append(p.wrong, Difference{row.Type, row.ID, c.Name, c.Stored, c.Raw})
		}
	}
	return err
}

// allListed reports whether the lists show all resources of a table, listed or included.
func (v *verification) allListed(t *schema.Table) bool { return !t.Facts() && v.unlisted[t] == nil }

// hashes is a set of hashes, about 10 bytes each. Call sort after the last add and before has.
type hashes [256][]uint64

// add adds a hash. Before a full part grows, add removes its duplicates: two lists show each
// container.
func (h *hashes) add(x uint64) {
	part := h[x>>56]
	if len(part) == cap(part) {
		slices.Sort(part)
		part = slices.Compact(part)
		part = slices.Grow(part, len(part)/4+1)
	}
	h[x>>56] = append(part, x)
}

func (h *hashes) sort() {
	for i := range h {
		slices.Sort(h[i])
	}
}

func (h *hashes) has(x uint64) bool {
	_, found := slices.BinarySearch(h[x>>56], x)
	return found
}
