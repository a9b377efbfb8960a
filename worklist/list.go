package worklist

import (
	"iter"
	"math"
	"slices"

	"github.com/go-freight/terminal49"
)

// ListOptions configures [Question.List]. The zero value lists all containers, the most urgent
// first.
type ListOptions struct {
	Order  Order
	Offset int // how many to leave out before
	Limit  int // how many to return; 0 for all
}

// Check returns the error of [Question.List], before anything is read.
func (o ListOptions) Check() error {
	switch {
	case o.Order.comparer() == nil:
		return problem("Order", "must be empty, "+orderNames+", not "+quoted(string(o.Order)))
	case o.Limit < 0:
		return problem("Limit", "must not be negative")
	case o.Offset < 0:
		return problem("Offset", "must not be negative")
	}
	return nil
}

// List is containers in an order.
type List struct {
	Items []*Item
	Total int // how many there are, also those that the options leave out
	Aside

	question *Question
	compare  func(a, b *Item) int
}

// Item is a container of a list. Its verdict is that of [terminal49.Standing.Verdict].
type Item struct {
	Record  *Record
	Verdict *terminal49.Verdict
}

// List returns the containers that the question is about.
//
// Errors: *terminal49.ArgumentError for an unknown order, or a negative number.
func (q *Question) List(opts ListOptions) (*List, error) {
	return q.ListOf(slices.Values(q.records), opts)
}

// ListOf is [Question.List] of other records than those of the set. It keeps only those of the
// page.
func (q *Question) ListOf(records iter.Seq[*Record], opts ListOptions) (*List, error) {
	l := &List{question: q, compare: opts.Order.comparer()}
	if err := opts.Check(); err != nil {
		return nil, err
	}
	first := firstItems{most: opts.Offset + opts.Limit, compare: l.compare}
	if opts.Limit == 0 {
		first.most = math.MaxInt
	}
	l.Aside = q.each(records, func(r *Record, v *terminal49.Verdict) {
		l.Total++
		first.add(r, v)
	})
	first.cut()
	l.Items = first.items[min(len(first.items), opts.Offset):]
	return l, nil
}

// firstItems keeps the first items of an order, and a few more.
type firstItems struct {
	items   []*Item
	most    int
	compare func(a, b *Item) int
	next    Item // here, so that it is not allocated for each
	isCut   bool // so those after the first ones are not wanted
}

// add adds a container, unless it is after the first ones.
func (f *firstItems) add(r *Record, v *terminal49.Verdict) {
	if f.next = (Item{r, v}); f.isCut && (f.most == 0 || f.compare(f.items[f.most-1], &f.next) <= 0) {
		return
	}
	kept := *v // v is that of the next container soon
	if f.items = append(f.items, &Item{r, &kept}); (len(f.items)-100)/2 >= f.most {
		f.cut()
		f.isCut = true
	}
}

// cut keeps the first ones.
func (f *firstItems) cut() {
	slices.SortFunc(f.items, f.compare)
	f.items = f.items[:min(len(f.items), f.most)]
}

// Assessed is a container with its whole verdict.
type Assessed struct {
	Container *terminal49.Container
	Verdict   terminal49.Verdict
}

// Assess returns the containers of the list with their whole verdicts, in the order of the list. It
// leaves out those that are not among the containers given, and those about which the question is
// no longer: they changed after their records were made. Total counts the latter no more.
func (l *List) Assess(containers []*terminal49.Container) (all []Assessed) {
	q, of, items := l.question, map[string]*terminal49.Container{}, l.Items[:0:0]
	for _, c := range containers {
		v := terminal49.Assess(c, q.now, q.verdict)
		if r := NewRecord(c, &v); q.meets(r, &v) {
			items, of[c.ID] = append(items, &Item{r, &v}), c
		}
	}
	slices.SortFunc(items, l.compare)
	for _, i := range items {
		all = append(all, Assessed{of[i.Record.ID], *i.Verdict})
	}
	l.Total -= len(l.Items) - len(items)
	return all
}

// IDs returns the ids of the items.
func (l *List) IDs() (ids []string) {
	for _, i := range l.Items {
		ids = append(ids, i.Record.ID)
	}
	return ids
}
