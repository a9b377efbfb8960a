package compatibility_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// loopback delivers what the service sends to a public address to a local one.
type loopback struct{ to string }

// RoundTrip implements http.RoundTripper.
func (l *loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", l.to
	return (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
}

// live is a mirror that runs with a webhook and a push.
type live struct {
	account
	demo            terminal49test.Demo
	mirror, push    *running
	listen, metrics string
	receiver        *receiver
}

// newLive returns one with a database, or by default a SQLite file in its folder.
func newLive(t *testing.T, database ...string) live {
	to := &loopback{}
	a, demo := newAccount(t, terminal49test.WithWebhookTransport(to))
	a.dir = t.TempDir()
	l := live{account: a.with(append(database, "T49_PUSH_SECRET=secret-1")...), demo: demo, receiver: newReceiver(t, http.StatusOK)}
	l.mirror = l.start("terminal49-mirror", "run", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--url", "https://mirror.example.com/webhook")
	l.listen, l.metrics = l.mirror.served("listen"), l.mirror.served("metrics")
	to.to = strings.TrimPrefix(l.listen, "http://")
	l.mirror.wait("whole walk", func() bool { return strings.Contains(fetch(t, l.metrics+"/metrics").body, `of="whole_walk"`) })
	l.mirror.wait("secret of the webhook", func() bool {
		return do(t, http.MethodPost, l.listen+"/webhook", "{}", nil).status == http.StatusUnauthorized
	})
	l.push = l.start("terminal49-mirror", "push", "--from", "begin", "--metrics", "127.0.0.1:0", l.receiver.URL)
	return l
}

// notify has the service deliver a notification, and waits until the mirror has it.
func (l live) notify() {
	l.t.Helper()
	grow(l.srv, l.demo)
	l.mirror.wait("notification", func() bool { return strings.Contains(fetch(l.t, l.metrics+"/metrics").body, `of="notification"`) })
}

// grow changes an account: a hold is placed, and a day passes.
func grow(srv *terminal49test.Server, demo terminal49test.Demo) {
	srv.UpdateContainer(srv.ContainerIDs(demo.Shipments[0])[0], func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: "customs", Description: "exam"}}
	})
	srv.Advance(26 * time.Hour)
}

var (
	typeLine   = regexp.MustCompile(`^# TYPE (\S+) (\S+)$`)
	sampleLine = regexp.MustCompile(`^([a-z0-9_]+)(?:\{(.*)\})? \S+$`)
	labelPair  = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// metricsOf has the metrics of a running mirror with a push: names, types and labels, and the
// values of those labels that have words of ours.
func metricsOf(t *testing.T) (lines []string) {
	l := newLive(t)
	l.notify()
	l.mirror.wait("metrics of the push", func() bool { return strings.Contains(fetch(t, l.metrics+"/metrics").body, "push_sent_total{") })
	for line := range strings.Lines(l.mirror.ready(l.metrics + "/metrics").body) {
		line = strings.TrimSpace(line)
		if found := typeLine.FindStringSubmatch(line); found != nil {
			lines = append(lines, found[1]+": "+found[2])
			continue
		}
		found := sampleLine.FindStringSubmatch(line)
		if found == nil && !strings.HasPrefix(line, "# HELP ") {
			t.Errorf("not in Prometheus' text form: %q", line)
			continue
		}
		for _, pair := range labelPair.FindAllStringSubmatch(strings.Join(found, " "), -1) {
			label := pair[1]
			if slices.Contains([]string{"of", "scope"}, label) {
				label = fmt.Sprintf("%s=%s", label, pair[2])
			}
			lines = append(lines, fmt.Sprintf("%s{%s}", found[1], label))
		}
	}
	return lines
}
