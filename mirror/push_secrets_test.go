package mirror

import (
	"bytes"
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// SECURITY: the address and the secret are in no table, log, status and error, also if the receiver
// repeats them.
func TestPush_NoSecrets(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		var log lockedBuffer
		m.opts.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		s := newSink(t, func(w http.ResponseWriter, _, _ string) bool {
			http.Error(w, "POST /hooks/T0K3NPATH?key=qu3ryk3y with "+strings.ToUpper(sinkSecret)+" is refused", http.StatusForbidden)
			return true
		})
		s.Config.SetKeepAlivesEnabled(false) // after Close, a new connection is refused
		address := strings.Replace(s.URL, "http://", "http://us3rname:pa55word@", 1) + "/hooks/T0K3NPATH?key=qu3ryk3y"
		to := s.to()
		to.URL, to.Attempts = terminal49.NewSecret(address), 1
		m.add("a")
		p := m.push(to)
		soon(t, func() bool { return m.pushStatus().Parked == 1 })
		s.Close()
		m.add("b")
		soon(t, func() bool {
			return strings.Contains(m.pushStatus().Problem, "refused") && !m.pushStatus().AwaySince.IsZero()
		})
		p.stop(t)
		all := m.dump(t) + log.String() + fmt.Sprintf("%v %+v %#v", to, m.pushStatus(), m.pushStatus().Healthy(time.Now()))
		for _, secret := range []string{sinkSecret, "T0K3NPATH", "qu3ryk3y", "us3rname", "pa55word"} {
			require.NotContains(t, strings.ToLower(all), strings.ToLower(secret))
		}
		require.Contains(t, all, strings.TrimPrefix(s.URL, "http://"))
	})
}

// lockedBuffer is a buffer that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
