package recipes_test

import (
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestNightly_WritesAWholeFile fails for a program that reads one page, takes null for no, writes a
// formula, or leaves half of a file.
func TestNightly_WritesAWholeFile(t *testing.T) {
	t.Parallel()
	service := serve(t, time.Now())
	demo := service.SeedDemo()
	service.UpdateContainer(service.ContainerIDs(demo.Shipments[2])[0], func(c *terminal49test.Container) { c.Number = "=1+1" })
	service.AddContainer(terminal49test.Container{
		Number: "MSCU1234566", Shipment: service.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "A"}), // no zone
		ImportDeadlines: terminal49test.Deadlines{Terminal: time.Date(2026, time.November, 28, 8, 0, 0, 0, time.UTC)},
	})
	many := losAngeles(service, "MAEU999999999")
	for i := range 120 {
		service.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("TCLU", 100+i), Shipment: many})
	}
	file := filepath.Join(t.TempDir(), "containers.csv")
	nightly := build(t, "nightly", service)
	nightly.run(file)

	before, err := os.ReadFile(file)
	require.NoError(t, err)
	table, err := csv.NewReader(strings.NewReader(string(before))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"container", "situation", "place", "last free day", "days left", "owed", "do"}, table[0])
	require.Len(t, table, 1+8+1+120)
	rows := map[string][]string{}
	for _, row := range table[1:] {
		for _, cell := range row {
			require.NotRegexp(t, `^[=+@\t\r]`, cell, "a formula")
		}
		rows[row[0]] = row
	}
	require.Contains(t, []string{"-3", "-4"}, rows["CMAU4716554"][4]) // the demo began an hour ago, which may be yesterday
	require.Equal(t, []string{"pay_first", "APMT LA (USLAX)", "USD 555.00"},
		slices.Concat(rows["CMAU4716554"][1:3], rows["CMAU4716554"][5:6]))
	require.Contains(t, rows["CMAU4716554"][6], "USD 555.00 must be paid first")
	require.Regexp(t, `^\d{4}-\d\d-\d\d$`, rows["CMAU4716554"][3])
	require.Contains(t, rows["MSCU1234566"][3], "2026-11-28")
	require.Empty(t, rows["MSCU1234566"][4])

	service.AddFault(terminal49test.Fault{Operation: "containers.list", Skip: 1, Status: 401})
	_, err = nightly.try(file)
	require.Error(t, err)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "yesterday's file")
}

// TestCustomer_ExistsOnce fails for a program that sends a creation again, that takes a failed
// look-up for an absence, or that looks at one page.
func TestCustomer_ExistsOnce(t *testing.T) {
	t.Parallel()
	service := serve(t, evening)
	kept := service.AddParty(terminal49test.Party{CompanyName: "Harbor Street Imports"})
	for i := range 120 {
		service.AddParty(terminal49test.Party{CompanyName: fmt.Sprint("Company ", i)})
	}
	parties := func(name string) (ids []string) {
		t.Helper()
		client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
		require.NoError(t, err)
		for party, err := range client.Parties.All(t.Context(), nil) {
			require.NoError(t, err)
			if party.CompanyName == name {
				ids = append(ids, party.ID)
			}
		}
		return ids
	}
	customer := build(t, "customer", service)
	require.Equal(t, []string{kept}, customer.lines("Harbor Street Imports"))
	require.Equal(t, []string{kept}, parties("Harbor Street Imports"))

	service.AddFault(terminal49test.Fault{Operation: "parties.create", Kind: terminal49test.FaultDrop, Acted: true})
	created := customer.lines("Dockside Tea")
	require.Equal(t, parties("Dockside Tea"), created, "the response was lost")
	require.Equal(t, created, customer.lines("Dockside Tea"))

	service.AddFault(terminal49test.Fault{Operation: "parties.list", Status: 403, Times: -1})
	out, err := customer.try("Dockside Tea")
	require.Error(t, err, "the look-up failed")
	require.Empty(t, out)
	_, err = customer.try("Pier 9 Coffee")
	require.Error(t, err, "the look-up failed")
	service.ClearFaults()
	require.Len(t, parties("Dockside Tea"), 1)
	require.Empty(t, parties("Pier 9 Coffee"))
}

