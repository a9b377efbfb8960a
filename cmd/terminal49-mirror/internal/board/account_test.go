package board

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
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
				a, m := newAccount(p.client), newModel()
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- a.follow(ctx, m) }()
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
				cancel()
				require.NoError(t, <-ended)
			})
		})
	}
}

// Without a page that is open, the service is only asked for the list.
func TestAccount_AsksOnlyForOpenPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		a, m := newAccount(p.client), newModel()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- a.follow(ctx, m) }()
		synctest.Wait()
		before := p.server.RequestCount()
		time.Sleep(walkInterval - time.Second)
		require.Equal(t, before, p.server.RequestCount())
		page, _ := m.listen(1)
		time.Sleep(2 * time.Minute)
		require.LessOrEqual(t, p.server.RequestCount()-before, 24+1, "every five seconds, and the list")
		page.stop()
		cancel()
		require.NoError(t, <-ended)
	})
}

// A list that moves while it is paged repeats an item and may skip another, with no error.
func TestAccount_SaysThatTheListChanged(t *testing.T) {
	item := func(n int) string {
		return fmt.Sprintf(`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c%02d","type":"container","attributes":{"number":"X"}}`, n)
	}
	pages := map[string]string{
		"":  `{"data":[` + item(1) + `,` + item(2) + `],"meta":{"size":2,"total":4},"links":{"next":"https://api.example/v2/containers?page[number]=2&page[size]=2"}}`,
		"2": `{"data":[` + item(2) + `,` + item(3) + `],"meta":{"size":2,"total":4},"links":{}}`, // 4 has moved to the front
	}
	client, err := terminal49.New("a-token", terminal49.WithBaseURL("https://api.example/v2"), terminal49.WithHTTPClient(&http.Client{
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			body := io.NopCloser(strings.NewReader(pages[r.URL.Query().Get("page[number]")]))
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, Request: r}, nil
		}),
	}))
	require.NoError(t, err)
	a, m := newAccount(client), newModel()
	_, err = a.walk(t.Context(), m, nil)
	require.NoError(t, err)
	require.Len(t, allRows(t, a, m), 3)
	require.Equal(t, "The whole list was read just now, and is read every 5 minutes. It changed while it was read, so a container may be missing until it is read again.", a.state().Age)
	pages["2"] = strings.Replace(pages["2"], item(2), item(4), 1)
	_, err = a.walk(t.Context(), m, nil)
	require.NoError(t, err)
	require.Equal(t, "The whole list was read just now, and is read every 5 minutes.", a.state().Age)
}

// A token that never worked ends the program.
func TestAccount_WrongToken(t *testing.T) {
	p := newPage(t)
	client, err := terminal49.New("another-token", terminal49.WithBaseURL(p.server.URL), terminal49.WithHTTPClient(p.server.HTTPClient()))
	require.NoError(t, err)
	err = newAccount(client).follow(t.Context(), newModel())
	require.ErrorContains(t, err, "Terminal49 refuses the token")
	require.ErrorAs(t, err, new(UsageError))
}
