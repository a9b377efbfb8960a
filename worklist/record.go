package worklist

import (
	"strings"
	"unique"

	"github.com/go-freight/terminal49"
)

// Record is what lists need of a container. It does not depend on the clock, and must not be
// changed.
type Record struct {
	ID       string
	Standing terminal49.Standing
	Facts    Facts

	place, boundFor placeHandle // of the standing
}

// NewRecord returns the record of a container, from its verdict at any time, as [terminal49.Assess]
// returned it.
func NewRecord(c *terminal49.Container, v *terminal49.Verdict) *Record {
	r := &Record{ID: c.ID, Standing: v.Stored(), Facts: factsOf(c, v)}
	r.share()
	return r
}

// ReadRecord reads a record that was stored: the JSON of its standing and of its facts. The error
// is [terminal49.ErrRulesVersion] if another version of the rules made the standing.
func ReadRecord(id string, standing, facts []byte) (*Record, error) {
	r := &Record{ID: id}
	if err := r.Standing.UnmarshalJSON(standing); err != nil {
		return nil, err
	}
	r.share()
	if err := r.Facts.read(facts); err != nil {
		return nil, err
	}
	return r, nil
}

// share replaces texts by a copy that all records share, so that none keeps a longer text.
func (r *Record) share() {
	s := &r.Standing
	s.Number = strings.Clone(s.Number)
	if s.ContainerID == r.ID {
		s.ContainerID = r.ID
	}
	r.place, r.boundFor = unique.Make(s.Place), unique.Make(s.BoundFor)
	s.Place, s.BoundFor = r.place.Value(), r.boundFor.Value()
}

// RecordVersion is the version of what a [Record] has. It is raised with every change of the facts
// that are kept, and of what [Record.Brief] returns. Stored records of another version must be made
// again.
const RecordVersion = 4
