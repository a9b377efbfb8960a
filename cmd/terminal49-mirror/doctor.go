package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Find out what the service's documents leave open, with ten reads",
		Long: `Find out what the service's documents leave open, with ten reads, and print
each question with its answer and what it means for the mirror. It changes nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			findings, err := mirror.Doctor(cmd.Context(), client)
			for _, finding := range findings {
				fmt.Fprintln(a.out, plain(finding.String()))
			}
			return interrupted(cmd.Context(), err)
		},
	}
}
