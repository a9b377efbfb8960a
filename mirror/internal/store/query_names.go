package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// word checks a word or a name in quotes.
func (q *queryCheck) word(t *queryToken) error {
	s, before := q.scope(), q.previous()
	name, plain := t.text, t.part == "word"
	if !plain {
		name = strings.Trim(name, `"`)
	}
	switch {
	case plain && queryRefused[name]:
		return fmt.Errorf("must not contain %q: it is one select over the views %s", name, strings.Join(viewNames, ", "))
	case before != nil && before.part == ".":
		return q.member(t, name)
	case s.types || before != nil && before.part == "operator" && strings.HasSuffix(before.text, "::"):
		return q.typeName(t, name)
	case s.names:
		t.role, q.given[name] = roleAlias, true
		return nil
	case s.table && !(plain && q.isQuery(name) && before.part == "open"):
		return q.table(t, name)
	case plain && q.isKeyword(name):
		return q.keyword(t, name)
	case s.with && (before.is("with") || before != nil && before.part == ","):
		return q.with(t, name)
	case before.is("as", "window") || before.ends() && (s.from || !q.opens()):
		t.role, q.given[name] = roleAlias, true
		return nil
	case q.opens():
		return q.function(t, name)
	}
	q.operand(t, name, plain)
	return nil
}

// isQuery reports whether a word begins a query.
func (q *queryCheck) isQuery(word string) bool {
	return slices.Contains([]string{"select", "with", "values"}, word)
}

// isKeyword reports whether a word is one of SQL here. Some are also names of columns, functions or
// types.
func (q *queryCheck) isKeyword(word string) bool {
	before, next := q.previous(), q.next()
	switch word {
	case "left", "right":
		return !q.opens()
	case "at":
		return next.is("time")
	case "time":
		return before.is("at")
	case "zone":
		return before.is("time")
	}
	return queryKeywords[word]
}

// keyword notes what a word of SQL means for what follows.
func (q *queryCheck) keyword(t *queryToken, word string) error {
	s, before := q.scope(), q.previous()
	t.role = roleKeyword
	if queryValues[word] {
		t.role = roleOperand
		q.weigh(weight{rest: 1})
	}
	if endsComparison[word] {
		s.copied, s.term = false, weight{}
	}
	switch word {
	case "values":
		if before != nil && before.part != "open" { // it could be an alias in a list of from
			return errors.New(`must have "values" only at the beginning of a subquery`)
		}
		s.from, s.table, s.with = false, false, false
	case "select":
		s.from, s.table, s.with, s.query = false, false, false, true
		s.item, s.term, s.past = weight{}, weight{}, false
	case "with":
		if before != nil && before.part != "open" {
			return errors.New(`must have "with" only at its beginning or that of a subquery`)
		}
		s.from, s.table, s.with = false, false, true
	case "from":
		if !q.isPartOfExpression() {
			s.endItem()
			s.from, s.table, s.past = true, true, true
		}
	case "join":
		q.rows++
		s.from, s.table = true, true
	case "in": // SQLite takes the name of a table, too
		if !q.opens() && s.opener != "position" {
			return errors.New(`must have "(" after "in"`)
		}
	case "like", "ilike":
		q.weigh(weight{rest: heavySize})
	case "between":
		return q.compares(1)
	case "end":
		s.copied = s.copies
	case "as":
		s.types = s.opener == "cast"
	case "union", "intersect", "except":
		q.rows++
		s.from = false
	case "where", "group", "having", "order", "limit": // both databases reserve all of these
		s.from = false
	}
	return nil
}

// isPartOfExpression reports whether "from" belongs to an expression, such as extract(year from x)
// or a is distinct from b.
func (q *queryCheck) isPartOfExpression() bool {
	if slices.Contains([]string{"extract", "substring", "trim"}, q.scope().opener) {
		return true
	}
	return q.previous().is("distinct") && q.token0(q.at-2).is("is", "not")
}

