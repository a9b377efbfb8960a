package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/doctor"
)

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Find out what the service's documents leave open, with about 30 reads",
		Long: `Find out what the service's documents leave open, with about 30 reads, and print
each question with its answer and what it means for a mirror. It changes nothing.
What it prints can be published: nothing of the account is in it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			report := doctor.Examine(cmd.Context(), client)
			for _, finding := range report.Findings {
				fmt.Fprintln(a.out, plain(finding.String()))
			}
			return interrupted(cmd.Context(), report.Err())
		},
	}
}
