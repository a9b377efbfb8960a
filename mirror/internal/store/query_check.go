package store

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

// A query is one SELECT of the user over the views. checkQuery allows only what it knows: each word
// must be a word of SQL, a view, a column, a function of the list, or a name that the query itself
// gives; after from and join only a view, or a name of with, may follow. The database has its own
// guards against what gets through nevertheless; see queryGuard.

// longestQuery is the most bytes of a query.
const longestQuery = 8000

// deepestQuery is how deep parentheses may be nested.
const deepestQuery = 40

// mostReads is how often a query may read something. A name of with counts for all that its query
// reads, because SQLite puts the query in the place of the name: a chain of such names would take
// all memory before the first row, when no timeout applies yet.
const mostReads = 64

// wordRole is what a word is.
type wordRole uint8

const (
	roleKeyword wordRole = iota + 1
	roleOperand          // an alias may follow
	roleAlias
	roleFunction
)

// queryToken is a token that is not a space.
type queryToken struct {
	token
	spaced bool // a space is before it
	role   wordRole
}

// is reports whether a token is a word without quotes.
func (t *queryToken) is(words ...string) bool {
	return t != nil && t.part == "word" && slices.Contains(words, t.text)
}

// ends reports whether an operand ends with the token, so that an alias may follow.
func (t *queryToken) ends() bool {
	return t != nil && (t.role == roleOperand || t.part == "text" || t.part == "number" || t.part == "close")
}

// queryScope is what is between two parentheses.
type queryScope struct {
	opener  string // the word before it
	from    bool   // in a list of from, where a comma is followed by a view
	table   bool   // a view must follow
	with    bool   // a name of with must follow
	types   bool   // types follow: after "as" in a cast
	names   bool   // has names of columns, which it gives
	query   bool   // has a select of its own
	pending string // name of with, whose query follows
	body    string // name of with, whose query this is
	apart   bool   // that query is not put in the place of the name
	tables  bool   // is in the place of a view
	loose   bool   // has more than texts and numbers
	copies  bool   // has "between", or "in" with a list that is loose
	copied  bool   // what was read last has
	commas  int
	queries map[string]*querySize // names of with
	querySize
}

// queryCheck checks a query.
type queryCheck struct {
	dialect  sqlstore.Dialect
	tokens   []*queryToken
	at       int
	scopes   []*queryScope
	views    map[string]bool // that it reads
	given    map[string]bool // names that the query gives
	used     []string        // names that it must have given
	elements int             // of lists of "in" that are not texts or numbers
	joins    int             // operators ||
	joined   *queryScope     // that has them
	rows     int             // what could make more rows than a view has: joins and unions
	lists    int             // functions that make one text of many rows
	texts    int             // bytes of its texts
}

// commented matches comments, and what they cannot be in.
var commented = regexp.MustCompile(`(?s)'[^']*'|"[^"]*"|--[^\r\n]*|/\*.*?\*/`)

// bareQuery returns a query without its comments and without a semicolon at its end. The database
// gets the query in this form, so it does not matter whether it would take them for comments.
func bareQuery(query string) (string, error) {
	nested := false
	query = commented.ReplaceAllStringFunc(query, func(text string) string {
		if text[0] == '\'' || text[0] == '"' {
			return text
		}
		nested = nested || strings.Contains(text[1:], "/*")
		return " "
	})
	if nested {
		return "", errors.New("must not have a comment in a comment")
	}
	query = strings.TrimSpace(query)
	return strings.TrimSpace(strings.TrimSuffix(query, ";")), nil
}

// checkQuery returns which views a query reads, or why it is refused.
func checkQuery(d sqlstore.Dialect, query string) (views []string, err error) {
	q := &queryCheck{dialect: d, scopes: []*queryScope{{}}, views: map[string]bool{}, given: map[string]bool{}}
	if err := q.read(query); err != nil {
		return nil, err
	}
	for q.at = range q.tokens {
		if err := q.token(q.tokens[q.at]); err != nil {
			return nil, err
		}
	}
	if len(q.scopes) > 1 {
		return nil, errors.New("has a parenthesis that is not closed")
	}
	if err := q.scopes[0].check(); err != nil {
		return nil, err
	}
	for _, name := range q.used {
		if !q.given[name] {
			return nil, unknownName(name)
		}
	}
	if err := q.checkLists(); err != nil {
		return nil, err
	}
	for _, v := range viewNames {
		if q.views[v] {
			views = append(views, v)
		}
	}
	return views, nil
}

// read splits a query into tokens.
func (q *queryCheck) read(query string) error {
	if len(query) > longestQuery {
		return fmt.Errorf("must have at most %d characters", longestQuery)
	}
	spaced := true
	for _, t := range tokensOf(query) {
		if t.part == "other" && strings.Contains(" \t\r\n", t.text) {
			spaced = true
			continue
		}
		if err := q.add(&queryToken{token: t, spaced: spaced}); err != nil {
			return err
		}
		spaced = false
	}
	first := 0
	for first < len(q.tokens) && q.tokens[first].part == "open" {
		first++
	}
	if !q.token0(first).is("select", "with") {
		return errors.New(`must begin with "select" or "with"; one statement that reads the views is allowed`)
	}
	return nil
}

// token0 returns a token by its number, or nil.
func (q *queryCheck) token0(i int) *queryToken {
	if i < 0 || i >= len(q.tokens) {
		return nil
	}
	return q.tokens[i]
}

