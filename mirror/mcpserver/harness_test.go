package mcpserver

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// world is a simulated account with a mirror, and an agent that is connected to a server.
type world struct {
	*terminal49test.Server
	t       testing.TB
	client  *terminal49.Client
	db      *sql.DB
	mirror  *mirror.Mirror
	reader  *mirror.Reader
	session *mcp.ClientSession
}

// start is the time of a world that does not say otherwise.
var start = time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)

// bubble runs a test with a clock that jumps over what the mirror waits for.
func bubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

// newWorld returns a world after seed. The fields of c that are not set are those of the world.
func newWorld(t testing.TB, c Config, seed func(*terminal49test.Server)) *world {
	t.Helper()
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithStart(start))
	t.Cleanup(srv.Close)
	seed(srv)
	return mirrored(t, c, srv, srv.Transport())
}

// mirrored returns the world of an account as a mirror reads it through a transport.
func mirrored(t testing.TB, c Config, srv *terminal49test.Server, transport http.RoundTripper) *world {
	t.Helper()
	w := &world{Server: srv, t: t}
	var err error
	w.client, err = terminal49.New(w.Token, terminal49.WithBaseURL(w.URL), terminal49.WithHTTPClient(&http.Client{Transport: transport}), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	w.db, err = sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.db.Close() })
	w.db.SetMaxOpenConns(1) // each connection would have a database of its own
	w.mirror, err = mirror.New(w.client, w.db, mirror.WithSettle(time.Millisecond))
	require.NoError(t, err)
	w.reader = mirror.NewReader(w.db)
	w.reconcile()
	if c.Mirror == nil {
		c.Mirror, c.Reader = w.mirror, w.reader
	}
	if c.Now == nil {
		c.Now = w.Now
	}
	s, err := New(c)
	require.NoError(t, err)
	w.session = connect(t, s)
	return w
}

// demo is the world of the simulator's demonstration account.
func demo(t testing.TB) *world {
	return newWorld(t, Config{}, func(srv *terminal49test.Server) { srv.SeedDemo() })
}

// reconcile has the mirror read everything.
func (w *world) reconcile() {
	w.t.Helper()
	require.NoError(w.t, w.mirror.Reconcile(w.t.Context()))
}

// connect connects an agent to a server.
func connect(t testing.TB, s *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	of, err := s.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = session.Close()
		_ = of.Wait()
	})
	return session
}

// args are the arguments of a call.
type args map[string]any

// call calls a tool and returns its answer, with the text. The tool must not fail.
func call[A any](w *world, tool string, with args) (answer A, text string) {
	w.t.Helper()
	r := w.result(tool, with)
	text = textOf(w.t, r)
	require.False(w.t, r.IsError, text)
	data := contentOf(w.t, r)
	checkContent(w.t, toolsOf(w.t, w.session)[tool], data)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(w.t, decoder.Decode(&answer))
	return answer, text
}

// refused calls a tool that must fail, and returns the error.
func (w *world) refused(tool string, with args) string {
	w.t.Helper()
	r := w.result(tool, with)
	require.True(w.t, r.IsError, "%s", r.StructuredContent)
	return textOf(w.t, r)
}

func (w *world) result(tool string, with args) *mcp.CallToolResult {
	w.t.Helper()
	r, err := w.session.CallTool(w.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: with})
	require.NoError(w.t, err)
	return r
}

// textOf returns the text of a result.
func textOf(t testing.TB, r *mcp.CallToolResult) string {
	t.Helper()
	require.Len(t, r.Content, 1)
	return r.Content[0].(*mcp.TextContent).Text
}

// contentOf returns the structured content of a result.
func contentOf(t testing.TB, r *mcp.CallToolResult) []byte {
	t.Helper()
	data, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	return data
}

// toolsOf returns the tools of a server by name.
func toolsOf(t testing.TB, session *mcp.ClientSession) map[string]*mcp.Tool {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	all := map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		all[tool.Name] = tool
	}
	return all
}
