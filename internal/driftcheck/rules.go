package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/zones"
)

const disobeys = "in an example of the document, where the library's rule says otherwise"

// sample is the part of a container that the rules are held against, as the document has it.
type sample struct {
	Attributes struct {
		Number            string `json:"number"`
		AvailabilityKnown *bool  `json:"availability_known"`
		Available         *bool  `json:"available_for_pickup"`
		Status            string `json:"current_status"`
		PODZone           string `json:"pod_timezone"`
		InlandZone        string `json:"final_destination_timezone"`
		PickupLFD         string `json:"pickup_lfd"`
		Deadlines         struct {
			Line     string `json:"pickup_lfd_line"`
			Terminal string `json:"pickup_lfd_terminal"`
			Rail     string `json:"pickup_lfd_rail"`
		} `json:"import_deadlines"`
		Fees []struct {
			Amount json.Number `json:"amount"`
		} `json:"fees_at_pod_terminal"`
	} `json:"attributes"`
}

// checkRules applies the library's rules to every container in the examples of the document, at any
// depth, and returns how many there are.
func checkRules(d *document) (count int, findings []finding, err error) {
	for _, raw := range containersIn(d.root) {
		var s sample
		if err := json.Unmarshal(raw, &s); err != nil {
			continue // the drift check reports what the library cannot decode
		}
		c, err := decodeContainer(raw)
		if err != nil {
			return 0, nil, fmt.Errorf("container %s: %w", s.Attributes.Number, err)
		}
		count++
		for _, problem := range s.problems(c) {
			findings = append(findings, finding{"rule for container " + s.Attributes.Number, problem, disobeys})
		}
	}
	return count, findings, nil
}

// containersIn returns the containers with attributes within a part of the document.
func containersIn(part any) (found []json.RawMessage) {
	switch v := part.(type) {
	case object:
		attributes, _ := v["attributes"].(object)
		if number, _ := attributes["number"].(string); v["type"] == "container" && number != "" {
			if raw, err := json.Marshal(v); err == nil {
				found = append(found, raw)
			}
		}
		for _, key := range sortedKeys(v) {
			found = append(found, containersIn(v[key])...)
		}
	case []any:
		for _, element := range v {
			found = append(found, containersIn(element)...)
		}
	}
	return found
}

func decodeContainer(raw []byte) (*terminal49.Container, error) {
	body := bytes.Join([][]byte{[]byte(`{"data":[`), raw, []byte(`]}`)}, nil)
	client, err := terminal49.New("drift-check", terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1),
		terminal49.WithHTTPClient(&http.Client{Transport: example{status: http.StatusOK, body: body}}))
	if err != nil {
		return nil, err
	}
	page, err := client.Containers.List(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	if len(page.Items) != 1 {
		return nil, io.ErrUnexpectedEOF
	}
	return page.Items[0], nil
}

// problems returns where the library's answers differ from what the service documents.
func (s sample) problems(c *terminal49.Container) []string {
	return slices.Concat(s.dayProblems(c), s.releaseProblems(c), s.placeProblems(c), s.feeProblems(c))
}

func (s sample) dayProblems(c *terminal49.Container) (problems []string) {
	a, d := s.Attributes, s.Attributes.Deadlines
	for name, day := range map[string]struct {
		sent string
		read terminal49.Time
	}{
		"pickup_lfd": {a.PickupLFD, c.PickupLFD}, "pickup_lfd_line": {d.Line, c.ImportDeadlines.Line},
		"pickup_lfd_terminal": {d.Terminal, c.ImportDeadlines.Terminal}, "pickup_lfd_rail": {d.Rail, c.ImportDeadlines.Rail},
	} {
		want, only := midnightDay(day.sent, a.PODZone, a.InlandZone)
		if got, _ := day.read.Date(); only && got.String() != want {
			problems = append(problems, fmt.Sprintf("%s is %s, a midnight of %s", name, got, want))
		}
	}
	return problems
}

func (s sample) releaseProblems(c *terminal49.Container) []string {
	a, ready := s.Attributes, terminal49.PickupReadiness(c)
	unknown := a.Available == nil || a.AvailabilityKnown != nil && !*a.AvailabilityKnown
	if unknown && (ready.State != terminal49.ReadinessUnknown || !ready.NeedsRecheck()) {
		return []string{fmt.Sprintf("availability is unknown, and it is %s", ready.State)}
	}
	return nil
}

func (s sample) placeProblems(c *terminal49.Container) []string {
	a := s.Attributes
	situation := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}).Situation
	pickedUp := a.Status == "picked_up" && a.InlandZone == "" // otherwise it may have left the port only
	if (pickedUp || a.Status == "delivered" || a.Status == "empty_returned") && !situation.HasLeft() {
		return []string{fmt.Sprintf("it is %s, with the status %s", situation, a.Status)}
	}
	return nil
}

func (s sample) feeProblems(c *terminal49.Container) (problems []string) {
	for _, fee := range s.Attributes.Fees {
		if _, _, ok := terminal49.SumFees(c.Fees).Owed(); ok && (fee.Amount == "" || fee.Amount == "0") {
			problems = append(problems, "what is owed is known, although a fee is not posted")
		}
	}
	return problems
}

// midnightDay returns the day that begins at a time in one of two zones, if it is a midnight in one
// of them alone, or the same day in both.
func midnightDay(sent, zone, other string) (day string, ok bool) {
	at, err := time.Parse(time.RFC3339, sent)
	if err != nil {
		return "", false
	}
	for _, name := range []string{zone, other} {
		place, err := zones.Load(name)
		if name == "" || err != nil || at.In(place).Format(time.TimeOnly) != "00:00:00" {
			continue
		}
		here := at.In(place).Format(time.DateOnly)
		if day != "" && day != here {
			return "", false
		}
		day = here
	}
	return day, day != ""
}
