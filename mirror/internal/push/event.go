package push

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// TypePrefix is the beginning of the type of an event; its kind, a dot and its attribute follow.
const TypePrefix = "com.github.go-freight.terminal49."

// ContentType is that of a CloudEvent as JSON, in structured mode.
const ContentType = "application/cloudevents+json; charset=utf-8"

// Event is a CloudEvent 1.0.
type Event struct {
	SpecVersion     string `json:"specversion"`
	ID              string `json:"id"`
	Source          string `json:"source"`
	Type            string `json:"type"`
	Subject         string `json:"subject"`
	Time            string `json:"time"`
	DataContentType string `json:"datacontenttype"`
	Data            data   `json:"data"`
}

// data is a change as "terminal49-mirror tail" prints it.
type data struct {
	Seq       int64           `json:"seq"`
	Position  string          `json:"position"`
	Kind      string          `json:"kind"`
	ID        string          `json:"id"`
	Attribute string          `json:"attribute"`
	Old       json.RawMessage `json:"old"`
	New       json.RawMessage `json:"new"`
	Source    string          `json:"source"`
	At        time.Time       `json:"at"`
}

// Source returns the source of the events of an account.
func Source(account string) string { return "urn:terminal49:account:" + cmp.Or(account, "unknown") }

// subject returns what a change is about. The kind situation is about a container.
func subject(kind, id string) string {
	if kind == model.KindNotice {
		kind = "container"
	}
	return kind + "/" + id
}

// body returns the event of a change. It is the same at each attempt.
func body(source string, v store.Delivery) ([]byte, error) {
	c := v.Change
	return json.Marshal(Event{
		SpecVersion: "1.0", ID: c.Position, Source: source, Type: TypePrefix + c.Kind + "." + c.Attribute,
		Subject: subject(c.Kind, c.ID), Time: c.At.UTC().Format(time.RFC3339Nano), DataContentType: "application/json",
		Data: data{c.Seq, c.Position, c.Kind, c.ID, c.Attribute, c.Old, c.New, c.Source, c.At.UTC()},
	})
}
