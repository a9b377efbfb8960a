package mcpserver

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// writeRows writes rows in groups of a situation and a place.
func writeRows(p *page, rows []containerRow) {
	groups := map[string][]string{}
	var order []string
	for i := range rows {
		heading := rows[i].heading()
		if groups[heading] == nil {
			order = append(order, heading)
		}
		groups[heading] = append(groups[heading], rows[i].String())
	}
	for _, heading := range order {
		p.line("%s (%d): %s", own(heading), len(groups[heading]), own(strings.Join(groups[heading], ", ")))
	}
}

// heading is what the rows of a group have in common.
func (r *containerRow) heading() string {
	text := string(words(r.Situation))
	if r.Place != "" {
		text += " at " + string(quoted(r.Place))
	}
	if text == "" {
		return "Containers"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// inText are the members that heading and String write.
var inText = []string{"input", "number", "situation", "place", "last_free_day", "days_left"}

// String returns a row without its situation and place.
func (r *containerRow) String() string {
	text := string(numberText(r.Number))
	if r.Input != "" {
		text = string(quoted(r.Input)) + " = " + text
	}
	switch {
	case r.DaysLeft != nil:
		text += fmt.Sprintf(" %s (%d d)", r.LastFreeDay, *r.DaysLeft)
	case r.LastFreeDay != "":
		text += " free day " + r.LastFreeDay
	}
	if more := r.others(); len(more) > 0 {
		text += " [" + strings.Join(more, "; ") + "]"
	}
	return text
}

// others returns the other members with their names.
func (r *containerRow) others() (list []string) {
	v := reflect.ValueOf(r).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, value := memberOf(f), v.FieldByIndex(f.Index)
		if value.IsZero() || slices.Contains(inText, name) {
			continue
		}
		list = append(list, strings.ReplaceAll(name, "_", " ")+" "+shownValue(name, value))
	}
	return list
}

// ours are the members with texts that are made here.
var ours = []string{"id", "stage", "since", "lfd_source", "urgency", "owed", "available", "checked", "appointment", "eta", "port_eta", "original_port_eta", "arrived",
	"discharged", "on_rail", "rail_eta", "at_ramp", "left_port", "picked_up", "returned_empty", "weight_lb"}

func shownValue(name string, v reflect.Value) string {
	switch of := v.Interface().(type) {
	case string:
		if slices.Contains(ours, name) || of == unknown {
			return fmt.Sprint(shown(of))
		}
		return string(quoted(of))
	case joined:
		if slices.Contains(ours, name) || of == unknown {
			return fmt.Sprint(shown(of))
		}
		return string(quoted(string(of)))
	case []string:
		return string(quotedAll(of, " "))
	case *int:
		return fmt.Sprint(*of)
	}
	return fmt.Sprint(v.Interface())
}
