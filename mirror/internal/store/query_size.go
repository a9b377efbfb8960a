package store

import (
	"errors"
	"fmt"
	"regexp"
)

// The databases put the expression of a column in the place of its name, in each query that reads
// it. A chain of queries, each with the column of the one before eight times, would take
// all memory while the statement is prepared, where no timeout applies. So the check computes how
// large a query becomes. What is "as materialized" is not put in the place of its name.

// mostSize is the largest size of a query: names and values, as often as they are there.
const mostSize = 20_000

// heavySize is the size of an operation that can take long: of long texts, or of long numbers.
const heavySize = 200

// mostElements is how many elements that are not texts or numbers lists of "in" have together.
const mostElements = 12

// weight is a size: of names, which stand for what they mean, and of the rest.
type weight struct{ names, rest int }

func (w *weight) add(of weight) { w.names, w.rest = w.names+of.names, w.rest+of.rest }

// times returns the size if each name has a size.
func (w weight) times(size int) int { return min(w.names*max(1, size)+w.rest, mostSize+1) }

// querySize is the size of what is between two parentheses.
type querySize struct {
	item   weight // of the column that is being read
	term   weight // of the comparison that is being read
	widest weight // of its columns
	past   bool   // its columns have been read
	own    weight // of all that it has
	deep   int    // of the widest column of what it reads
	reads  int    // how often it reads something
	below  int    // size of what it reads
}

var (
	errReads = fmt.Errorf("reads from views more than %d times; a name of with counts for all that its query reads", mostReads)
	errSize  = errors.New(`is too large once names stand for what they mean; write "as materialized (" in its with, or select less`)
)

// weigh adds to the size.
func (q *queryCheck) weigh(w weight) {
	s := q.scope()
	s.item.add(w)
	s.term.add(w)
	s.own.add(w)
}

// endItem ends a column.
func (s *querySize) endItem() {
	if !s.past {
		s.widest = weight{max(s.widest.names, s.item.names), max(s.widest.rest, s.item.rest)}
	}
	s.item, s.term = weight{}, weight{}
}

// total returns the size of a query.
func (s *querySize) total() int { return min(s.own.times(s.deep)+s.below, mostSize+1) }

// column returns the size of its widest column.
func (s *querySize) column() int { return max(1, s.widest.times(s.deep)) }

// add adds what a query reads.
func (s *querySize) add(of *querySize) error {
	s.deep, s.reads, s.below = max(s.deep, of.deep), s.reads+of.reads, min(s.below+of.below, mostSize+1)
	return s.check()
}

func (s *querySize) check() error {
	switch {
	case s.reads > mostReads:
		return errReads
	case s.total() > mostSize:
		return errSize
	}
	return nil
}

// closeSize adds the size of what was in parentheses to what is around them.
func (q *queryCheck) closeSize(inner, outer *queryScope) error {
	inner.endItem()
	if err := inner.check(); err != nil {
		return err
	}
	of := &querySize{deep: inner.deep, reads: inner.reads, below: inner.total()}
	if inner.query {
		of.deep = inner.column()
	}
	switch {
	case inner.body != "":
		if inner.apart {
			of.deep = 1
		}
		if outer.queries == nil { // only what follows may name it: the query itself would find a table
			outer.queries = map[string]*querySize{}
		}
		outer.queries[inner.body] = of
	case inner.tables: // a lateral one may have columns of those before
		if inner.opener == "lateral" {
			of.deep *= max(1, outer.deep)
			of.below *= max(1, outer.deep)
		}
		return outer.add(of)
	case inner.query: // its names may be those of what is around it
		q.weigh(weight{names: inner.total()})
		outer.reads += inner.reads
	default:
		q.weigh(inner.own)
		outer.reads += inner.reads
	}
	return outer.check()
}

// compares checks "between", and "in" with elements that are not values: Postgres copies what is
// before them.
func (q *queryCheck) compares(copies int) error {
	if q.scope().copied {
		return errors.New(`must not compare the result of "between" or "in" by another one; use "and" and "or"`)
	}
	s := q.scope()
	s.copies = true
	q.weigh(weight{s.term.names * copies, s.term.rest * copies})
	return s.check()
}

// closeList checks the elements of "in".
func (q *queryCheck) closeList(inner *queryScope) error {
	if inner.opener != "in" || inner.query || !inner.loose {
		return nil
	}
	if q.elements += inner.commas + 1; q.elements > mostElements {
		return fmt.Errorf(`must have at most %d elements that are not texts or numbers in the lists of "in"`, mostElements)
	}
	return q.compares(inner.commas)
}

var (
	isLongNumber  = regexp.MustCompile(`(?i)^.{41}|e[+-]?[0-9]{3}`).MatchString
	isLargeNumber = regexp.MustCompile(`(?i)^'\s*[+-]?[0-9.]*e\+?[0-9]{4,}\s*'$`).MatchString
)
