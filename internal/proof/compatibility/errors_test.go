package compatibility_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

type sentinel struct {
	name string
	err  error
}

// sentinels are the errors that programs compare with, by the name in CHANGELOG.md.
var sentinels = []sentinel{
	{"ErrConflict", terminal49.ErrConflict}, {"ErrDuplicate", terminal49.ErrDuplicate}, {"ErrFeatureNotEnabled", terminal49.ErrFeatureNotEnabled},
	{"ErrForbidden", terminal49.ErrForbidden}, {"ErrInvalid", terminal49.ErrInvalid}, {"ErrNoPayload", terminal49.ErrNoPayload},
	{"ErrNoZone", terminal49.ErrNoZone}, {"ErrNotFound", terminal49.ErrNotFound}, {"ErrNotNotification", terminal49.ErrNotNotification},
	{"ErrPagination", terminal49.ErrPagination}, {"ErrRateLimited", terminal49.ErrRateLimited}, {"ErrRoleNotAllowed", terminal49.ErrRoleNotAllowed},
	{"ErrRulesVersion", terminal49.ErrRulesVersion}, {"ErrServer", terminal49.ErrServer}, {"ErrUnauthorized", terminal49.ErrUnauthorized},
	{"fleet.ErrEngineAway", fleet.ErrEngineAway}, {"fleet.ErrNotSetUp", fleet.ErrNotSetUp},
	{"mirror.ErrGone", mirror.ErrGone}, {"mirror.ErrNoPush", mirror.ErrNoPush}, {"mirror.ErrNotConfirmed", mirror.ErrNotConfirmed},
	{"mirror.ErrOtherAccount", mirror.ErrOtherAccount}, {"mirror.ErrReplaced", mirror.ErrReplaced}, {"mirror.ErrPositionAhead", mirror.ErrPositionAhead},
	{"mirror.ErrNoTables", mirror.ErrNoTables}, {"mirror.ErrPositionPruned", mirror.ErrPositionPruned},
	{"mirror.ErrPositionLost", mirror.ErrPositionLost}, {"mirror.ErrPositionUnknown", mirror.ErrPositionUnknown},
	{"webhook.ErrClaimLost", webhook.ErrClaimLost}, {"webhook.ErrClosed", webhook.ErrClosed}, {"webhook.ErrTimeout", webhook.ErrTimeout},
	{"webhook.ErrSignatureMalformed", webhook.ErrSignatureMalformed}, {"webhook.ErrSignatureMismatch", webhook.ErrSignatureMismatch},
	{"webhook.ErrSignatureMissing", webhook.ErrSignatureMissing}, {"context.DeadlineExceeded", context.DeadlineExceeded},
	{"context.Canceled", context.Canceled},
}

// errorsOf returns for each way to fail what programs can find out about the error, and how often
// the client tried with its defaults.
func errorsOf(t *testing.T) (lines []string) {
	for _, kind := range []terminal49test.FaultKind{
		terminal49test.FaultRefuse, terminal49test.FaultDrop, terminal49test.FaultReset, terminal49test.FaultTruncate, terminal49test.FaultMalformedJSON,
		terminal49test.FaultEmpty, terminal49test.FaultContentType, terminal49test.FaultBrokenGzip, terminal49test.FaultRedirect, terminal49test.FaultCertificate,
	} {
		lines = append(lines, faulty(t, "fault "+string(kind), terminal49test.Fault{Kind: kind, ContentType: "text/html", Location: "https://other.example/"})...)
	}
	for _, status := range []int{400, 401, 402, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 500, 501, 502, 503, 504} {
		lines = append(lines, faulty(t, fmt.Sprintf("status %d", status), terminal49test.Fault{Status: status})...)
	}
	lines = append(lines, faulty(t, "a feature that is not enabled", terminal49test.Fault{Status: 403, Detail: "Feature is not enabled for this account"})...)
	lines = append(lines, faulty(t, "a duplicate", terminal49test.Fault{Status: 422, Detail: "Number has already been taken"})...)
	for _, s := range sentinels {
		lines = append(lines, s.name+": "+outcome(s.err))
	}
	lines = append(lines, awayErrors(t)...)
	return append(lines, localErrors(t)...)
}

// engineAway is an engine that does not respond.
type engineAway struct{}

// Serve implements fleet.Engine.
func (engineAway) Serve(context.Context, fleet.Call) (fleet.Reply, error) {
	return fleet.Reply{}, errors.New("away")
}

// awayErrors returns those of a limiter that waits for its engine until the context ends.
func awayErrors(t *testing.T) (lines []string) {
	synctest.Test(t, func(t *testing.T) {
		limiter := must(fleet.New(engineAway{}, "an-api-key", fleet.WithFallback(fleet.Wait())))(t)
		short, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, late := limiter.Acquire(short, terminal49.BucketDefault)
		ended, end := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, end)
		_, canceled := limiter.Acquire(ended, terminal49.BucketDefault)
		lines = []string{"a limiter that waits while its engine is away, deadline: " + outcome(late),
			"a limiter that waits while its engine is away, canceled: " + outcome(canceled)}
		time.Sleep(time.Hour) // its goroutines end
	})
	return lines
}

