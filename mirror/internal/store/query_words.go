package store

import (
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

func wordSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for _, word := range strings.Fields(list) {
			set[word] = true
		}
	}
	return set
}

// queryRefused are words that a query has nowhere, not even as names: they write, lock, leave the
// views, go on without an end, or are functions without parentheses.
var queryRefused = wordSet(`
insert update delete merge into returning for copy call do set reset show table only create alter drop truncate grant revoke comment
attach detach pragma vacuum reindex analyze explain execute prepare deallocate declare fetch move close listen notify lock load
begin commit rollback savepoint release start abort cluster refresh import security discard reassign
recursive tablesample array row collate glob regexp match similar indexed
user current_user session_user system_user current_role current_catalog current_schema current_database`)

// queryKeywords are words of SQL that are neither names nor functions.
var queryKeywords = wordSet(`
select with from where group by having order limit offset as on using join inner left right full outer cross natural lateral
union intersect except all distinct values case when then else end and or not in is null true false exists between like ilike escape
any some asc desc nulls first last over partition filter within window rows range groups unbounded preceding following current
materialized current_date current_timestamp localtimestamp`)

// queryValues are the keywords that end an operand, so that an alias may follow.
var queryValues = wordSet(`null true false end current_date current_timestamp localtimestamp`)

// endsComparison are the keywords after which another comparison begins.
var endsComparison = wordSet(`and or when then else case where having on by select from limit offset union intersect except`)

// queryTypes are the types of casts and of literals such as date '2026-03-08'.
var queryTypes = wordSet(`
text varchar char int integer smallint bigint numeric decimal real float double precision boolean date timestamp timestamptz time interval
with without zone`)

// queryFields are what extract takes.
var queryFields = wordSet(`year month day hour minute second week dow isodow isoyear quarter epoch doy`)

// queryFunctions are functions whose result is not longer than their arguments, or bounded.
var queryFunctions = map[sqlstore.Dialect]map[string]bool{
	sqlstore.SQLite: wordSet(bothFunctions, `group_concat total ifnull iif instr datetime julianday strftime unixepoch typeof time`),
	sqlstore.Postgres: wordSet(bothFunctions, `bool_and bool_or every stddev stddev_pop stddev_samp variance var_pop var_samp
percentile_cont percentile_disc mode greatest least initcap char_length octet_length btrim left right position strpos split_part starts_with
date_trunc date_part extract age now to_char to_date to_timestamp make_date make_interval timezone`),
}

// queryHeavy are functions that can take long, such as a search in a long text.
var queryHeavy = wordSet(`instr position strpos replace split_part mod`)

// queryLists are the functions that make one text of many rows; see checkLists.
var queryLists = wordSet(`string_agg group_concat`)

const bothFunctions = `
string_agg
count sum avg min max abs round floor ceil ceiling trunc sign mod coalesce nullif cast upper lower length trim ltrim rtrim substr substring replace
date row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value`

// queryOperators are those that may be used. One of them may be followed by a sign.
var queryOperators = wordSet(`+ - * / % < > = <= >= <> != == || ::`)

// mostConcatenations bounds how long a text can become: each || at most doubles it.
const mostConcatenations = 8

// viewByName and viewColumns are what names in a query may be.
var viewByName, viewColumns = func() (map[string]*schema.View, map[string]bool) {
	views, columns := map[string]*schema.View{}, map[string]bool{}
	for _, v := range schema.Views {
		views[v.Name] = v
		for _, c := range v.Columns {
			columns[c.Name] = true
		}
	}
	return views, columns
}()
