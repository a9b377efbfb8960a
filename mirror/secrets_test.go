package mirror

import (
	"bytes"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// dump returns everything that is in the database.
func (m *Mirror) dump(t *testing.T) string {
	t.Helper()
	names := "select name from sqlite_master where type = 'table'"
	if m.db.Dialect == sqlstore.Postgres {
		names = "select schemaname || '.' || tablename from pg_tables where schemaname = 't49'"
	}
	var b strings.Builder
	for _, name := range m.strings(t, names) {
		m.dumpTable(t, &b, name)
	}
	return b.String()
}

func (m *Mirror) dumpTable(t *testing.T, b *strings.Builder, name string) {
	rows, err := m.db.Pool.Query("select * from " + name)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		require.NoError(t, rows.Scan(values...))
		for i := range values {
			if v := *values[i].(*any); v != nil {
				fmt.Fprintf(b, "%s.%s = %s\n", name, columns[i], v)
			}
		}
	}
	require.NoError(t, rows.Err())
}

// SECURITY: webhook secrets, presigned addresses, signed ids and tokens are in no table.
func TestReceiver_NoSecretsInTheDatabase(t *testing.T) {
	t.Parallel()
	const presigned = "https://bucket.s3.amazonaws.com/file.pdf?X-Amz-Credential=AKIA&X-Amz-Signature=5ec4e7"
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		container, _ := s.container()
		s.srv.UpdateContainer(container, func(c *terminal49test.Container) {
			c.Attributes = map[string]any{"note": "see " + presigned, "kept": "kept-by-the-mirror"}
		})
		event := s.srv.AddTransportEvent(terminal49test.TransportEvent{
			Event: "container.transport.vessel_arrived", Container: container, Location: "USLAX", Timestamp: s.srv.Now(),
			Attributes: map[string]any{"photo": presigned},
		})
		s.srv.AddWebhookNotification(terminal49test.WebhookNotification{
			Event: "container.transport.vessel_arrived", Webhook: s.webhook, ReferenceType: "transport_event", ReferenceID: event,
			Attributes: map[string]any{"attachment": presigned},
		})
		s.srv.Advance(time.Hour)
		for i, body := range [][]byte{
			mirrortest.Delivered("webhook.changed", "webhook", `"secret":"5ec4e7-secret"`, ``),
			mirrortest.Delivered(terminal49.EventDocumentExtracted, "document", fmt.Sprintf(`"file_url":%q,"signed_id":"5ec4e7-id"`, presigned), ``),
			mirrortest.Delivered(terminal49.EventContainerUpdated, "container_updated_event", fmt.Sprintf(`"changeset":{"document":[null,%q]}`, presigned),
				`"container":{"data":{"type":"container","id":"c-9"}}`),
			fmt.Appendf(nil, `{"data":[],"secret":"5ec4e7-secret","url":%q}`, presigned),
			fmt.Appendf(nil, `{"data":{"secret":"5ec4e7-secret","url":%q`, presigned),
		} {
			require.Equal(t, 200, s.deliver(bytes.ReplaceAll(body, []byte("n-1"), fmt.Appendf(nil, "n-%d", i))))
		}
		before := s.dump(t)
		require.NoError(t, s.work.Audits.Audit(t.Context(), true))
		s.applyAll(t)
		after := s.dump(t)
		require.Contains(t, after, "kept-by-the-mirror")
		require.Contains(t, after, "n-2")
		for _, secret := range []string{"5ec4e7", "AKIA", mirrortest.WebhookSecret, s.srv.Token} {
			require.NotContains(t, before, secret)
			require.NotContains(t, after, secret)
		}
	})
}
