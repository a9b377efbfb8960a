package store

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// A clause is SQL of the user that follows the name of a table: where, order by, limit and offset.
// checkClause refuses what could end the statement or begin another one, and what the databases
// would read in different ways. Whatever else is wrong, the database reports; it cannot write,
// because the transaction is read-only.

// clauseTokens matches what a clause, or a query, consists of. The first alternatives are what it
// must not have.
var clauseTokens = regexp.MustCompile(`(?i)(?P<bad>;|--|/\*|\x00|` + "`" + `|[eun]&?'|\\)|(?P<text>'[^']*')|(?P<name>"[^"]*")|` +
	`(?P<arg>\$[0-9]+)|(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)|(?P<word>[\pL_][\pL\pN_$]*)|(?P<open>\()|(?P<close>\))|(?P<odd>['"$])|(?P<other>.|\n)`)

var clauseParts = clauseTokens.SubexpNames()

// clauseStarts are the words that a clause may begin with.
var clauseStarts = []string{"where", "order", "limit", "offset"}

// notClause are words that are no part of a clause, outside of parentheses.
var notClause = []string{
	"select", "insert", "update", "delete", "union", "intersect", "except", "join", "group", "having", "window",
	"for", "fetch", "returning", "into", "values", "drop", "create", "alter", "set", "begin", "commit", "rollback",
}

// clauseReader reads the tokens of a clause.
type clauseReader struct {
	dialect sqlstore.Dialect
	table   *schema.Table
	depth   int // of parentheses
	words   int // so far
	out     strings.Builder
}

// token is one of the parts of clauseTokens.
type token struct {
	part, text string
}

// tokensOf returns the tokens of a clause.
func tokensOf(text string) (all []token) {
	for _, found := range clauseTokens.FindAllStringSubmatchIndex(text, -1) {
		for part := 1; part < len(clauseParts); part++ {
			if from, to := found[2*part], found[2*part+1]; from >= 0 {
				all = append(all, token{clauseParts[part], text[from:to]})
				break
			}
		}
	}
	return all
}

// checkClause returns a clause in the database's own form, or why it is not one.
func checkClause(d sqlstore.Dialect, t *schema.Table, clause string) (string, error) {
	r := &clauseReader{dialect: d, table: t}
	for _, t := range tokensOf(clause) {
		if err := r.token(t.part, t.text); err != nil {
			return "", err
		}
	}
	switch {
	case r.depth != 0:
		return "", errors.New("has a parenthesis that is not closed")
	case r.words == 0 && strings.TrimSpace(clause) != "":
		return "", errStart
	}
	return r.out.String(), nil
}

var errStart = errors.New(`must begin with "where", "order by", "limit" or "offset", such as "where number = $1"`)

// token checks and writes a token.
func (r *clauseReader) token(part, text string) (err error) {
	switch part {
	case "text":
		if strings.Contains(text, `\`) { // the end of the text would depend on a setting of the server
			err = errors.New(`must not contain "\"; pass text as an argument, such as $1`)
		}
	case "bad":
		return fmt.Errorf("must not contain %q; pass text as an argument, such as $1", text)
	case "odd":
		return fmt.Errorf("has a %q that is not closed or not part of an argument such as $1", text)
	case "word":
		err = r.word(strings.ToLower(text))
	case "name":
		err = r.name(text)
	case "open":
		r.depth++
	case "close":
		if r.depth--; r.depth < 0 {
			err = errors.New("has a parenthesis that is not opened")
		}
	case "other":
		if r.dialect == sqlstore.SQLite && text == "[" { // quotes a name
			err = errors.New(`must not contain "["`)
		}
	case "arg":
		if r.dialect == sqlstore.SQLite {
			text = "?" + text[1:]
		}
	}
	if err == nil && r.words == 0 && part != "word" && strings.TrimSpace(text) != "" {
		err = errStart
	}
	r.out.WriteString(text)
	return err
}

func (r *clauseReader) word(word string) error {
	r.words++
	switch {
	case r.words == 1 && !slices.Contains(clauseStarts, word):
		return errStart
	case r.depth == 0 && slices.Contains(notClause, word):
		return fmt.Errorf("must have only where, order by, limit and offset, not %q", word)
	}
	return nil
}

// name refuses a name in quotes that SQLite would read as a text, because no column has it.
func (r *clauseReader) name(text string) error {
	name := strings.Trim(text, `"`)
	if r.dialect != sqlstore.SQLite || slices.Contains(r.table.ColumnNames(), name) || slices.Contains(commonColumns, name) {
		return nil
	}
	return fmt.Errorf("names %s, which is not a column of %s", text, r.table.Name)
}
