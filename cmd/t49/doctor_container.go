package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// heading begins a report: versions, the system, and which variables are set, without their values.
func heading(requests string) string {
	var set []string
	for _, name := range []string{"T49_API_BASE_URL", "T49_ACCOUNT_ID", "NO_COLOR", "HTTPS_PROXY", "HTTP_PROXY"} {
		if os.Getenv(name) != "" {
			set = append(set, name)
		}
	}
	return fmt.Sprintf("t49 doctor %s, %s/%s%s; set: %s", version(debug.ReadBuildInfo()), runtime.GOOS, runtime.GOARCH, requests,
		cmp.Or(strings.Join(set, ", "), "no optional variable"))
}

// describeContainers prints what this version concludes about containers, and what from.
// No text of the account is in it, so it can be published.
func (a *app) describeContainers(ctx context.Context, which []string) error {
	if a.json {
		return usageError{fmt.Errorf("--json is for the report about the account: leave out the NUMBERs")}
	}
	if _, err := fmt.Fprintln(a.out, heading("")); err != nil {
		return err
	}
	n := 0
	err := a.each(ctx, which, everyJourney, func(c *terminal49.Container) error {
		n++
		_, err := fmt.Fprintf(a.out, "\nContainer %d\n\n- %s\n", n, strings.Join(described(c, time.Now()), "\n- "))
		return err
	})
	if err != nil {
		fmt.Fprintf(a.out, "\nNot all could be read: exit status %d of t49.\n", statusOf(err)) // the output remembers its error
	}
	return err
}

// described are the lines about a container.
func described(c *terminal49.Container, now time.Time) []string {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	reported, missing := attributesIn(c)
	shipment, missingOfShipment := []string{"not included"}, []string(nil)
	if s, ok := c.Shipment.Value(); ok {
		shipment, missingOfShipment = attributesIn(s)
	}
	return []string{
		"situation: " + string(v.Situation),
		"can be picked up: " + yesNoUnknown(judge(c, now, 24*time.Hour).CanPickUp),
		"urgency: " + strings.TrimSpace(string(v.Urgency)+" "+string(v.UrgencyReason)),
		"last free day from: " + cmp.Or(string(v.LastFreeDay.Source), "nowhere") + map[bool]string{true: " (withheld)"}[v.LastFreeDay.Withheld],
		"current_status: " + word(string(c.CurrentStatus), c.CurrentStatus.Known()),
		"proof: " + facts(v.Proof),
		"against: " + facts(v.Against),
		"holds: " + list(c.Holds, func(h terminal49.Hold) string {
			return word(string(h.Name), h.Name.Known()) + " " + word(string(h.Status), h.Status.Known())
		}),
		"fees: " + list(c.Fees, func(f terminal49.Fee) string { return word(string(f.Type), f.Type.Known()) }),
		"reported: " + list(reported, same), "not reported: " + list(missing, same),
		"reported of the shipment: " + list(shipment, same), "not reported of the shipment: " + list(missingOfShipment, same),
	}
}

// attributesIn returns the attributes of a resource that are reported, and those that are not. Only
// attributes that this version knows have a name.
func attributesIn(resource json.Marshaler) (reported, missing []string) {
	var form struct {
		Type       string
		Attributes map[string]any
	}
	text, _ := resource.MarshalJSON()
	_ = json.Unmarshal(text, &form) // the package has made it
	for _, name := range knownAttributes(form.Type + "s.get") {
		if form.Attributes[name] == nil {
			missing = append(missing, name)
		} else {
			reported = append(reported, name)
		}
	}
	return reported, missing
}

func knownAttributes(operation string) []string {
	for _, o := range terminal49.Operations() {
		if o.Name == operation {
			return o.Attributes
		}
	}
	return nil
}

// facts are the names of what a verdict follows from.
func facts(all []terminal49.VerdictFact) string {
	attributes := append(knownAttributes("containers.get"), knownAttributes("shipments.get")...)
	return list(all, func(f terminal49.VerdictFact) string {
		known := terminal49.EventName(f.Name).Known() || slices.Contains(attributes, strings.TrimPrefix(f.Name, "shipment."))
		return word(f.Name, known)
	})
}

// word hides a text that is not a word of the service's documents.
func word(text string, known bool) string {
	if text != "" && !known {
		return "…"
	}
	return cmp.Or(text, "-")
}

func same(text string) string { return text }

func list[E any](all []E, text func(E) string) string {
	var texts []string
	for _, one := range all {
		texts = append(texts, text(one))
	}
	return cmp.Or(strings.Join(texts, ", "), "none")
}
