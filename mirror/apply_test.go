package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// apply applies the inbox, and fails the test on an error.
func (s *subscribed) applyAll(t *testing.T) (applied int) {
	t.Helper()
	applied, err := s.work.Inbox.ApplyInbox(t.Context())
	require.NoError(t, err)
	return applied
}

// What the service's sample of each event refers to and includes. M is minimal:
// the sample names neither a shipment nor a container.
func TestApply_EveryEvent(t *testing.T) {
	t.Parallel()
	marks := map[string]string{
		"tracking_request.succeeded": "tracking_request shipment container", "tracking_request.failed": "tracking_request",
		"tracking_request.awaiting_manifest": "tracking_request", "tracking_request.tracking_stopped": "tracking_request shipment",
		"shipment.estimated.arrival": "shipment", "document.extracted": "document", "document.extraction_failed": "document",
		"link.created": "shipment",
	}
	for _, minimal := range []string{
		"transport.available", "transport.not_available", "transport.delivered", "transport.estimated.vessel_departed",
		"transport.estimated.vessel_arrived", "pickup_lfd_terminal.changed", "pickup_lfd_rail.changed", "pickup_appointment.changed",
	} {
		marks["container."+minimal] = ""
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		for _, event := range terminal49.WebhookEvents() {
			_, err := db.Exec(s.db.SQL("delete from t49.dirty"))
			require.NoError(t, err)
			body := mirrortest.SampleDelivery(t, event)
			sample, err := webhook.ParseNotification(body)
			require.NoError(t, err)
			require.Equal(t, 200, s.deliver(bytes.ReplaceAll(body, []byte(sample.ID), []byte(event))))
			require.Equal(t, 1, s.applyAll(t), event)
			want, listed := marks[string(event)]
			if !listed {
				want = "shipment container"
			}
			kinds := strings.Join(s.strings(t, "select kind from t49.dirty"), " ")
			if event == terminal49.EventLinkCreated && kinds != "" {
				continue // its form is undocumented
			}
			for _, kind := range strings.Fields(want) {
				require.Contains(t, strings.Fields(kinds), kind, event)
			}
			require.Equal(t, want == "", kinds == "", "%s: %s", event, kinds)
		}
		for range worker.MaxAttempts { // the log does not have the samples
			s.applyAll(t)
		}
		require.Equal(t, []string{"done"}, s.strings(t, "select distinct state from t49.inbox"))
	})
}

// Payloads are facts and triggers. An unknown resource is provisional, with ticket 0; a row
// that a reading wrote stays as it is; the event is merged by id.
func TestApply_PayloadsAreFactsAndTriggers(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		container, _ := s.container()
		s.srv.Advance(time.Hour)
		s.applyAll(t)
		require.Equal(t, []string{"0"}, s.strings(t, "select ticket from t49.containers where id = $1", container))

		ticket, err := s.db.Draw(t.Context())
		require.NoError(t, err)
		var read model.Document
		require.NoError(t, s.client.Do(t.Context(), terminal49.Request{Method: "GET", Path: "/containers/" + container}, &read))
		require.NoError(t, s.db.Apply(t.Context(), s.work.Inbox.Turn.Lease, "test", func(tx *store.Tx) error {
			return tx.Write(t.Context(), plan.Reading{Ticket: ticket, Until: ticket, Sent: time.Now().Add(time.Hour), Source: "poll"}, read.Data)
		}))
		raw := s.strings(t, "select raw from t49.containers where id = $1", container)
		event := s.srv.AddTransportEvent(terminal49test.TransportEvent{
			Event: "container.transport.vessel_arrived", Container: container, Location: "USLAX", Timestamp: s.srv.Now(),
		})
		s.srv.UpdateContainer(container, func(c *terminal49test.Container) { c.WeightPounds = 4711 })
		id := s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
			Event: "container.transport.vessel_arrived", Webhook: s.webhook, ReferenceType: "transport_event", ReferenceID: event,
		})
		before := time.Now()
		require.True(t, s.srv.Redeliver(id))
		require.Positive(t, s.applyAll(t))
		require.Equal(t, raw, s.strings(t, "select raw from t49.containers where id = $1", container))
		require.Equal(t, []string{event}, s.strings(t, "select id from t49.transport_events where id = $1", event))
		var due schema.Instant
		require.NoError(t, db.QueryRow(s.db.SQL("select not_before from t49.dirty where kind = 'container' and id = $1"), container).Scan(&due))
		require.WithinRange(t, due.Time, before.Add(s.opts.Settle-time.Millisecond), time.Now().Add(s.opts.Settle))
		require.Len(t, s.strings(t, "select id from t49.dirty where kind = 'port'"), 1, "a place that is unknown")
	})
}

