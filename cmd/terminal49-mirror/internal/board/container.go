package board

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// readTimeout is how long a page waits for the service.
const readTimeout = 8 * time.Second

// containerPage is the page of a container.
type containerPage struct {
	head
	Row            *row
	Proof, Against string // the last fact that the place follows from; those that contradict it
	Milestones     []milestone
	Changes        []change
	Since          string // what the changes are
	Map            template.HTML
	Missing        string // what could not be read
	FreeDays       []freeDay
	WhyFreeDay     string // why one of them counts, or none
	Checked        string
	Vendor         []link
}

// link is an address at the vendor's.
type link struct{ Name, Address string }

// container shows one container.
func (s *site) container(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	version := s.model.version()
	if !s.model.has(id) {
		s.missing(w, r, http.StatusNotFound, "No container on the board has this id.")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	found, err := s.source.containers(ctx, []string{id})
	if err != nil || len(found) == 0 {
		s.missing(w, r, http.StatusServiceUnavailable, "The container cannot be read now. Load the page again in a minute.")
		return
	}
	c, now := found[0], s.source.now()
	verdict := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	details, err := s.source.details(ctx, c)
	p := containerPage{head: s.headFor(r, c.Number, version), Row: newRow(c, &verdict), Milestones: milestones(c, details.events), Changes: details.changes,
		Since: details.since, Missing: missing(err), Checked: when(atPlace(c.TerminalCheckedAt, verdict.Since)),
		Proof: list(verdict.Proof[max(len(verdict.Proof)-1, 0):]), Against: list(verdict.Against)}
	if p.Clock == nil {
		p.Vendor = vendorLinks(p.Row)
	}
	p.FreeDays, p.WhyFreeDay = freeDays(c, &verdict, now)
	if details.route != nil {
		p.Map = draw(ctx, details.route)
	}
	s.write(w, r, "container.html", p)
}

// missingPage is shown in the place of a container that cannot be.
type missingPage struct {
	head
	Reason string
}

// missing says why a container is not shown, with a way back to the list.
func (s *site) missing(w http.ResponseWriter, r *http.Request, status int, reason string) {
	h := s.headFor(r, "No container", s.model.version())
	if h.Partial {
		reason += " Not everything has been read yet, so it may come: load the page again then."
	}
	s.writeStatus(w, r, status, "missing.html", missingPage{h, reason})
}

// atPlace returns a time in the zone of another one, if that is known.
func atPlace(t, other terminal49.Time) terminal49.Time {
	if instant, ok := t.Instant(); ok && other.Zone() != "" {
		return terminal49.NewTime(instant, other.Zone())
	}
	return t
}

// vendorLinks returns the addresses that Terminal49 documents for what has a number; see section
// "Dashboard" of docs/service.md.
func vendorLinks(r *row) (links []link) {
	for _, number := range []string{r.Number, r.BillOfLading} {
		if number != "" {
			links = append(links, link{number, "https://app.terminal49.com/shipments/find?q=" + url.QueryEscape(number)})
		}
	}
	return links
}

// missing returns why a part of the page is missing.
func missing(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, terminal49.ErrFeatureNotEnabled), errors.Is(err, terminal49.ErrForbidden):
		return "The account may not see the route."
	}
	return "The journey and the route could not be read in full. " + cmp.Or(explain(err), "The board has used its requests for now: load the page again in a minute.")
}

// milestone is a step of the journey.
type milestone struct {
	What, When, Where, Vessel string
	Estimated                 bool
}

func milestones(c *terminal49.Container, events []*terminal49.TransportEvent) (list []milestone) {
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{Events: events}) {
		list = append(list, milestone{strings.TrimPrefix(m.Description(), "estimated: "), when(m.At), cmp.Or(m.Place, m.LOCODE),
			joined(" ", m.VesselName, m.Voyage), m.Estimated})
	}
	return list
}