// TestErrors_HasEverySentinel looks for the exported errors.
func TestErrors_HasEverySentinel(t *testing.T) {
	for _, line := range goAPI(t) {
		if name, ok := strings.CutSuffix(line, ": var error"); ok && !slices.ContainsFunc(sentinels, func(s sentinel) bool { return s.name == name }) {
			t.Errorf("%s is not in the list of sentinels", name)
		}
	}
}

// faulty returns the outcome of a read, an update and a creation that fail in one way.
func faulty(t *testing.T, name string, fault terminal49test.Fault) (lines []string) {
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithSeed(49), terminal49test.WithoutRateLimits())
	defer srv.Close()
	shipment := srv.SeedDemo().Shipments[0]
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithoutRateLimits(),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond}))
	if err != nil {
		t.Fatal(err)
	}
	fault.Times = -1
	for operation, call := range map[string]func() error{
		"shipments.get": func() error { _, err := client.Shipments.Get(t.Context(), shipment, nil); return err },
		"shipments.update": func() error {
			_, err := client.Shipments.Update(t.Context(), shipment, terminal49.ShipmentUpdate{ReferenceNumbers: terminal49.Some([]string{"a"})})
			return err
		},
		"tracking_requests.create": func() error {
			_, err := client.TrackingRequests.Create(t.Context(), terminal49.TrackingRequestCreate{RequestType: "bill_of_lading", RequestNumber: "MAEU221876618", SCAC: "MAEU"})
			return err
		},
	} {
		fault.Operation = operation
		srv.AddFault(fault)
		before := len(srv.Requests())
		err := call()
		lines = append(lines, fmt.Sprintf("%s of %s: %s, after %d requests", name, operation, outcome(err), len(srv.Requests())-before))
		srv.ClearFaults()
	}
	return lines
}

// localErrors returns errors for which nothing is sent.
func localErrors(t *testing.T) []string {
	client, err := terminal49.New("an-api-key")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "empty.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	limiter, err := sqlstore.NewLimiter(db, sqlstore.SQLite, "an-api-key", fleet.WithFallback(fleet.Fail()))
	if err != nil {
		t.Fatal(err)
	}
	_, noID := client.Shipments.Get(t.Context(), "", nil)
	_, noToken := terminal49.New("")
	_, noNumber := terminal49.ParseContainerNumber("MSCU1234567")
	_, noNotification := webhook.ParseNotification([]byte("{}"))
	_, noTables := mirror.NewReader(db).Container(t.Context(), id("container"))
	_, noCounter := limiter.Acquire(t.Context(), "default")
	m := must(mirror.New(client, db))(t)
	if err := m.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ahead error
	for _, ahead = range m.Changes(t.Context(), "5-0123456789abcdef") {
		break
	}
	secret := terminal49.NewSecret("webhook secret")
	var lines []string
	for name, err := range map[string]error{
		"an empty id":                            noID,
		"an empty token":                         noToken,
		"a container number":                     noNumber,
		"a body that is not a notification":      noNotification,
		"a delivery without a signature":         webhook.Verify([]byte("{}"), "", secret),
		"a delivery with a malformed signature":  webhook.Verify([]byte("{}"), "not hexadecimal", secret),
		"a delivery with another signature":      webhook.Verify([]byte("{}"), strings.Repeat("00", 32), secret),
		"a standing of other rules":              json.Unmarshal([]byte(`{"rules":999}`), new(terminal49.Standing)),
		"a mirror without tables":                noTables,
		"a position ahead of the feed":           ahead,
		"a limiter in a database without tables": noCounter,
	} {
		lines = append(lines, name+": "+outcome(err))
	}
	return lines
}

// outcome describes an error without its text, which is not promised.
func outcome(err error) string {
	if err == nil {
		return "no error"
	}
	var is []string
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			is = append(is, s.name)
		}
	}
	if terminal49.IsOutcomeUnknown(err) {
		is = append(is, "IsOutcomeUnknown")
	}
	for _, as := range []struct {
		name string
		is   bool
	}{
		{"*APIError", errors.As(err, new(*terminal49.APIError))}, {"*TransportError", errors.As(err, new(*terminal49.TransportError))},
		{"*DecodeError", errors.As(err, new(*terminal49.DecodeError))}, {"*ArgumentError", errors.As(err, new(*terminal49.ArgumentError))},
		{"*ContainerNumberError", errors.As(err, new(*terminal49.ContainerNumberError))},
	} {
		if as.is {
			is = append(is, "as "+as.name)
		}
	}
	return strings.Join(is, ", ")
}

// operationsOf returns what programs can call by name.
func operationsOf(*testing.T) (lines []string) {
	for _, o := range terminal49.Operations() {
		line := fmt.Sprintf("%s: %s %s, limit %s, repeatable %t", o.Name, o.Method, o.Path, o.Bucket, o.Repeatable)
		if o.Recent {
			line = fmt.Sprintf("%s: %s %s, in later documents only", o.Name, o.Method, o.Path)
		}
		lines = append(lines, line)
	}
	return lines
}