// The documented path from a minimal payload to its container is the notification
// itself. One page of the log serves several.
func TestApply_MinimalPayloads(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			everywhere(t, func(t *testing.T, db *sql.DB) {
				s := subscribe(t, db)
				container, _ := s.container()
				s.srv.Advance(time.Hour)
				s.applyAll(t)
				_, err := db.Exec(s.db.SQL("delete from t49.dirty"))
				require.NoError(t, err)
				for range n {
					event := s.srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container, Timestamp: s.srv.Now()})
					id := s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
						Event: "container.transport.available", Webhook: s.webhook, ReferenceType: "transport_event", ReferenceID: event,
					})
					require.True(t, s.srv.Redeliver(id))
				}
				sent := len(s.srv.Requests())
				require.Equal(t, n, s.applyAll(t))
				require.Len(t, s.srv.Requests()[sent:], 1)
				require.Equal(t, []string{container}, s.strings(t, "select id from t49.dirty where kind = 'container'"))
				require.Len(t, s.strings(t, "select id from t49.transport_events"), n)
				require.Equal(t, []string{"done"}, s.strings(t, "select distinct state from t49.inbox"))
			})
		})
	}
}

// A request that fails holds up nothing, and is repeated later.
func TestApply_MinimalPayloadsLater(t *testing.T) {
	t.Parallel()
	mirrortest.Simulated(t, func(t *testing.T, _ *terminal49test.Server) {
		s := subscribe(t, sqliteMemory(t))
		container, change := s.container()
		event := s.srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container, Timestamp: s.srv.Now()})
		id := s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
			Event: "container.transport.available", Webhook: s.webhook, ReferenceType: "transport_event", ReferenceID: event,
		})
		require.True(t, s.srv.Redeliver(id))
		s.srv.AddFault(terminal49test.Fault{Status: 500, Times: -1})
		s.applyAll(t)
		require.Equal(t, []string{id}, s.strings(t, "select id from t49.inbox where state = 'unresolved'"))
		sent := len(s.srv.Requests())
		change()
		s.srv.Advance(time.Second)
		require.Positive(t, s.applyAll(t))
		require.Len(t, s.srv.Requests(), sent, "not yet again")
		s.srv.ClearFaults()
		mirrortest.Advance(worker.ResolvePause)
		s.applyAll(t)
		require.Equal(t, []string{"done"}, s.strings(t, "select distinct state from t49.inbox"))
	})
}

// A notification may be delivered before the log shows it.
func TestApply_MinimalPayloadsNotInTheLogYet(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		container, _ := s.container()
		event := s.srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container, Timestamp: s.srv.Now()})
		id := s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
			Event: "container.transport.available", Webhook: s.webhook, ReferenceType: "transport_event", ReferenceID: event,
		})
		require.True(t, s.srv.Redeliver(id))
		s.srv.AddFault(terminal49test.Fault{Operation: "webhook_notifications.get", Status: 404, Times: 2})
		for range 3 {
			require.Empty(t, s.strings(t, "select id from t49.dirty where kind = 'container'"))
			s.applyAll(t)
		}
		require.Equal(t, []string{container}, s.strings(t, "select id from t49.dirty where kind = 'container'"))
	})
}

// Unknown events still mark the resources that they name.
func TestApply_UnknownEvents(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		for i, body := range [][]byte{
			mirrortest.Delivered("container.teleported", "teleportation", ``, `"container":{"data":{"id":"c-1","type":"container"}}`),
			mirrortest.Delivered("container.teleported", "teleportation", ``, `"subjects":{"data":[{"id":"c-2","type":"container"},{"id":"s-2","type":"shipment"}]}`),
			mirrortest.Delivered("shipment.teleported", "teleportation", ``, `"shipment":{"id":"s-3","type":"shipment"}`),
			mirrortest.Delivered("shipment.teleported", "teleportation", ``, `"shipment":[{"id":"s-4","type":"shipment"}]`),
			mirrortest.Delivered("shipment.teleported", "shipment", `"a":1`, `"containers":{"data":[{"id":"c-5","type":"container"}]}`),
		} {
			require.Equal(t, 200, s.deliver(bytes.ReplaceAll(body, []byte("n-1"), fmt.Appendf(nil, "n-%d", i))))
		}
		require.Equal(t, 5, s.applyAll(t))
		require.Equal(t, []string{"c-1", "c-2", "c-5", "ref", "s-2", "s-3", "s-4"}, s.strings(t, "select id from t49.dirty order by id"))
	})
}

