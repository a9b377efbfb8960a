package main

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWrite_HasARowForEachContainer(t *testing.T) {
	service := simulate(t)
	demo := service.SeedDemo()
	service.UpdateContainer(service.ContainerIDs(demo.Shipments[2])[0], func(c *terminal49test.Container) {
		c.Number = `=HYPERLINK("https://example.com")`
	})
	shipment := service.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "A"}) // without a port, and so without a zone
	service.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: shipment,
		ImportDeadlines: terminal49test.Deadlines{Terminal: time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC)}})
	var out strings.Builder
	require.NoError(t, write(t.Context(), &out))

	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+1+8) // SeedDemo has eight containers
	require.Equal(t, []string{"MSCU1234566", "2026-11-28", ""}, []string{rows[1][0], rows[1][3], rows[1][4]})
	late := strings.TrimPrefix(rows[5][4], "-")
	require.Contains(t, []string{"3", "4"}, late) // the demo began an hour ago, which may be yesterday
	require.Equal(t, []string{
		"CMAU4716554", "pay_first", "APMT LA (USLAX)", rows[5][3], "-" + late, "USD 555.00",
		"Ready, but USD 555.00 must be paid first. Pay, then send a truck to APMT LA (USLAX). The terminal's last free day was " + rows[5][3] + ", " + late + " days ago.",
	}, rows[5])
	_, err = time.Parse(time.DateOnly, rows[5][3])
	require.NoError(t, err)
	require.Equal(t, []string{`HYPERLINK("https://example.com")`, "not_released", "GCT (USSAV)", "", "", "no fees"}, rows[6][:6])
}

func TestWrite_ReportsEveryError(t *testing.T) {
	service := simulate(t)
	require.ErrorIs(t, write(t.Context(), brokenPipe{}), io.ErrClosedPipe)
	service.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 401})
	require.Error(t, write(t.Context(), io.Discard))
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func simulate(t *testing.T) *terminal49test.Server {
	service := terminal49test.NewServer()
	t.Cleanup(service.Close)
	t.Setenv("T49_API_BASE_URL", service.URL)
	t.Setenv("T49_API_TOKEN", service.Token)
	t.Setenv("T49_ACCOUNT_ID", "")
	return service
}
