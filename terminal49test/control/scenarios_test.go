package control_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

const day = 24 * time.Hour

// accepting is a receiver that accepts every webhook.
var accepting = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})

// stage is a world that a scenario has begun in.
type stage struct {
	*testing.T
	service *terminal49test.Server
	client  *terminal49.Client
	begin   time.Time
}

func play(t *testing.T, scenario string) *stage {
	t.Helper()
	service := terminal49test.NewServer(
		terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithStart(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)),
		terminal49test.WithWebhookHandler(accepting),
	)
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	require.NoError(t, err)
	commands, ok := control.Scenario(scenario)
	require.True(t, ok)
	_, err = control.Run(service, bytes.NewReader(commands))
	require.NoError(t, err)
	return &stage{t, service, client, service.Now()}
}

// on advances to a day of the scenario.
func (s *stage) on(days float64) {
	s.service.Advance(s.begin.Add(time.Duration(days * float64(day))).Sub(s.service.Now()))
}

// container returns the only container of the world, and its verdict.
func (s *stage) container() (*terminal49.Container, terminal49.Verdict) {
	s.Helper()
	page, err := s.client.Containers.List(s.Context(), &terminal49.ContainerListParams{
		Include: []terminal49.ContainerInclude{"shipment", "pod_terminal", "pickup_facility", "transport_events"},
	})
	require.NoError(s, err)
	require.Len(s, page.Items, 1)
	return page.Items[0], terminal49.Assess(page.Items[0], s.service.Now(), terminal49.VerdictOptions{})
}

// A moment is a day of a scenario, and the verdict that docs/rules.md decides on it.
type moment struct {
	day      float64
	sentence string
}

var moments = map[string][]moment{
	"rail-import": {
		{0, "On its way by ship to LBCT (USLGB), expected 2026-11-04. Wait."},
		{3, "At LBCT (USLGB), waiting for its move inland to BNSF LPC (USCHI). Wait: do not pick it up at the port."},
		{5, "On a train to BNSF LPC (USCHI), expected 2026-11-10. Wait."},
		{9, "At BNSF LPC (USCHI), its inland destination, not released there. Wait for the release."},
		{10, "Ready for pickup. Send a truck to BNSF LPC (USCHI). The railroad's last free day is 2026-11-13, tomorrow."},
		{12, "Picked up on 2026-11-13. Nothing left to pick up."},
		{15, "Returned empty on 2026-11-16. Nothing left to do."},
	},
	"held-and-paid": {
		{0, "On its way by ship to WBCT (USLAX), expected 2026-11-03. Wait."},
		{2, "At WBCT (USLAX), held by a customs hold (customs broker) and a freight hold (shipping line or forwarder). Have them cleared " +
			"before you send a truck. Also to be paid before the pickup: a fee of unknown amount (exam). " +
			"The terminal's last free day is 2026-11-07, in 3 days."},
		{4, "At WBCT (USLAX), held by a freight hold (shipping line or forwarder). Have it cleared before you send a truck. " +
			"Also to be paid before the pickup: USD 350.00. The terminal's last free day is 2026-11-07, tomorrow."},
		{5, "Ready, but USD 350.00 must be paid first. Pay, then send a truck to WBCT (USLAX). The terminal's last free day is 2026-11-07, today."},
		{7, "Ready, but USD 535.00 must be paid first. Pay, then send a truck to WBCT (USLAX). The terminal's last free day was 2026-11-07, 2 days ago."},
		{8, "Ready, but USD 720.00 must be paid first. Pay, then send a truck to WBCT (USLAX). The terminal's last free day was 2026-11-07, 3 days ago."},
		{9, "Ready for pickup at WBCT (USLAX). Its last free day has passed: ask the terminal what it charges, pay that, " +
			"and send a truck today. The terminal's last free day was 2026-11-07, 4 days ago."},
		{10, "Picked up on 2026-11-11. Nothing left to pick up."},
		{14, "Returned empty on 2026-11-15. Nothing left to do."},
	},
	"rolled-and-transshipped": {
		{0, "On its way by ship to APMT LA (USLAX), expected 2026-11-18. Wait."},
		{2, "On its way by ship to APMT LA (USLAX), expected 2026-11-18. Wait."},
		{4, "On its way by ship to APMT LA (USLAX), expected 2026-11-25. Wait."},
		{11, "On its way by ship to APMT LA (USLAX), expected 2026-11-25. Wait."},
		{15, "On its way by ship to APMT LA (USLAX), expected 2026-11-27. Wait."},
		{26, "Ready for pickup. Send a truck to APMT LA (USLAX). The terminal's last free day is 2026-12-01, in 3 days."},
		{28, "Picked up on 2026-11-29. Nothing left to pick up."},
		{31, "Returned empty on 2026-12-02. Nothing left to do."},
	},
}