// After 5 failures quarantined, counted, never in anybody's way.
func TestApply_Quarantine(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		_, change := s.container()
		poison := store.Arrival{ID: "poison", Event: "container.updated", Source: "webhook", State: store.StateNew, Body: []byte(`{"data":`)}
		_, err := s.db.Arrive(t.Context(), time.Now().Add(-time.Hour), []store.Arrival{poison})
		require.NoError(t, err)
		for attempt := range worker.MaxAttempts + 2 {
			change()
			s.srv.Advance(time.Minute)
			require.Positive(t, s.applyAll(t))
			require.Empty(t, s.strings(t, "select id from t49.inbox where state = 'new' and id <> 'poison'"))
			state := s.strings(t, "select state from t49.inbox where id = 'poison' and error <> ''")
			require.Equal(t, map[bool][]string{true: {store.StateNew}, false: {store.StateQuarantined}}[attempt+1 < worker.MaxAttempts], state)
		}
	})
}

// A process that lost the lease applies nothing, and counts no attempt. Neither does one whose
// context ended.
func TestApply_WithoutLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		require.Equal(t, 200, s.deliver(mirrortest.Numbered(1)))
		_, err := s.Mirror.worker(store.NewLease()).Inbox.ApplyInbox(t.Context())
		require.ErrorIs(t, err, store.ErrLeaseLost)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = s.work.Inbox.ApplyInbox(ended)
		require.True(t, errors.Is(err, context.Canceled), err)
		require.Equal(t, []string{"0"}, s.strings(t, "select attempts from t49.inbox where state = 'new'"))
	})
}

// Bodies go after a while; ids stay, so that nothing is applied twice. A notification whose body
// was forgotten has no effect.
func TestInbox_Bodies(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		for i, container := range []string{"c-1", "c-2", "c-3"} {
			body := mirrortest.Delivered(terminal49.EventContainerUpdated, "container_updated_event", ``, `"container":{"data":{"id":"`+container+`","type":"container"}}`)
			require.Equal(t, 200, s.deliver(bytes.ReplaceAll(body, []byte("n-1"), fmt.Appendf(nil, "n-%d", i+1))))
		}
		_, err := db.Exec(s.db.SQL("update t49.inbox set received_at = $1 where id = 'n-3'"), s.db.Time(time.Now().Add(-store.BodyAge-time.Hour)))
		require.NoError(t, err)
		_, err = db.Exec(s.db.SQL("update t49.inbox set body = null where id = 'n-1'"))
		require.NoError(t, err)
		require.Equal(t, 3, s.applyAll(t))
		require.Equal(t, []string{"c-2", "c-3"}, s.strings(t, "select id from t49.dirty order by id"))
		require.NoError(t, s.work.Audits.Audit(t.Context(), false))
		require.Equal(t, []string{"n-2", "n-3"}, s.strings(t, "select id from t49.inbox where body is not null order by id"))
		for _, left := range [][]string{{"n-2", "n-3"}, {"n-2"}} { // one audit may have had a clock that is ahead
			require.NoError(t, s.work.Audits.Audit(t.Context(), true))
			require.Equal(t, left, s.strings(t, "select id from t49.inbox where body is not null order by id"))
		}
		require.Equal(t, []string{"n-1", "n-2", "n-3"}, s.strings(t, inboxIDs))
	})
}

// Looking for work costs the same however many notifications were applied.
func TestInbox_UsesItsIndex(t *testing.T) {
	t.Parallel()
	db := sqliteFile(t)
	s := subscribe(t, db)
	var id, parent, unused int
	var plan string
	err := db.QueryRow("explain query plan select id from inbox where state = 'new' and attempts = 0 and "+store.Pending+" order by received_at, id limit 50").
		Scan(&id, &parent, &unused, &plan)
	require.NoError(t, err)
	require.Contains(t, plan, "USING INDEX inbox_state")
	require.Equal(t, 0, s.applyAll(t))
}

