package mirror

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// WorklistOptions configures [Reader.Worklist]. The zero value uses the defaults.
type WorklistOptions struct {
	Limit   int                       // how many containers to return, the most urgent ones; default 50
	Days    int                       // only for a kind of work that has days, up to 36,500; default 5, and 1 for WorkETASlipped
	Verdict terminal49.VerdictOptions // the rules of the clock; Events and TrackingStopped are ignored
}

// Worklist is what [Reader.Worklist] and [Overview.List] return.
type Worklist struct {
	Items []WorkItem // in the order that was asked for; by default as [terminal49.Verdict.Compare] orders them, the most urgent first
	Total int        // how many there are, also those that the limit leaves out
	// Waiting is how many resources the mirror has stored without assessing their containers again
	// yet. It is 0 if the worklist is as current as the tables.
	Waiting int
	Aside
	Meanings []Meaning // what the texts of the filter mean; nil if it has none
}

// WorkItem is a container with its verdict.
type WorkItem struct {
	Container *terminal49.Container // as [Reader.Containers] reads it
	Verdict   terminal49.Verdict
}

// Worklist returns the containers of a kind at a time, without those that are deleted. The verdicts
// are those of [terminal49.Assess]. A container that was stored and not assessed yet may be
// missing; see Worklist.Waiting. It reads one state of the database, and writes nothing. To ask
// often, or with filters, use an [Overview].
//
// Errors: *terminal49.ArgumentError for an unknown kind or an option out of range;
// [terminal49.ErrRulesVersion] if the mirror that writes has other rules; those of the database.
func (r *Reader) Worklist(ctx context.Context, what Work, now time.Time, opts WorklistOptions) (*Worklist, error) {
	l := newListing("mirror.Worklist", now, ListOptions{Filter: Filter{Work: []Work{what}, Days: opts.Days}, Limit: opts.Limit, Verdict: opts.Verdict})
	if what == "" || !what.known() {
		return nil, l.problem("what", "must be "+workNames+", not "+quoted(string(what)))
	}
	if err := r.checkQuestion(&l.question, l.opts.Limit, 0); err != nil {
		return nil, err
	}
	of, err := r.db.Standings(ctx)
	if err != nil {
		return nil, r.db.Explain(err)
	}
	defer of.End()
	if err := of.Each(ctx, l.preselection(what), func(e *store.Stored) error { l.add(e); return nil }); err != nil {
		return nil, err
	}
	return l.read(ctx, of)
}

// mostDays bounds days: a [time.Duration] has 292 years.
const mostDays = 36_500

// quoted quotes the beginning of a text for an error.
func quoted(text string) string { return fmt.Sprintf("%.40q", text) }

// listing collects a worklist.
type listing struct {
	question
	opts  ListOptions
	total int
	most  []listedItem // the first ones, and others
	isCut bool         // so those after the first ones are not wanted
}

// listedItem is a container of a worklist.
type listedItem struct {
	of      *store.Stored
	verdict *terminal49.Verdict
}

func newListing(op string, now time.Time, opts ListOptions) *listing {
	opts.Limit = cmp.Or(opts.Limit, 50)
	return &listing{question: newQuestion(op, now, opts.Filter, opts.Verdict), opts: opts}
}

// add adds a container if it belongs to the worklist.
func (l *listing) add(e *store.Stored) {
	v, has := l.verdictOf(e)
	if !has {
		return
	}
	l.total++
	item, most := listedItem{e, v}, l.opts.Offset+l.opts.Limit
	if l.isCut && (most == 0 || l.compare(l.most[most-1], item) <= 0) {
		return
	}
	kept := *v
	if l.most = append(l.most, listedItem{e, &kept}); (len(l.most)-100)/2 >= most {
		l.cut(most)
		l.isCut = true
	}
}

// cut keeps the first ones.
func (l *listing) cut(most int) {
	slices.SortFunc(l.most, l.compare)
	l.most = l.most[:min(len(l.most), most)]
}

func (l *listing) compare(a, b listedItem) int {
	if by := orders[l.opts.Order](a, b); by != 0 {
		return by
	}
	if by := a.verdict.Compare(*b.verdict); by != 0 {
		return by
	}
	return cmp.Compare(a.of.ID, b.of.ID)
}

// read reads the containers. One that was stored and not assessed yet may not belong to the
// worklist any more.
func (l *listing) read(ctx context.Context, of *store.Standings) (*Worklist, error) {
	l.cut(l.opts.Offset + l.opts.Limit)
	l.most = l.most[min(len(l.most), l.opts.Offset):]
	ids := make([]string, len(l.most))
	for i := range l.most {
		ids[i] = l.most[i].of.ID
	}
	containers, err := of.Containers(ctx, ids)
	if err != nil {
		return nil, err
	}
	read := map[string]*terminal49.Container{}
	l.most = l.most[:0]
	for _, c := range containers {
		v := terminal49.Assess(c, l.now, l.verdict)
		e := store.StoredOf(c, &v)
		if l.meets(e, &v) {
			l.most = append(l.most, listedItem{e, &v})
			read[c.ID] = c
		}
	}
	slices.SortFunc(l.most, l.compare)
	list := &Worklist{Total: l.total - len(ids) + len(l.most), Waiting: of.Waiting, Aside: l.aside(), Meanings: l.meanings}
	for _, one := range l.most {
		list.Items = append(list.Items, WorkItem{read[one.of.ID], *one.verdict})
	}
	return list, nil
}