// add appends a token. Signs that are next to each other are one operator.
func (q *queryCheck) add(t *queryToken) error {
	last := q.token0(len(q.tokens) - 1)
	switch t.part {
	case "bad", "odd", "arg":
		return fmt.Errorf("must not contain %q: no second statement, no arguments; write a text as 'it''s'", t.text)
	case "text":
		if strings.Contains(t.text, `\`) {
			return errors.New(`must not contain "\"`)
		}
	case "word":
		t.text = strings.ToLower(t.text)
		if strings.ContainsFunc(t.text, func(r rune) bool { return r > '~' || r == '$' }) {
			return fmt.Errorf("must not contain %q: names have letters from a to z, digits and _; others need double quotes", t.text)
		}
	case "other":
		switch {
		case t.text == "." || t.text == ",":
			t.part = t.text
		case !strings.Contains("+-*/%<>=!|:", t.text):
			return fmt.Errorf("must not contain %q", t.text)
		case last != nil && last.part == "operator" && !t.spaced:
			last.text += t.text
			return nil
		default:
			t.part = "operator"
		}
	}
	q.tokens = append(q.tokens, t)
	return nil
}

func (q *queryCheck) scope() *queryScope { return q.scopes[len(q.scopes)-1] }

func (q *queryCheck) previous() *queryToken { return q.token0(q.at - 1) }

func (q *queryCheck) next() *queryToken { return q.token0(q.at + 1) }

// opens reports whether the next token is an opening parenthesis.
func (q *queryCheck) opens() bool { next := q.next(); return next != nil && next.part == "open" }

func (q *queryCheck) token(t *queryToken) error {
	if s := q.scope(); s.table && t.part != "word" && t.part != "name" && t.part != "open" {
		return fmt.Errorf("must have a view where it has %q", t.text)
	}
	if t.part != "text" && t.part != "number" && t.part != "," && t.part != "operator" && t.part != "close" {
		q.scope().loose = true
	}
	switch t.part {
	case "open":
		return q.open()
	case "close":
		return q.close()
	case ",":
		q.comma()
	case "number":
		q.weigh(weight{rest: 1})
		if isLongNumber(t.text) {
			return fmt.Errorf("must not have the number %.20s: at most 40 digits, and exponents to 99", t.text)
		}
	case "operator":
		return q.operator(t)
	case "text":
		q.texts += len(t.text)
		q.weigh(weight{rest: 1})
		if isLargeNumber(t.text) {
			return fmt.Errorf("must not have the number %.20s", t.text)
		}
		if p := q.previous(); p != nil && (p.part == "name" || p.part == "word" && p.role != roleKeyword) {
			return fmt.Errorf("must not have a text right after %q", p.text)
		}
	case "word", "name":
		return q.word(t)
	}
	return nil
}

// comma ends an element of a list.
func (q *queryCheck) comma() {
	s := q.scope()
	s.commas++
	s.copied = false
	if s.table = s.from; s.from {
		q.rows++
		return
	}
	s.endItem()
}

func (q *queryCheck) operator(t *queryToken) error {
	if before := q.previous(); before.ends() && strings.ContainsAny(t.text, "*/%") {
		q.weigh(weight{rest: heavySize})
	}
	if !queryOperators[t.text] && !queryOperators[strings.TrimRight(t.text, "+-")] {
		return fmt.Errorf("must not have the operator %q", t.text)
	}
	if strings.Contains(t.text, "||") {
		return q.concatenation(strings.Count(t.text, "||"))
	}
	return nil
}

// concatenation checks operators ||. In one select they add texts; in a select from another one
// that has them they would multiply, and a function of such a text takes minutes.
func (q *queryCheck) concatenation(n int) error {
	in := len(q.scopes) - 1
	for in > 0 && !q.scopes[in].query {
		in--
	}
	if q.joined == nil {
		q.joined = q.scopes[in]
	}
	if q.joins += n; q.joins > mostConcatenations || q.joined != q.scopes[in] {
		return fmt.Errorf("must have at most %d operators ||, in one select only", mostConcatenations)
	}
	return nil
}

func (q *queryCheck) open() error {
	if len(q.scopes) > deepestQuery {
		return fmt.Errorf("must have at most %d parentheses in each other", deepestQuery)
	}
	outer, inner, before := q.scope(), &queryScope{}, q.previous()
	if before != nil && before.part == "word" {
		inner.opener = before.text
	}
	if before != nil && before.role == roleAlias {
		inner.names = true
	}
	if outer.pending != "" && before.is("as", "materialized") {
		inner.body, outer.pending = outer.pending, ""
		inner.apart = before.is("materialized") && !q.token0(q.at-2).is("not")
	}
	if outer.table {
		inner.from, inner.table, inner.tables, outer.table = true, true, true, false
	}
	q.scopes = append(q.scopes, inner)
	return nil
}

func (q *queryCheck) close() error {
	inner := q.scope()
	if q.scopes = q.scopes[:len(q.scopes)-1]; len(q.scopes) == 0 {
		return errors.New("has a parenthesis that is not opened")
	}
	if inner.opener == "replace" && !q.shortens() {
		return errors.New("must call replace only with two texts, the second not longer than the first, such as replace(x, '-', '')")
	}
	if err := q.closeList(inner); err != nil {
		return err
	}
	outer := q.scope()
	outer.copied, outer.copies = inner.copies, outer.copies || inner.copies
	return q.closeSize(inner, outer)
}

// shortens reports whether the last two arguments before a parenthesis are texts, the second not
// longer than the first.
func (q *queryCheck) shortens() bool {
	from, comma, to := q.token0(q.at-3), q.token0(q.at-2), q.token0(q.at-1)
	return from != nil && from.part == "text" && comma.part == "," && to.part == "text" && len(to.text) <= len(from.text)
}
