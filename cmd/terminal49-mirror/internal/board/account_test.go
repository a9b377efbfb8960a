package board

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// While a page is open, it says within ten seconds that the service is away, or that the token was
// revoked, and that it is well again.
func TestAccount_SaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		fault terminal49test.Fault
		want  string
	}{
		"revoked":  {terminal49test.Fault{Status: 401}, "Terminal49 refuses the token: it is wrong or was revoked. Set T49_API_TOKEN to a valid one, and start the board again."},
		"broken":   {terminal49test.Fault{Status: 503}, "Terminal49 answers with an error: "},
		"away":     {terminal49test.Fault{Kind: terminal49test.FaultRefuse}, "Terminal49 does not answer."},
		"silent":   {terminal49test.Fault{Kind: terminal49test.FaultStallHeaders}, "Terminal49 does not answer."},
		"too many": {terminal49test.Fault{Status: 429}, "The requests of the account are used up: another program uses the same token."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t)
				a, m := newAccount(newOwnOf(t, p.client, AccountOptions()...)), newModel()
				stop := following(t, a, m)
				page, ok := m.listen(1)
				require.True(t, ok)
				time.Sleep(time.Minute)
				require.Empty(t, a.state().Problem)

				c.fault.Times = -1
				p.server.AddFault(c.fault)
				time.Sleep(10 * time.Second)
				require.Contains(t, a.state().Problem, c.want)
				require.Contains(t, a.state().Problem, "What is shown is from before ")
				require.Len(t, allRows(t, a, m), 8, "what was read is still shown")
				p.server.ClearFaults()
				time.Sleep(10 * time.Second)
				require.Empty(t, a.state().Problem)
				page.stop()
				stop()
			})
		})
	}
}

// Without a page that is open, the service is only asked for the lists and what is new.
func TestAccount_AsksOnlyForOpenPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		a, m := newAccount(newOwnOf(t, p.client, AccountOptions()...)), newModel()
		stop := following(t, a, m)
		asked := func(d time.Duration) (n int) {
			before := p.server.RequestCount()
			time.Sleep(d)
			return p.server.RequestCount() - before
		}
		time.Sleep(90 * time.Second)
		require.LessOrEqual(t, asked(2*time.Minute), 2, "what is new, each minute")
		page, _ := m.listen(1)
		require.InDelta(t, 2+24, asked(2*time.Minute-time.Second), 8, "every five seconds, and the lists once")
		page.stop()
		stop()
	})
}

// A service that is away at the start is waited for.
func TestAccount_WaitsForTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.server.AddFault(terminal49test.Fault{Kind: terminal49test.FaultRefuse, Times: -1})
		a, m := newAccount(newOwnOf(t, p.client, AccountOptions()...)), newModel()
		stop := following(t, a, m)
		time.Sleep(time.Minute)
		require.Contains(t, a.state().Problem, "Terminal49 does not answer.")
		require.True(t, a.state().Partial)
		p.server.ClearFaults()
		time.Sleep(time.Minute)
		require.Empty(t, a.state().Problem)
		require.False(t, a.state().Partial)
		require.Len(t, allRows(t, a, m), 8)
		stop()
	})
}

// SECURITY: nothing in the account is changed, and the token of a service or proxy that repeats it
// is not in the copy.
func TestAccount_OnlyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.server.UpdateContainer(p.server.ContainerIDs(p.demo.Shipments[0])[0], func(c *terminal49test.Container) { c.SealNumber = p.server.Token })
		client, err := HidingToken(func(opts ...terminal49.Option) (*terminal49.Client, error) {
			return newClient(t, p.server, append(opts, terminal49.WithMiddleware(onlyGet))...), nil
		})
		require.NoError(t, err)
		a, m := newAccount(newOwnOf(t, client, AccountOptions()...)), newModel()
		stop := following(t, a, m)
		time.Sleep(time.Hour)
		require.Len(t, allRows(t, a, m), 8)
		var copied []byte
		require.NoError(t, a.db.QueryRow("select group_concat(raw) from containers").Scan(&copied))
		require.Contains(t, string(copied), "[secret]")
		stop()
		file := filepath.Join(t.TempDir(), "copy.db")
		_, err = a.db.Exec("vacuum into '" + file + "'")
		require.NoError(t, err)
		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(whole), "[secret]")
		require.NotContains(t, string(whole), p.server.Token)
	})
}

// onlyGet is middleware that panics if something is changed.
func onlyGet(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodGet {
			panic(r.Method + " " + r.URL.Path)
		}
		return next.RoundTrip(r)
	})
}

// A token that never worked ends the program.
func TestAccount_WrongToken(t *testing.T) {
	p := newPage(t)
	client, err := terminal49.New("another-token", terminal49.WithBaseURL(p.server.URL), terminal49.WithHTTPClient(p.server.HTTPClient()))
	require.NoError(t, err)
	err = newAccount(newOwnOf(t, client)).follow(t.Context(), newModel())
	require.ErrorContains(t, err, "Terminal49 refuses the token")
	require.ErrorAs(t, err, new(UsageError))

	p.server.AddFault(terminal49test.Fault{Status: 403, Times: -1})
	err = newAccount(newOwnOf(t, p.client)).follow(t.Context(), newModel())
	require.ErrorContains(t, err, "Terminal49 does not allow this token to read containers")
	require.ErrorAs(t, err, new(UsageError))

	p.server.ClearFaults()
	p.server.AddFault(terminal49test.Fault{Skip: 1, Status: 401, Times: -1})
	err = newAccount(newOwnOf(t, p.client)).follow(t.Context(), newModel())
	require.ErrorContains(t, err, "Terminal49 refuses the token", "after the first request")
	require.ErrorAs(t, err, new(UsageError))
}
