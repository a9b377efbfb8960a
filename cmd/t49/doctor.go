package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/cmd/t49/internal/doctor"
)

func (a *app) doctor() *cobra.Command {
	return a.numbered(&cobra.Command{
		Use:   "doctor [ID|NUMBER...]",
		Short: "Find out how the service differs from its documents, in a report that can be published",
		Long: `Find out what this account shows of the service that its documents leave open:
attributes and values that are unknown to this version, filters that are ignored,
pages that are shorter than requested, values that cannot be read, limits and
clocks. It sends about 30 requests and changes nothing.

The report can be pasted into an issue: it has no names, numbers, ids, dates or
secrets of the account, and not how much it has. "…" stands for words that are
neither of the trade nor of a known attribute.

With NUMBERs, the report is about these containers instead: what this version
concludes, and which attributes are reported, without their texts.

A question without an answer says why. The exit status is 0 if the service
answered, with whatever it was; messages on standard error are not for publication.`,
		RunE: func(cmd *cobra.Command, which []string) error {
			if len(which) > 0 || a.from != "" {
				return a.describeContainers(cmd.Context(), which)
			}
			client, err := a.connect()
			if err != nil {
				return err
			}
			return a.printReport(doctor.Examine(cmd.Context(), client))
		},
	}, false)
}

// printReport prints a list in Markdown, or a line of JSON for each finding.
func (a *app) printReport(r *doctor.Report) error {
	if !a.json {
		fmt.Fprintf(a.out, "%s\n\n", heading(fmt.Sprintf(", %d requests", r.Requests)))
	}
	for _, finding := range r.Findings {
		if !a.json {
			fmt.Fprintln(a.out, plain("- "+finding.String()))
			continue
		}
		text, err := json.Marshal(finding)
		if err != nil {
			return err
		}
		if err := a.line(text); err != nil {
			return err
		}
	}
	return r.Err()
}
