package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

// feed prints human-readable lines about what appears and changes.
type feed struct {
	*demo
	last  mirror.Position   // of the last change that was printed
	names map[string]string // of resources, by id
}

// feedInterval and feedLines keep a terminal readable.
const (
	feedInterval = 200 * time.Millisecond
	feedLines    = 12
)

// follow prints changes until ctx ends.
func (f *feed) follow(ctx context.Context) {
	for {
		f.print(ctx)
		if !sleep(ctx, feedInterval) {
			return
		}
	}
}

// print prints what changed since the last time; of many changes only the first.
func (f *feed) print(ctx context.Context) {
	n := 0
	for change, err := range f.m.Changes(ctx, f.last) {
		if err != nil {
			return // before the first migration there is no table
		}
		f.last = change.Position
		if n++; n <= feedLines {
			fmt.Fprintln(f.out, cli.Printable(f.describe(ctx, change)))
		}
	}
	if n > feedLines {
		fmt.Fprintf(f.out, "         and %d more\n", n-feedLines)
	}
}

// describe returns a change as a line.
func (f *feed) describe(ctx context.Context, c mirror.Change) string {
	at := c.At.Local().Format(time.TimeOnly)
	if notice, ok, err := c.Notice(); ok && err == nil {
		return fmt.Sprintf("%s ! %s: %s", at, notice.Number, notice.Sentence)
	}
	switch {
	case c.Attribute == "id" && c.Old == nil:
		return fmt.Sprintf("%s + %s %s", at, c.Kind, f.name(ctx, c))
	case c.Attribute == "id":
		return fmt.Sprintf("%s - %s %s", at, c.Kind, f.name(ctx, c))
	}
	return fmt.Sprintf("%s   %s %s: %s %s -> %s", at, c.Kind, f.name(ctx, c), c.Attribute, short(c.Old), short(c.New))
}

// naming are the attributes that people know a resource by.
var naming = []string{"number", "bill_of_lading_number", "request_number", "event", "company_name", "name", "nickname"}

// name returns what people call a resource, or its id.
func (f *feed) name(ctx context.Context, c mirror.Change) string {
	if name, known := f.names[c.ID]; known {
		return name
	}
	name := c.ID
	table, known := feedTables[c.Kind]
	var raw []byte
	if known && f.db.QueryRowContext(ctx, "select raw from "+f.schema+table+" where id = $1", c.ID).Scan(&raw) == nil {
		var r struct{ Attributes map[string]any }
		_ = json.Unmarshal(raw, &r) // it was read before
		for _, attribute := range naming {
			if text, is := r.Attributes[attribute].(string); is && text != "" {
				name = text
				break
			}
		}
	}
	f.names[c.ID] = name
	return name
}

var feedTables = map[string]string{
	"shipment": "shipments", "container": "containers", "tracking_request": "tracking_requests", "transport_event": "transport_events",
	"port": "ports", "metro_area": "ports", "terminal": "terminals", "rail_terminal": "terminals", "vessel": "vessels",
	"party": "parties", "shipping_line": "shipping_lines", "document": "documents",
}

// short returns a value so that it fits on a line. Of holds and fees it returns what matters.
func short(value json.RawMessage) string {
	var list []struct {
		Name, Type, Status string
		Amount             json.Number
		Currency           string `json:"currency_code"`
	}
	text := []rune(string(value))
	switch {
	case value == nil:
		return "null"
	case json.Unmarshal(value, &list) == nil:
		var items []string
		for _, item := range list {
			items = append(items, strings.Join(strings.Fields(item.Name+" "+item.Status+" "+item.Type+" "+item.Amount.String()+" "+item.Currency), " "))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case len(text) > 60:
		return string(text[:57]) + "..."
	}
	return string(text)
}