// member checks what follows a dot.
func (q *queryCheck) member(t *queryToken, name string) error {
	if of := q.token0(q.at - 2); of == nil || of.role != roleOperand {
		return fmt.Errorf("must not have %q after a dot", name)
	}
	if next := q.next(); q.opens() || next != nil && next.part == "." {
		return fmt.Errorf("must not have %q after a dot: names have a view and a column at most, and functions none", name)
	}
	t.role = roleOperand
	q.weigh(weight{names: 1})
	if !viewColumns[name] {
		q.used = append(q.used, name)
	}
	return nil
}

// typeName checks the name of a type.
func (q *queryCheck) typeName(t *queryToken, name string) error {
	if t.part != "word" || !queryTypes[name] {
		return fmt.Errorf("must not have the type %q; the types are %s", name, sortedWords(queryTypes))
	}
	t.role = roleOperand
	return nil
}

// table checks what is read from.
func (q *queryCheck) table(t *queryToken, name string) error {
	if t.part == "word" && name == "lateral" {
		t.role = roleKeyword
		return nil
	}
	s := q.scope()
	s.table, t.role = false, roleOperand
	next := q.next()
	switch {
	case q.opens() || next != nil && next.part == ".":
		return fmt.Errorf("must name views without a schema, and no functions, where it has %q", name)
	case q.query(name) != nil:
		if err := s.add(q.query(name)); err != nil {
			return err
		}
	case viewByName[name] == nil:
		return fmt.Errorf("reads from %q; the views are %s", name, strings.Join(viewNames, ", "))
	default:
		q.views[name] = true
	}
	q.given[name] = true
	s.reads++
	return s.check()
}

// query returns the query of a name of with; nil if there is none.
func (q *queryCheck) query(name string) *querySize {
	for _, s := range slices.Backward(q.scopes) {
		if of := s.queries[name]; of != nil {
			return of
		}
	}
	return nil
}

// with checks the name of a query before it.
func (q *queryCheck) with(t *queryToken, name string) error {
	s := q.scope()
	s.pending, t.role, q.given[name] = name, roleAlias, true
	return nil
}

// function checks a call.
func (q *queryCheck) function(t *queryToken, name string) error {
	if t.part != "word" || !queryFunctions[q.dialect][name] {
		return fmt.Errorf("must not call %q; the functions for %s are %s", name, q.dialect, sortedWords(queryFunctions[q.dialect]))
	}
	t.role = roleFunction
	if queryHeavy[name] {
		q.weigh(weight{rest: heavySize})
	}
	if queryLists[name] {
		q.lists++
	}
	return nil
}

// operand checks a name of what the query reads.
func (q *queryCheck) operand(t *queryToken, name string, plain bool) {
	next := q.next()
	t.role = roleOperand
	if next == nil || next.part != "." {
		q.weigh(weight{names: 1})
	}
	switch {
	case plain && queryTypes[name] && next != nil && next.part == "text":
		t.role = roleKeyword
	case plain && queryFields[name] && q.scope().opener == "extract" && q.previous().part == "open":
	case plain && viewColumns[name]:
	default:
		q.used = append(q.used, name)
	}
}

// viewNames are the names of the views, in their order.
var viewNames = func() (names []string) {
	for _, v := range schema.Views {
		names = append(names, v.Name)
	}
	return names
}()

func sortedWords(words map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(words)), ", ")
}

// unknownName returns the error of a name that is not known, with those that are nearly the same.
func unknownName(name string) error {
	var near []string
	for _, v := range schema.Views {
		for _, c := range v.Columns {
			if len(near) < 5 && resembles(name, c.Name) {
				near = append(near, v.Name+"."+c.Name)
			}
		}
	}
	if len(near) == 0 {
		return fmt.Errorf("has an unknown name %q; the schema of the views has all columns", name)
	}
	return fmt.Errorf("has an unknown name %q; did you mean %s?", name, strings.Join(near, ", "))
}

// resembles reports whether one name has all parts of the other one, or all their letters but two
// that are in its order.
func resembles(a, b string) bool {
	return strings.Contains(b, a) || strings.Contains(a, b) || inOrder(a, b)+2 >= max(len(a), len(b))
}

// inOrder returns how many letters two names have in common, in this order.
func inOrder(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
