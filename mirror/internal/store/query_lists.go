package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mostTexts bounds the texts of a query that makes a list as a text.
const mostTexts = 200

// longestList is the most characters of a list as a text: one more than a cell has.
const longestList = 2001

// checkLists refuses a list as a text whose length the rows of a view do not bound.
func (q *queryCheck) checkLists() error {
	if q.lists == 0 || q.lists == 1 && q.rows == 0 && q.joins == 0 && q.texts <= mostTexts && !q.views["changes"] && !q.views["transport_events"] {
		return nil
	}
	return errors.New(`may have one string_agg or group_concat, and only without join, union, || and long texts, and not of changes and transport_events; ` +
		`the view containers has columns of the shipment; or select the rows in an order`)
}

// cutList returns a query whose list as a text is cut, if it has one. Otherwise one call of a
// function of megabytes could take hours, and each row could have them in each column.
func cutList(query string) (string, error) {
	all := slices.DeleteFunc(tokensOf(query), func(t token) bool { return t.part == "other" && strings.TrimSpace(t.text) == "" })
	start := slices.IndexFunc(all, func(t token) bool { return t.part == "word" && queryLists[strings.ToLower(t.text)] })
	if start < 0 || start+1 == len(all) || all[start+1].part != "open" {
		return query, nil
	}
	end := closing(all, start+1)
	if end+2 < len(all) && strings.EqualFold(all[end+1].text, "filter") {
		end = closing(all, end+2)
	}
	if end+1 < len(all) && strings.EqualFold(all[end+1].text, "over") {
		return "", fmt.Errorf(`must not have "over" after %q`, all[start].text)
	}
	from, to := all[start].at, all[end].at+1
	return fmt.Sprintf("%ssubstr(%s, 1, %d)%s", query[:from], query[from:to], longestList, query[to:]), nil
}

// closing returns where the parenthesis of a token is closed.
func closing(all []token, open int) int {
	depth := 0
	for i := open; i < len(all); i++ {
		switch all[i].part {
		case "open":
			depth++
		case "close":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(all) - 1
}