func TestScenarios_HaveTheVerdictsOfTheirDays(t *testing.T) {
	for scenario, list := range moments {
		s := play(t, scenario)
		for _, m := range list {
			s.on(m.day)
			_, verdict := s.container()
			require.Equal(t, m.sentence, verdict.String(), "%s, day %v", scenario, m.day)
		}
		require.Empty(t, s.service.Violations())
	}
	require.Equal(t, []string{"bad-day", "held-and-paid", "rail-import", "rolled-and-transshipped"}, control.Scenarios())
	_, ok := control.Scenario("good-day")
	require.False(t, ok)
}

// The gate-out at the port and the port's holds are reported on the train, as in the sample
// rail_departed of docs/service.md.
func TestScenarios_RailImport(t *testing.T) {
	s := play(t, "rail-import")
	s.on(5)
	container, verdict := s.container()
	require.Equal(t, terminal49.SituationOnRail, verdict.Situation)
	require.False(t, container.PODFullOutAt.IsZero())
	require.True(t, container.FinalDestinationFullOutAt.IsZero())
	require.Len(t, container.Holds, 2)
	require.True(t, container.PickupLFD.IsZero())
}

func TestScenarios_HeldAndPaid(t *testing.T) {
	s := play(t, "held-and-paid")
	s.on(8)
	container, _ := s.container()
	require.Len(t, container.Fees, 3) // with a total
	amount, currency, ok := terminal49.SumContainerFees(container).Owed()
	require.True(t, ok)
	require.Equal(t, "720 USD", amount.String()+" "+currency)
}

func TestScenarios_RolledAndTransshipped(t *testing.T) {
	s := play(t, "rolled-and-transshipped")
	before, _ := s.container()
	s.on(4)
	after, _ := s.container()
	was, _ := before.Shipment.Value()
	is, _ := after.Shipment.Value()
	changes := terminal49.DiffShipments(was, is)
	require.True(t, changes.VesselChanged())
	slip, _ := changes.PODETA.Slip()
	require.Equal(t, 7*day, slip)
	s.on(11)
	container, _ := s.container()
	events, _ := container.TransportEvents.Values()
	for _, name := range []string{"arrived", "discharged", "loaded", "departed"} {
		require.True(t, slices.ContainsFunc(events, func(e *terminal49.TransportEvent) bool {
			return e.Event == terminal49.EventName("container.transport.transshipment_"+name) && e.LocationLOCODE == "KRPUS"
		}), name)
	}
}

// A client that repeats what failed reads the same as on a good day. Webhooks are lost, or
// delivered twice.
func TestScenarios_BadDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, "bad-day")
		_, err := s.client.Webhooks.Ensure(t.Context(), "https://desk.example/t49", terminal49.WebhookEvents())
		require.NoError(t, err)
		containers := 0
		for container, err := range s.client.Containers.All(t.Context(), nil) {
			require.NoError(t, err)
			_, err = s.client.Containers.Get(t.Context(), container.ID, nil)
			require.NoError(t, err)
			containers++
		}
		require.Equal(t, 8, containers) // as SeedDemo adds
		shipments := 0
		for shipment, err := range s.client.Shipments.All(t.Context(), nil) {
			require.NoError(t, err)
			_, err = s.client.Shipments.Get(t.Context(), shipment.ID, nil)
			require.NoError(t, err)
			shipments++
		}
		require.Equal(t, 6, shipments)
		statuses := map[int]int{}
		for _, r := range s.service.Requests() {
			statuses[r.Status]++
		}
		require.Positive(t, statuses[429])
		require.Positive(t, statuses[500])
		require.Positive(t, statuses[0]) // no response
		s.on(40)
		attempts := map[string]int{}
		for _, d := range s.service.WebhookDeliveries() {
			attempts[d.NotificationID]++
		}
		require.Less(t, len(attempts), len(s.service.WebhookNotifications()), "none is lost")
		require.Contains(t, slices.Collect(maps.Values(attempts)), 2)
	})
}

// The first line describes the scenario.
func TestScenarios_BeginWithAComment(t *testing.T) {
	for _, name := range control.Scenarios() {
		commands, _ := control.Scenario(name)
		first, _, _ := bytes.Cut(commands, []byte("\n"))
		var line struct{ Comment string }
		require.NoError(t, json.Unmarshal(first, &line))
		require.NotEmpty(t, line.Comment, name)
	}
}
