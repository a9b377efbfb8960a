package testkit

import (
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write testdata/calls.txt")

// Each call sends one request: what is recorded, byte for byte. A change is read in the diff of the
// text, whose source is the service's documents.
func TestCalls_AreAsRecorded(t *testing.T) {
	var text strings.Builder
	for _, g := range groups {
		for i, do := range g.calls() {
			api := NewFakeAPI()
			api.RegisterNoResponder(func(req *http.Request) (*http.Response, error) {
				info, _ := transport.InfoFromContext(req.Context())
				return Answer(http.StatusOK, replyTo(info.Op))(req)
			})
			require.NoError(t, doing(do)(t.Context(), NewClient(t, api)), "%s %d", g.name, i)
			require.Len(t, api.Requests(), 1, "%s %d", g.name, i)
			s := api.Requests()[0]
			line := []string{g.name, s.Info.Op, s.Method, strings.TrimPrefix(s.Path, "/proxy/v2"), s.Query, s.Body}
			text.WriteString(strings.Join(line, "\t") + "\n")
		}
	}
	if *update {
		recorded = text.String() // for the parameters
		require.NoError(t, os.WriteFile("testdata/calls.txt", []byte(recorded), 0o644))
		return
	}
	require.Equal(t, recorded, text.String(), "go test ./internal/testkit -run TestCalls_AreAsRecorded -update")
}
