package worklist

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
)

// This file has the short form in which a database keeps what a worklist asks of every container.

// briefVersion begins each brief.
var briefVersion = strconv.Itoa(terminal49.RulesVersion) + "." + strconv.Itoa(RecordVersion)

// The flags of a brief.
const (
	briefPlaced  = 'p' // the container is at a place
	briefHeld    = 'h' // a hold is in force
	briefOwes    = 'o'
	briefStopped = 's'
)

// briefPlace is the place of a record that was read from a brief, which does not have it.
var briefPlace = terminal49.VerdictPlace{Name: "a place"}

// Brief returns a text of about 150 bytes, from which [ReadBrief] makes a record for some
// questions. It is "" for the few records that have none, because a zone has an unusual name.
func (r *Record) Brief() string {
	s, f := &r.Standing, &r.Facts
	text := strings.Join([]string{
		briefVersion, r.briefFlags(), string(s.Situation), string(s.OldSituation), string(s.UrgencyReason), string(f.Stage),
		textOf(f.OriginalETA), textOf(s.CheckedAt), textOf(s.Since), textOf(s.ETA), textOf(s.LastFreeDay.At),
	}, "|")
	if again, err := ReadBrief(r.ID, text); err != nil || len(text) > longestBrief || !again.isBriefOf(r) {
		return ""
	}
	return text
}

// longestBrief limits a brief, because the index of a database may have it.
const longestBrief = 500

func (r *Record) briefFlags() string {
	var flags []byte
	add := func(flag byte, is bool) {
		if is {
			flags = append(flags, flag)
		}
	}
	add(briefPlaced, r.Standing.Place != terminal49.VerdictPlace{})
	add(briefHeld, len(r.Facts.Holds) > 0)
	add(briefOwes, r.Facts.owes)
	add(briefStopped, r.Facts.Stopped)
	return string(flags)
}

// textOf returns the text of a time or a day.
func textOf(of encoding.TextMarshaler) string {
	text, err := of.MarshalText()
	if err != nil {
		return "|" // which cannot be read
	}
	return string(text)
}

// isBriefOf reports whether a record that was read from a brief has what it should.
func (r *Record) isBriefOf(of *Record) bool {
	a, b, is := r.Standing, of.Standing, r.Facts
	b.ContainerID, b.Number, b.Place, b.BoundFor = a.ContainerID, a.Number, a.Place, a.BoundFor
	b.LastFreeDay = terminal49.LastFreeDay{At: b.LastFreeDay.At}
	return a == b && is.Stage == of.Facts.Stage && is.OriginalETA == of.Facts.OriginalETA
}

// ReadBrief reads what [Record.Brief] returned, several times as fast as [ReadRecord] reads all.
// The record is enough for a [Filter] that has only Work and Days, and for the order of urgency. It
// has no names and no number. The error is not nil if another version of this package made the
// brief.
func ReadBrief(id, brief string) (*Record, error) {
	b := briefReader{rest: brief}
	if b.next() != briefVersion {
		return nil, fmt.Errorf("worklist: %.40q is not a brief of version %s", brief, briefVersion)
	}
	r := &Record{ID: id}
	s, f := &r.Standing, &r.Facts
	r.setBriefFlags(b.next())
	s.ContainerID = id
	s.Situation, s.OldSituation = terminal49.Situation(b.next()), terminal49.Situation(b.next())
	s.UrgencyReason, f.Stage = terminal49.UrgencyReason(b.next()), terminal49.Stage(b.next())
	b.read(&f.OriginalETA)
	b.read(&s.CheckedAt)
	b.read(&s.Since)
	b.read(&s.ETA)
	b.read(&s.LastFreeDay.At)
	return r, b.err
}

func (r *Record) setBriefFlags(flags string) {
	for _, flag := range flags {
		switch flag {
		case briefPlaced:
			r.Standing.Place = briefPlace
		case briefHeld:
			r.Facts.Holds = []string{""}
		case briefOwes:
			r.Facts.owes = true
		case briefStopped:
			r.Facts.Stopped = true
		}
	}
}

// briefReader reads the fields of a brief.
type briefReader struct {
	rest string
	err  error
}

func (b *briefReader) next() (field string) {
	field, b.rest, _ = strings.Cut(b.rest, "|")
	return field
}

func (b *briefReader) read(to encoding.TextUnmarshaler) {
	if field := b.next(); field != "" && b.err == nil {
		b.err = to.UnmarshalText([]byte(field))
	}
}
