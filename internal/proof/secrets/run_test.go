package secrets_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49/internal/testkit"
)

// A program that logs everything at debug level, with every hook and a logging middleware, writes
// no secret, in any failure and any repeated text.
func TestSecrets_ARunWritesNone(t *testing.T) {
	for name, socket := range map[string]bool{"in process": false, "over a socket": true} {
		t.Run(name, func(t *testing.T) {
			opts := []terminal49test.Option{terminal49test.WithToken(testkit.Token), terminal49test.WithoutRateLimits()}
			if !socket {
				opts = append(opts, terminal49test.WithoutSocket())
			}
			srv := terminal49test.NewServer(opts...)
			defer srv.Close()
			base := srv.Transport()
			if socket {
				wire := &http.Transport{}
				defer wire.CloseIdleConnections()
				base = wire
			}
			run := newSecretRun(t, srv, base, socket)
			run.travel()

			text := run.written.String()
			secret, around := run.detector.locate(text)
			require.Empty(t, secret, around)
			require.Greater(t, run.calls, testkit.Scale(400, 1900))

			// The simulator and its records, as a test that failed would print them. Where fmt calls no
			// method, in an unexported field, %s would show the Token, a plain string of a plain struct.
			for _, v := range append([]any{srv.Violations()}, requestsWithoutBodies(srv)...) {
				require.Empty(t, newDetector(testkit.Token).leak(v))
			}
			inJSON, err := json.Marshal(srv)
			require.NoError(t, err)
			require.Empty(t, newDetector(testkit.Token).find(fmt.Sprintf(allVerbs, []any{srv, struct{ S any }{srv}})+
				string(inJSON)))
			t.Logf("figure: secrets: %d calls and %d values logged in %d bytes, 0 hits", run.calls, len(run.values),
				len(text))
		})
	}
}

// requestsWithoutBodies returns some requests of each operation; a test may see the bodies that it
// sent.
func requestsWithoutBodies(srv *terminal49test.Server) (list []any) {
	seen := map[string]bool{}
	for _, r := range srv.Requests() {
		if !seen[r.Operation] {
			seen[r.Operation], r.Body = true, nil
			list = append(list, r)
		}
	}
	return list
}
