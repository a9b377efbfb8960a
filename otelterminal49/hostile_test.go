package otelterminal49_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// onlyNames matches the lines of recording.lines and recording.metrics if they contain only names
// and numbers: no address, no query, no id of a resource and nothing that is not printable ASCII.
var onlyNames = regexp.MustCompile(`^[*A-Za-z0-9_.,=/{}()| -]{1,400}$`)

func requireOnlyNames(t *testing.T, r recording, secrets ...string) {
	t.Helper()
	lines := r.lines()
	for line := range r.metrics() {
		lines = append(lines, line)
	}
	require.NotEmpty(t, lines)
	for _, span := range r.spans.Ended() {
		require.Empty(t, span.Events())
		require.Empty(t, span.Links())
		require.Empty(t, span.Status().Description)
	}
	for _, line := range lines {
		require.Regexp(t, onlyNames, line)
		for _, secret := range secrets {
			require.NotContains(t, strings.ToLower(line), strings.ToLower(secret))
		}
	}
}

// echo is a service that repeats a text in redirects, next links, headers and errors.
func echo(t *testing.T, text string) *httptest.Server {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", text)
		switch page := r.URL.Query().Get("page[number]"); {
		case strings.HasSuffix(r.URL.Path, "/containers"):
			w.Header().Set("Location", "/v2/elsewhere/"+text+"?key="+text)
			w.WriteHeader(http.StatusFound)
		case strings.Contains(r.URL.Path, "/elsewhere/"):
			w.WriteHeader(http.StatusTeapot)
			_, _ = fmt.Fprintf(w, `{"errors":[{"title":"bad key %s"}]}`, text)
		case page == "":
			_, _ = fmt.Fprintf(w, `{"data":[{"id":"1","type":"shipment","attributes":{"pod_eta_at":"%[1]s","%[1]s":1}}],`+
				`"links":{"next":"/v2/shipments?page[number]=2&page[x]=%[1]s&page[%[1]s]=1"}}`, text)
		default:
			_, _ = fmt.Fprintf(w, `{"data":[],"links":{"next":"/v2/shipments?page[number]=%s"}}`, text)
		}
	}))
	t.Cleanup(service.Close)
	return service
}

// A service repeats the token wherever it can, in several forms. Nothing that is reported has it.
// Source: SECURITY.md.
func TestTelemetry_ShowsNoSecret(t *testing.T) {
	const token = "k3y-that-nobody-may-see"
	var percent string
	for _, c := range []byte(token) {
		percent += fmt.Sprintf("%%%02x", c)
	}
	echoes := []string{token, percent, strings.ReplaceAll(percent, "%", "%25"), base64.RawURLEncoding.EncodeToString([]byte("u:" + token))}
	for _, text := range echoes {
		r, service := record(), echo(t, text)
		client, err := terminal49.New(token, terminal49.WithBaseURL(service.URL+"/v2"), terminal49.WithHooks(r.Hooks()))
		require.NoError(t, err)
		_, err = client.Containers.List(t.Context(), nil)
		require.Error(t, err)
		for _, err := range client.Shipments.All(t.Context(), nil) {
			if err != nil {
				require.ErrorIs(t, err, terminal49.ErrPagination)
			}
		}
		service.Close()
		_, err = client.Shipments.List(t.Context(), nil, terminal49.WithMaxAttempts(1))
		require.Error(t, err, "nothing listens")
		requireOnlyNames(t, r, append(echoes, "127.0.0.1")...)
	}
}

// Whatever the service, a sender or the program writes, names have few values, of printable ASCII.
func TestTelemetry_HostileTexts(t *testing.T) {
	const hostile = "container.updated?a=\xff\x1b[2J\x00\u009b\u202e"
	r := record()
	service := echo(t, `\u001b\u009b`+strings.Repeat("z", 10_000))
	client, err := terminal49.New("key", terminal49.WithBaseURL(service.URL+"/v2"), terminal49.WithHooks(r.Hooks()))
	require.NoError(t, err)
	_, _ = client.Containers.List(t.Context(), nil)
	for range client.Shipments.All(t.Context(), nil) {
	}
	_, _ = client.Search.Query(t.Context(), hostile)
	_, _ = client.Shipments.Get(t.Context(), hostile, nil)
	_ = client.Do(t.Context(), terminal49.Request{Method: "GET" + hostile, Path: "/x"}, nil)
	_ = client.Do(t.Context(), terminal49.Request{Method: "!~STEAL", Path: "/x"}, nil)
	r.Hooks().OnDecodeWarning(t.Context(), terminal49.DecodeWarning{ResourceType: hostile, Field: strings.Repeat("f", 65)})
	r.Hooks().OnDecodeWarning(t.Context(), terminal49.DecodeWarning{ResourceType: "container", Field: "fees_at_pod_terminal.amount"})
	r.Delivery(t.Context(), webhook.Delivery{Event: hostile, Outcome: webhook.OutcomeIgnored})
	requireOnlyNames(t, r)
	require.Contains(t, strings.Join(r.lines(), "\n"), "_OTHER (any) | in terminal49.do |")
	metrics := r.metrics()
	for _, want := range []string{
		"terminal49.decode.warnings terminal49.resource.field=other,terminal49.resource.type=other",
		"terminal49.decode.warnings terminal49.resource.field=fees_at_pod_terminal.amount,terminal49.resource.type=container",
		"terminal49.webhook.delivery.duration terminal49.webhook.event=other,terminal49.webhook.outcome=ignored",
	} {
		require.Contains(t, metrics, want)
	}
}