// TestShared_KeepsTheLimit fails for programs that count alone, that divide the limit by guess, or
// that give up when it is used up.
func TestShared_KeepsTheLimit(t *testing.T) { // alone, because a minute must not pass between its programs
	service := serve(t, evening, terminal49test.WithRateLimits(map[string]int{"default": 20}))
	shipment := losAngeles(service, "MAEU240711002")
	var ids, numbers []string
	for i := range 35 {
		numbers = append(numbers, terminal49test.ContainerNumber("TCLU", 100+i))
		ids = append(ids, service.AddContainer(terminal49test.Container{Number: numbers[i], Shipment: shipment}))
	}
	shared := build(t, "shared", service, "LIMIT=20", "DB="+filepath.Join(t.TempDir(), "shared.db"))
	require.Equal(t, numbers[:15], shared.lines(ids[:15]...), "the limit is not used up")

	outputs := make(chan string)
	for _, part := range [][]string{ids[15:25], ids[25:]} {
		command := shared.command(part...)
		go func() {
			out, err := command.Output()
			outputs <- fmt.Sprint(string(out), err)
		}()
	}
	both := <-outputs + "\n" + <-outputs
	require.Equal(t, 2, strings.Count(both, "<nil>"), both)
	printed := 15
	for i, id := range ids[15:] {
		late := strings.Count(both, "late "+id+"\n")
		require.Equal(t, 1, strings.Count(both, numbers[15+i]+"\n")+late, id)
		printed += 1 - late
	}
	require.LessOrEqual(t, printed, 20)
	require.Len(t, service.Requests(), printed, "each is read once, and no request is refused")
	require.Equal(t, []string{"late " + ids[0]}, shared.lines(ids[0]))
}

// TestOverdue_ReadsTheCopy fails for a program that counts deleted containers, counts days in UTC,
// or needs a token.
func TestOverdue_ReadsTheCopy(t *testing.T) {
	t.Parallel()
	service := serve(t, evening)
	shipment := losAngeles(service, "MAEU240711002")
	var ids []string
	for i, number := range []string{"MSKU7182047", "MSKU7182411", "MSKU7182453", "MSKU7182495", "MEDU3309188", "ONEU5520871"} {
		c := released(service, shipment, number)
		c.ImportDeadlines.Terminal = midnight(t, 1+i, "America/Los_Angeles") // the 4th is the last day that is not over
		ids = append(ids, service.AddContainer(c))
	}
	service.UpdateContainer(ids[2], func(c *terminal49test.Container) {
		c.AvailableForPickup, c.CurrentStatus, c.Holds = terminal49test.Bool(false), "not_available", []terminal49test.Hold{{Name: "customs"}}
	})
	gone := released(service, shipment, "CMAU4716554")
	gone.ImportDeadlines.Terminal = midnight(t, 1, "America/Los_Angeles")
	deleted := service.AddContainer(gone)
	path := filepath.Join(t.TempDir(), "terminal49.db")
	copyAccount(t, service, path, func() { service.RemoveContainer(deleted) })
	sent := len(service.Requests())

	overdue := build(t, "overdue", service, "NOW="+evening.Format(time.RFC3339), "MIRROR_DB="+path, "T49_API_TOKEN=", "T49_API_BASE_URL=")
	require.Equal(t, []string{"3", "MSKU7182047 ready -3", "MSKU7182411 ready -2", "MSKU7182453 held -1"}, overdue.lines())
	require.Len(t, service.Requests(), sent)
	require.Equal(t, "3", strings.SplitN(overdue.run(), "\n", 2)[0], "it writes nothing")
}

// copyAccount makes a mirror's file, with what is removed afterwards deleted in it.
func copyAccount(t *testing.T, service *terminal49test.Server, path string, remove func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate")
	require.NoError(t, err)
	defer db.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err := mirror.New(client, db, mirror.WithSettle(time.Millisecond))
	require.NoError(t, err)
	require.NoError(t, m.Reconcile(t.Context()))
	remove()
	for range 2 { // a deletion needs two proofs
		require.NoError(t, m.Reconcile(t.Context()))
	}
}
