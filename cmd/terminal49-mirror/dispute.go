package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/dispute"
)

// disputeFlags are the flags of dispute.
type disputeFlags struct {
	tariff, until, format, id string

	opts dispute.Options
}

func (a *app) dispute() *cobra.Command {
	var f disputeFlags
	cmd := &cobra.Command{
		Use:   "dispute NUMBER",
		Short: "Print what the copy knows of a container's stay, to check an invoice",
		Long: `Print what the copy knows of a container's stay, to check an invoice of demurrage, detention
or storage: when it was available and when that was read, holds, how the last free day moved,
when it went out and came back empty, what was charged, and the items that 46 CFR 541.6 asks
an invoice to state. With --tariff also what each day costs by a tariff of yours, whose form
is described in https://github.com/go-freight/terminal49/blob/main/docs/money.md

Every line has its source. The page states facts and gives no legal opinion. It only reads
the database.`,
		Example: `  terminal49-mirror dispute MSCU1234566 > stay.md
  terminal49-mirror dispute MSCU1234566 --tariff contract.json --until 2026-12-04 --format html > stay.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.read(); err != nil {
				return err
			}
			return a.printDispute(cmd.Context(), args[0], &f)
		},
	}
	cmd.Flags().StringVar(&f.tariff, "tariff", "", "`file` of JSON with a tariff, to estimate what each day costs")
	cmd.Flags().StringVar(&f.until, "until", "", "the last `day` of the estimate, such as 2026-12-04 (default the day of the last read)")
	cmd.Flags().StringVar(&f.format, "format", "markdown", "`form` of the page: markdown, html or json")
	cmd.Flags().StringVar(&f.id, "id", "", "`id` of the container, if the number has made several journeys")
	return cmd
}

// mostTariff bounds the file of a tariff, in bytes.
const mostTariff = 4 << 20

// read checks the flags, and reads the tariff.
func (f *disputeFlags) read() (err error) {
	switch {
	case f.format != "markdown" && f.format != "html" && f.format != "json":
		return usageError("--format must be markdown, html or json")
	case f.until != "" && f.tariff == "":
		return usageError("--until needs --tariff: without one there is no estimate")
	case f.tariff == "":
		return nil
	}
	if f.until != "" {
		if f.opts.Until, err = terminal49.ParseDate(f.until); err != nil {
			return usageError("--until must be a day such as 2026-12-04")
		}
	}
	if info, err := os.Stat(f.tariff); err != nil || info.Size() > mostTariff {
		return usageError("--tariff must be a file of at most 4 MB that can be read")
	}
	data, err := os.ReadFile(f.tariff)
	if err != nil {
		return usageError("--tariff: " + err.Error())
	}
	f.opts.Tariff, err = demurrage.ParseTariff(data)
	if argument := (*terminal49.ArgumentError)(nil); errors.As(err, &argument) {
		return usageError("--tariff " + f.tariff + ": " + cli.Printable(argument.Field) + " " + cli.Printable(argument.Problem))
	}
	return err
}

func (a *app) printDispute(ctx context.Context, number string, f *disputeFlags) error {
	db, err := a.open(false)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	var of []mirror.Option
	if a.schema != "" {
		of = append(of, mirror.WithSchema(a.schema))
	}
	r := mirror.NewReader(db, of...)
	id, err := journeyOf(ctx, r, number, f.id)
	if err != nil {
		return explainFile(a.name(), err)
	}
	page, err := dispute.New(ctx, r, id, f.opts)
	if err != nil {
		return explainFile(a.name(), err)
	}
	return a.writeDispute(page, f.format)
}

// journeyOf returns the id of the container with a number: the only one, or the one that id names.
func journeyOf(ctx context.Context, r *mirror.Reader, number, id string) (string, error) {
	all, err := r.WithoutEvents().ContainersByNumber(ctx, number)
	if err != nil {
		return "", err
	}
	var ids []string
	for _, c := range all {
		if c.ID == id {
			return id, nil
		}
		ids = append(ids, c.ID)
	}
	switch {
	case len(all) == 0:
		return "", usageError(fmt.Sprintf("the copy has no container with the number %.40q", cli.Printable(number)))
	case id != "":
		return "", usageError("--id must be one of the journeys of this number: " + strings.Join(ids, ", "))
	case len(all) > 1:
		return "", usageError("this number has made several journeys, the latest first; choose one with --id: " + strings.Join(ids, ", "))
	}
	return ids[0], nil
}

func (a *app) writeDispute(page *dispute.Page, format string) error {
	switch format {
	case "html":
		return page.HTML(a.out)
	case "json":
		lines := json.NewEncoder(jsonLines{a.out})
		lines.SetEscapeHTML(false)
		return lines.Encode(page)
	}
	return page.Markdown(a.out)
}
