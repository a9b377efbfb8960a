package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// oneShipment returns the shipment with an id or number, for a write. The service may ignore the
// filter, so the number is compared.
func oneShipment(ctx context.Context, client *terminal49.Client, which string) (*terminal49.Shipment, error) {
	found, err := findShipments(ctx, client, which)
	switch {
	case err != nil:
		return nil, err
	case len(found) > 1:
		return nil, usageError{fmt.Errorf("%d shipments were found by this number; use an id", len(found))}
	case !isID(which) && !hasNumber(found[0], which):
		return nil, usageError{fmt.Errorf("the shipment that was found by this number has the number %q; if it is meant, use its id %s",
			found[0].BillOfLadingNumber, found[0].ID)}
	}
	return found[0], nil
}

// hasNumber reports whether a shipment has a number, as submitted or in the form of its line.
// Spaces, dashes and case are ignored.
func hasNumber(s *terminal49.Shipment, number string) bool {
	number = terminal49.NormalizeContainerNumber(number)
	return number == terminal49.NormalizeContainerNumber(s.BillOfLadingNumber) ||
		number == terminal49.NormalizeContainerNumber(s.NormalizedNumber)
}

// tracking returns a command that stops or resumes the tracking of shipments.
func (a *app) tracking(verb string, do func(*terminal49.ShipmentsService, context.Context, string, ...terminal49.CallOption) (*terminal49.Shipment, error)) *cobra.Command {
	var dryRun bool
	cmd := a.numbered(a.tabular(&cobra.Command{
		Use:   verb + " ID|NUMBER...",
		Short: "Change shipments: " + verb + " tracking all of their containers",
		RunE: func(cmd *cobra.Command, args []string) error {
			t := a.print("BILL OF LADING", "LINE", "CUSTOMER", "CONTAINERS", "TRACKING STOPPED")
			return t.end(a.changeEach(cmd.Context(), args, func(s *terminal49.Shipment) (err error) {
				containers := len(s.Containers.IDs())
				if !dryRun {
					s, err = do(a.client.Shipments, cmd.Context(), s.ID)
				}
				if err != nil {
					return err
				}
				return t.row(s, s.BillOfLadingNumber, s.ShippingLineSCAC, s.CustomerName, strconv.Itoa(containers), s.LineTrackingStoppedAt.String())
			}))
		},
	}, "shipments.get"), true)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show the shipments as they are, and change nothing")
	return cmd
}

// changeEach calls f with each shipment that the arguments and --from name.
func (a *app) changeEach(ctx context.Context, args []string, f func(*terminal49.Shipment) error) (failed error) {
	client, err := a.connect()
	if err != nil {
		return err
	}
	which, err := a.numbers(ctx, args)
	if err != nil {
		return err
	}
	for _, one := range which {
		s, err := oneShipment(ctx, client, one)
		if err == nil {
			err = f(s)
		}
		failed = errors.Join(failed, of(one, err))
	}
	return failed
}

func (a *app) references() *cobra.Command {
	cmd := a.numbered(a.tabular(&cobra.Command{
		Use:   "references [ID|NUMBER REFERENCE...]",
		Short: "Add reference numbers of your own to shipments; those that they have remain",
		Long: `Add reference numbers of your own to shipments; those that they have remain. With --from FILE,
each line has the number of a shipment and its references, separated by commas, semicolons or tabs.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.addReferences(cmd.Context(), args) },
	}, "shipments.get"), true)
	cmd.Flags().Lookup("from").Usage = "take the lines of this `file`; - is standard input"
	return cmd
}

func (a *app) addReferences(ctx context.Context, args []string) (failed error) {
	lines := [][]string{args}
	if len(args) == 1 && args[0] == "-" {
		a.from, args = "-", nil
	}
	if a.from != "" {
		if len(args) > 0 {
			return usageError{errors.New("--from has the numbers: leave out the others")}
		}
		text, err := a.readFile(ctx, a.from, maxNumbers)
		if err == nil {
			lines, err = referencesIn(text)
		}
		if err != nil {
			return err
		}
	}
	client, err := a.connect()
	if err != nil {
		return err
	}
	t := a.print("BILL OF LADING", "REFERENCES", "RESULT")
	for _, line := range lines {
		s, result, err := addTo(ctx, client, line)
		if err == nil {
			err = t.row(s, s.BillOfLadingNumber, strings.Join(s.ReferenceNumbers, ", "), result)
		}
		failed = errors.Join(failed, of(line[0], err))
	}
	return t.end(failed)
}

// addTo adds the references of a line to the shipment that it begins with.
func addTo(ctx context.Context, client *terminal49.Client, line []string) (s *terminal49.Shipment, result string, err error) {
	if len(line) < 2 {
		return nil, "", usageError{errors.New("a reference is missing after the number")}
	}
	if s, err = oneShipment(ctx, client, line[0]); err != nil {
		return nil, "", err
	}
	all := unique(append(slices.DeleteFunc(slices.Clone(s.ReferenceNumbers), isEmpty), line[1:]...))
	if len(all) == len(s.ReferenceNumbers) {
		return s, "existing", nil
	}
	s, err = client.Shipments.Update(ctx, s.ID, terminal49.ShipmentUpdate{ReferenceNumbers: terminal49.Some(all)})
	return s, "added", err
}

// referencesIn returns the lines of a CSV: a number and its references. A title is left out.
func referencesIn(text []byte) (lines [][]string, err error) {
	all, err := csvIn(text).ReadAll()
	if err != nil {
		return nil, usageError{fmt.Errorf("the file is not CSV: %w", err)}
	}
	for i, cells := range all {
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		isTitle := i == 0 && isNumberTitle(cells[0])
		if cells = slices.DeleteFunc(cells, isEmpty); len(cells) > 0 && !isTitle {
			lines = append(lines, cells)
		}
	}
	return lines, nil
}