// Facts merge by id in any order, and what withdraws one stays, also within one batch.
func TestApply_SeveralCopiesOfAFact(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		for i, attributes := range []string{`"timestamp":"2026-11-01T00:00:00Z"`, `"timestamp":"2026-11-01T00:00:00Z","invalidated_at":"2026-11-02T00:00:00Z"`, `"voyage_number":"428E"`} {
			body := mirrortest.Delivered(terminal49.EventVesselArrived, "transport_event", attributes, `"container":{"data":{"id":"c-1","type":"container"}}`)
			require.Equal(t, 200, s.deliver(bytes.ReplaceAll(body, []byte("n-1"), fmt.Appendf(nil, "n-%d", i))))
		}
		require.Equal(t, 3, s.applyAll(t))
		raw := s.strings(t, "select raw from t49.transport_events")
		require.Len(t, raw, 1)
		require.Contains(t, raw[0], "2026-11-02T00:00:00Z")
		require.Contains(t, raw[0], "428E")
	})
}

// A notification that arrives later does not bring anything back.
func TestApply_WhatWasForgotten(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		_, err := db.Exec(s.db.SQL("insert into t49.forgotten (kind, id, at) values ('container', 'c-1', $1)"), s.db.Time(time.Now()))
		require.NoError(t, err)
		for _, container := range []string{"c-1", "c-2"} {
			body := mirrortest.Delivered(terminal49.EventContainerUpdated, "container_updated_event", `"timezone":null`,
				`"container":{"data":{"id":"`+container+`","type":"container"}}`, `{"id":"`+container+`","type":"container","attributes":{"number":"MSCU1234566"}}`)
			body = bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("n-1"), []byte("n-"+container)), []byte(`"ref"`), []byte(`"e-`+container+`"`))
			require.Equal(t, 200, s.deliver(body))
		}
		require.Equal(t, 2, s.applyAll(t))
		require.Equal(t, []string{"n-c-2"}, s.strings(t, "select id from t49.inbox where body is not null"))
		require.Equal(t, []string{"c-2"}, s.strings(t, "select id from t49.containers"))
		require.Equal(t, []string{"e-c-2"}, s.strings(t, "select id from t49.container_events"))
		require.NotContains(t, s.strings(t, "select id from t49.dirty"), "c-1")
	})
}

// Quarantine is for notifications that fail. A service that fails for a
// day is no reason for it.
func TestApply_MinimalPayloadsDuringAnOutage(t *testing.T) {
	t.Parallel()
	mirrortest.Simulated(t, func(t *testing.T, _ *terminal49test.Server) {
		s := subscribe(t, sqliteMemory(t))
		container, _ := s.container()
		s.applyAll(t)
		for range 5 {
			event := s.srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container, Timestamp: s.srv.Now()})
			id := s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
				Event: "container.transport.available", Webhook: s.webhook, ReferenceType: "transport_event", ReferenceID: event,
			})
			require.True(t, s.srv.Redeliver(id))
		}
		for _, status := range []int{500, 401, 429, 503} {
			s.srv.ClearFaults()
			s.srv.AddFault(terminal49test.Fault{Operation: "*", Status: status, Times: -1})
			for range 4 * worker.MaxAttempts {
				s.applyAll(t)
				mirrortest.Advance(worker.ResolvePause)
			}
		}
		require.Len(t, s.strings(t, "select id from t49.inbox where state = 'unresolved'"), 5)
		s.srv.ClearFaults()
		s.applyAll(t)
		require.Equal(t, []string{"done"}, s.strings(t, "select distinct state from t49.inbox"))
		require.Contains(t, s.strings(t, "select id from t49.dirty where kind = 'container'"), container)
	})
}

// A table that cannot be written for a minute, such as one that is locked,
// is not the fault of the notifications that arrive in it.
func TestApply_TableLocked(t *testing.T) {
	t.Parallel()
	mirrortest.Simulated(t, func(t *testing.T, _ *terminal49test.Server) {
		db := sqliteMemory(t)
		s := subscribe(t, db)
		_, err := db.Exec("create trigger locked before insert on dirty begin select raise(fail, 'locked'); end")
		require.NoError(t, err)
		_, change := s.container()
		for range 60 {
			change()
			s.srv.Advance(time.Second)
			s.applyAll(t)
			mirrortest.Advance(time.Second)
		}
		require.Equal(t, []string{store.StateNew}, s.strings(t, "select distinct state from t49.inbox"))
		_, err = db.Exec("drop trigger locked")
		require.NoError(t, err)
		for range 5 {
			mirrortest.Advance(time.Minute)
			s.applyAll(t)
		}
		require.Equal(t, []string{store.StateDone}, s.strings(t, "select distinct state from t49.inbox"))
	})
}
