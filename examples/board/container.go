package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// readTimeout is how long a page waits for the service.
const readTimeout = 8 * time.Second

// container shows one container.
func (s *site) container(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	c, changes, ok := s.board.get(id)
	if !ok {
		http.Error(w, "no container on the board has this id", http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	data := struct {
		head
		Row        row
		Milestones []milestone
		Changes    []change
		Map        template.HTML
		Problem    string
		Checked    string
	}{head: s.head(c.Number), Row: newRow(c, s.source.now()), Changes: changes, Checked: c.TerminalCheckedAt.String()}
	var problems []error
	var err error
	data.Milestones, err = s.journey(ctx, c)
	problems = append(problems, err)
	route, err := s.source.api().Containers.Map(ctx, id)
	problems = append(problems, err)
	if err == nil {
		data.Map = draw(ctx, route)
	}
	data.Problem = explain(errors.Join(problems...))
	s.write(w, "container.html", data)
}

// explain returns why a part of the page is missing.
func explain(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, terminal49.ErrFeatureNotEnabled), errors.Is(err, terminal49.ErrForbidden):
		return "The account may not see the route."
	}
	return "Not everything could be read: " + err.Error()
}

// milestone is a step of the journey.
type milestone struct {
	What, When, Where, Vessel string
	Estimated                 bool
}

func (s *site) journey(ctx context.Context, c *terminal49.Container) (list []milestone, err error) {
	events, err := s.source.api().Containers.TransportEvents(ctx, c.ID, &terminal49.TransportEventListParams{
		Include: []terminal49.TransportEventInclude{terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeVessel},
	})
	if err != nil {
		return nil, err
	}
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{Events: events}) {
		list = append(list, milestone{strings.TrimPrefix(m.Description(), "estimated: "), m.At.String(), cmp.Or(m.Place, m.LOCODE), m.VesselName, m.Estimated})
	}
	return list, nil
}

// value shows a JSON value: texts without quotes, lists of holds and fees by their names.
func value(text string) string {
	var word string
	var items []struct {
		Name, Type, Status string
		Amount             json.Number
		Currency           string `json:"currency_code"`
	}
	switch {
	case !isSet(text):
		return "-"
	case json.Unmarshal([]byte(text), &word) == nil:
		return word
	case json.Unmarshal([]byte(text), &items) == nil:
		var names []string
		for _, i := range items {
			names = append(names, strings.Join(strings.Fields(i.Name+" "+i.Type+" "+i.Status+" "+i.Amount.String()+" "+i.Currency), " "))
		}
		return cmp.Or(strings.Join(names, ", "), "none")
	}
	return text
}
