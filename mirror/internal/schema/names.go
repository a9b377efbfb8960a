package schema

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

// Statements are written with t49. before each table and datasync. before each of DataSync's views,
// whose names are those of tables.
const (
	tablesPrefix = "t49."
	viewsPrefix  = "datasync."
)

// DefaultName is the schema of a mirror that is not given another one.
const DefaultName = "t49"

// longestName is below the 63 bytes that Postgres keeps of a name, by more than the length of
// "_datasync".
const longestName = 50

var isName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`).MatchString

// NameProblem returns why a schema may not have a name; "" if it may.
func NameProblem(name string) string {
	switch {
	case !isName(name) || len(name) > longestName:
		return "must have lower-case letters, digits and _, must not begin with a digit, and may have at most 50 characters"
	case strings.HasPrefix(name, "pg_") || name == "information_schema":
		return "must be another name: Postgres has schemas of its own with this one"
	case name == "datasync" || strings.HasSuffix(name, "_datasync"):
		return "must not be datasync or end with _datasync: another mirror's views may be in that schema"
	}
	return ""
}

// Names replaces the prefixes in statements by those of a database.
type Names struct{ tables, views string }

// NamesOf returns the names for a dialect, and for the schema of a mirror, "" for the default.
// Other names are quoted, because they may be words of SQL. SQLite has no schemas.
func NamesOf(d sqlstore.Dialect, name string) Names {
	switch {
	case d == sqlstore.SQLite:
		return Names{"", "datasync_"}
	case cmp.Or(name, DefaultName) == DefaultName:
		return Names{tablesPrefix, viewsPrefix}
	}
	return Names{`"` + name + `".`, `"` + viewsSchema(name) + `".`}
}

// viewsSchema returns the schema of DataSync's views that belongs to the schema of a mirror.
func viewsSchema(name string) string {
	if name == DefaultName {
		return "datasync"
	}
	return name + "_datasync"
}

// In returns a statement with these names in place of those that it was written with.
func (n Names) In(statement string) string {
	if n.tables == tablesPrefix || n == (Names{}) {
		return statement
	}
	return replacePrefix(replacePrefix(statement, tablesPrefix, n.tables), viewsPrefix, n.views)
}

// replacePrefix replaces the prefix of names, and leaves names that end with the same letters.
func replacePrefix(statement, prefix, by string) string {
	if !strings.Contains(statement, prefix) {
		return statement
	}
	var b strings.Builder
	b.Grow(len(statement) + 64)
	for {
		before, after, found := strings.Cut(statement, prefix)
		b.WriteString(before)
		switch {
		case !found:
			return b.String()
		case before != "" && isWord(before[len(before)-1]):
			b.WriteString(prefix)
		default:
			b.WriteString(by)
		}
		statement = after
	}
}

func isWord(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
