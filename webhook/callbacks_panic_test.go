package webhook_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// Issue 28, E11: a panic in OnRefresh ended the process. Whatever OnRefresh or the client's own
// hooks do on the goroutine that fetches the list, requests are answered, and the list is fetched
// again later.
func TestOnlyFrom_CallbacksThatFail(t *testing.T) {
	const list = `{"webhook_notification_ips":["192.0.2.1"]}`
	for name, c := range map[string]struct {
		onRefresh, transport func(ask func() int)
		want, later          int  // statuses now, and after the next fetch
		reported             bool // as the error that OnRefresh receives
	}{
		"OnRefresh panics":             {onRefresh: func(func() int) { panic("ours") }, want: 200, later: 200},
		"OnRefresh ends its goroutine": {onRefresh: func(func() int) { runtime.Goexit() }, want: 200, later: 200},
		"OnRefresh hangs":              {onRefresh: func(func() int) { time.Sleep(24 * time.Hour) }, want: 200, later: 200},
		"OnRefresh calls the gate":     {onRefresh: func(ask func() int) { _ = ask() }, want: 200, later: 200},
		"the transport panics":         {transport: func(func() int) { panic("ours") }, want: 503, later: 503, reported: true},
		"the transport exits":          {transport: func(func() int) { runtime.Goexit() }, want: 503, later: 503, reported: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ask func() int
				fetches, errs := 0, []error(nil)
				client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					fetches++
					if c.transport != nil {
						c.transport(ask)
					}
					return testkit.Answer(http.StatusOK, list)(req)
				}))
				only, err := webhook.OnlyFrom(client.Webhooks, &webhook.SourceParams{
					OnRefresh: func(_ terminal49.WebhookIPs, err error) {
						errs = append(errs, err)
						if c.onRefresh != nil {
							c.onRefresh(ask)
						}
					},
				})
				require.NoError(t, err)
				gate := only(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
				ask = func() int {
					r := httptest.NewRequest(http.MethodPost, "https://example.com/", nil)
					r.RemoteAddr = "192.0.2.1:1"
					return testkit.Serve(gate, r).Code
				}
				start := time.Now()
				require.Equal(t, c.want, ask())
				require.Zero(t, time.Since(start), "nothing waits for a callback")
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				_ = ask() // fetches again
				time.Sleep(time.Second)
				synctest.Wait()
				require.Equal(t, c.later, ask())
				require.Equal(t, 2, fetches)
				require.Len(t, errs, 2)
				var panicked *webhook.CallbackPanicError
				if c.reported {
					require.Error(t, errs[0])
				}
				require.Equal(t, name == "the transport panics", errors.As(errs[0], &panicked))
				time.Sleep(48 * time.Hour) // until a callback that hangs has returned
			})
		})
	}
}
