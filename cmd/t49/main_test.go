package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(clitest.Tests{M: m}) }

// account is a simulated account. Its token is a word that no output has by chance.
type account struct {
	*testing.T
	srv  *terminal49test.Server
	demo terminal49test.Demo
	env  []string
}

func newAccount(t *testing.T, opts ...terminal49test.Option) *account {
	t.Helper()
	srv := terminal49test.NewServer(append([]terminal49test.Option{
		terminal49test.WithToken("token-that-nobody-may-see"), terminal49test.WithSpeed(0), terminal49test.WithSeed(49),
	}, opts...)...)
	t.Cleanup(srv.Close)
	return &account{t, srv, srv.SeedDemo(), []string{"T49_API_TOKEN=" + srv.Token, "T49_API_BASE_URL=" + srv.URL}}
}

func (a *account) command(args ...string) *exec.Cmd { return clitest.Command(a, a.env, args...) }

// do runs the command to its end.
func (a *account) do(args ...string) (status int, out, log string) {
	a.Helper()
	status, out, log = clitest.Run(a, a.command(args...))
	require.NotContains(a, out+log, "token-that-nobody-may-see")
	return status, out, log
}

// here returns an account whose commands run in this process, which is quicker. Its tests run one
// after another, because it sets the environment.
func (a *account) here() inProcess {
	for _, variable := range []string{"T49_API_TOKEN", "T49_API_BASE_URL", "T49_ACCOUNT_ID", "HTTP_PROXY", "HTTPS_PROXY"} {
		a.Setenv(variable, "")
	}
	for _, variable := range a.env {
		name, value, _ := strings.Cut(variable, "=")
		a.Setenv(name, value)
	}
	return inProcess{a}
}

type inProcess struct{ *account }

func (p inProcess) do(args ...string) (status int, out, log string) {
	var stdout, stderr bytes.Buffer
	status = execute(p.Context(), args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func (p inProcess) must(args ...string) string {
	p.Helper()
	status, out, log := p.do(args...)
	require.Zero(p, status, "%s\n%s", out, log)
	return out
}

func (a *account) must(args ...string) string {
	a.Helper()
	status, out, log := a.do(args...)
	require.Zero(a, status, "%s\n%s", out, log)
	return out
}

func TestCommand_Tables(t *testing.T) {
	t.Parallel() // it waits for the service
	a := newAccount(t)
	for _, c := range []struct {
		args []string
		want []string // in the output
	}{
		{[]string{"shipments"}, []string{"MAEU240711002", "Los Angeles", "CUSTOMER"}},
		{[]string{"shipments", "MAEU240711002"}, []string{"MAEU240711002"}},
		{[]string{"shipments", "MAEU 240711-002"}, []string{"MAEU240711002"}},
		{[]string{"shipments", a.demo.Shipments[0]}, []string{"MAEU240711002"}},
		{[]string{"containers"}, []string{"MSKU7182047", "CMAU4716554", "USD 555.00"}},
		{[]string{"containers", "msku 718204-7"}, []string{"MSKU7182047", "MAEU240711002", "WBCT (USLAX)", "available"}},
		{[]string{"containers", "EGHU9023165"}, []string{"to WBCT (USLAX)", "on_ship"}},
		{[]string{"containers", "--holds"}, []string{"MEDU3309188", "customs"}},
		{[]string{"fees", "CMAU4716554", "MSKU7182047"}, []string{"demurrage", "USD 555.00", "no fees", "all"}},
		{[]string{"fees", "EGHU9023165"}, []string{"owed  -"}}, // at sea: not known
		{[]string{"events", "MSKU7182047"}, []string{"vessel arrived", "Los Angeles"}},
		{[]string{"search", "MAEU2407"}, []string{"shipment", "MAEU240711002"}},
		{[]string{"shipping-lines", "maersk"}, []string{"MAEU"}},
		{[]string{"tracking-requests", "--number", "MAEU240711002"}, []string{"created"}},
		{[]string{"whoami"}, []string{"Simulated Account", "api_key", "tracking slots", "unlimited", "at most 100 a minute", "requests left          not reported"}},
		{[]string{"track", a.demo.Untracked}, []string{"HLCU", "bill_of_lading", "pending", "created"}},
		{[]string{"track", a.demo.Untracked}, []string{"existing"}},
		{[]string{"webhooks", "create", "https://example.com/hook", "--event", "container.updated"}, []string{"https://example.com/hook", "yes", " 1 "}},
		{[]string{"parties", "harbor"}, []string{"Harbor Street Imports"}},
		{[]string{"containers", "refresh", "MSKU7182047"}, []string{"MSKU7182047", "Started refresh"}},
		{[]string{"api", "/ports/USLAX", "--fields", "name"}, []string{`"attributes":{"name":"Los Angeles"}`}},
		{[]string{"api", "parties?page[size]=1"}, []string{`"type":"party"`}},
		{[]string{"--version"}, []string{terminal49.Version}},
	} {
		out := a.must(c.args...)
		for _, want := range c.want {
			require.Contains(t, out, want, "%v", c.args)
		}
	}
	require.NotContains(t, a.must("containers", "--holds"), "MSKU7182047")
	status, out, log := a.do("shipping-lines", "nobody")
	require.Equal(t, exitNotFound, status)
	require.Empty(t, out)
	require.Equal(t, "t49: no shipping line matches nobody; without a name, all are listed\n", log)
}

// The JSON can be read back by the package.
func TestCommand_JSON(t *testing.T) {
	a := newAccount(t)
	numbers := map[string]bool{}
	for line := range strings.Lines(a.must("containers", "--json")) {
		var c terminal49.Container
		require.NoError(t, json.Unmarshal([]byte(line), &c), line)
		numbers[c.Number] = true
	}
	require.Len(t, numbers, 8)

	var one struct {
		ID         string
		Attributes map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(a.must("shipments", "MAEU240711002", "--json", "--fields", "shipping_line_scac")), &one))
	require.Equal(t, a.demo.Shipments[0], one.ID)
	require.Equal(t, map[string]any{"shipping_line_scac": "MAEU"}, one.Attributes)

	_, out, _ := a.do("ready", "MEDU3309188", "--json")
	var verdict map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &verdict))
	require.Equal(t, false, verdict["can_pick_up"])
	require.Equal(t, "held", verdict["verdict"].(map[string]any)["situation"])
}

// The demonstration account has eight containers; one without a shipment has no terminal, line or
// port.
func TestCommand_CountBy(t *testing.T) {
	a := newAccount(t)
	a.srv.AddContainer(terminal49test.Container{Number: "TGHU7654337", CurrentStatus: "grounded"})
	for by, want := range map[string]string{
		"status": `(?m)^available +Available +3$`, "terminal": `(?m)^\(not known\) +\(not known\) +1$`,
		"line": `(?m)^MAEU +Maersk`, "port": `(?m)^USLAX +Los Angeles +\d`,
	} {
		out := a.must("containers", "--count-by", by)
		require.Regexp(t, want, out)
		require.Regexp(t, `(?m)^GROUP +NAME +CONTAINERS$`, out)
		require.Regexp(t, `(?m)^all +- +9$`, out)
	}
	for _, filter := range [][]string{{"--holds"}, {"--no-holds"}, {"--status", "available,grounded"}, {"--customer", a.srv.AccountID}, {"--terminal", terminalOf(a)}} {
		listed := strings.Count(a.must(append([]string{"containers"}, filter...)...), "\n") - 1
		require.Regexp(t, fmt.Sprintf(`(?m)^all +- +%d$`, listed), a.must(append([]string{"containers", "--count-by", "line"}, filter...)...), filter)
		require.Less(t, listed, 9, filter)
	}

	var summary terminal49.ContainerSummary
	text := a.must("containers", "--count-by", "terminal", "--json")
	require.NoError(t, json.Unmarshal([]byte(text), &summary), text)
	require.Equal(t, 9, summary.Total)
	require.Contains(t, text, `{"key":null,"label":null,"count":1}`)
	require.Equal(t, 1, strings.Count(text, "\n"))

	for _, wrong := range [][]string{
		{"--count-by", "vessel"}, {"--count-by", ""}, {"--count-by", "line", "MSKU7182047"}, {"--count-by", "line", "--json", "--fields", "number"},
	} {
		status, out, log := a.do(append([]string{"containers"}, wrong...)...)
		require.Equal(t, 2, status, wrong)
		require.Empty(t, out)
		require.NotEmpty(t, log)
	}
}

func terminalOf(a *account) string {
	var c terminal49.Container
	require.NoError(a, json.Unmarshal([]byte(a.must("containers", "MSKU7182047", "--json")), &c))
	return c.PODTerminal.ID()
}

// At most 200 groups are sent; a service that does not have the operation answers 404.
func TestCommand_CountBySaysWhatIsMissing(t *testing.T) {
	a := newAccount(t)
	for i := range 201 {
		line := fmt.Sprintf("X%03d", i)
		shipment := a.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: line, ShippingLine: line})
		a.srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", i), Shipment: shipment})
	}
	out := a.must("containers", "--count-by", "line")
	require.Regexp(t, `(?m)^all +- +209$`, out)
	require.Contains(t, out, "The service sent the 200 largest groups only.")
	require.Regexp(t, `(?m)^X001 +\(not known\) +1$`, out, "no line has this code")

	status, out, log := newAccount(t, terminal49test.WithoutAutumn2026()).do("containers", "--count-by", "line")
	require.Equal(t, 5, status)
	require.Empty(t, out)
	require.Contains(t, log, "not have enabled it for the account")
}

// null and "" are different answers of the service.
func TestCount_NullIsNotEmpty(t *testing.T) {
	require.Equal(t, "(not known)", orNotKnown(terminal49.Null[string]()))
	require.Equal(t, `""`, orNotKnown(terminal49.Some("")))
	require.Equal(t, "USLAX", orNotKnown(terminal49.Some("USLAX")))
}

// A released container without holds can be picked up, also if fees must be paid first; one with a
// customs hold cannot.
func TestCommand_ReadyIsAnExitStatus(t *testing.T) {
	a := newAccount(t)
	status, out, _ := a.do("ready", "MSKU7182047")
	require.Zero(t, status, out)
	require.Regexp(t, `MSKU7182047 +yes`, out)
	status, out, _ = a.do("ready", "CMAU4716554")
	require.Zero(t, status, out)
	require.Contains(t, out, "Ready, but USD 555.00 must be paid first. Pay, then send a truck to APMT LA (USLAX).")
	status, out, log := a.do("ready", "MSKU7182047", "MEDU3309188")
	require.Equal(t, 1, status)
	require.Contains(t, out, "At LBCT (USLGB), held by a customs hold (customs broker). Have it cleared before you send a truck.")
	require.Empty(t, log, "what is wrong is in the table")
}

// A bill of lading stands for each of its containers, also those that have left.
func TestCommand_ContainersOfABillOfLading(t *testing.T) {
	a := newAccount(t)
	for _, command := range [][]string{{"ready"}, {"containers"}, {"fees"}, {"events"}, {"containers", "refresh"}} {
		status, out, log := a.do(append(command, "MAEU240711002")...)
		require.Zero(t, status, log)
		require.Contains(t, out, "MSKU7182047", command)
		require.Contains(t, out, "MSKU7182411", command)
		require.NotContains(t, out, "CMAU4716554", command)
	}
	a.srv.UpdateContainer(a.srv.ContainerIDs(a.demo.Shipments[0])[0], func(c *terminal49test.Container) { c.CurrentStatus = "delivered" })
	status, out, _ := a.do("ready", "MAEU240711002")
	require.Equal(t, exitNo, status)
	require.Regexp(t, `(?s)Nothing left to pick up.*Ready for pickup|Ready for pickup.*Nothing left to pick up`, out)
	a.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	status, _, log := a.do("ready", "MAEU1")
	require.Equal(t, exitNotFound, status)
	require.Contains(t, log, "the shipment has no containers yet")
}

// An error is not a no: it is printed, and its exit status counts, in any order.
func TestCommand_ReadyPrintsErrorsNextToANo(t *testing.T) {
	a := newAccount(t)
	for _, which := range [][]string{{"MEDU3309188", "MSCU1234566", "TGHU7654337"}, {"MSCU1234566", "MEDU3309188", "TGHU7654337"}} {
		for _, flag := range []string{"--json=false", "--json"} {
			status, out, log := a.do(append([]string{"ready", flag}, which...)...)
			require.Equal(t, exitNotFound, status, log)
			require.Contains(t, out, "MEDU3309188")
			require.Equal(t, "t49: MSCU1234566: not found\nt49: TGHU7654337: not found: the check digit is 7 and should be 5: look for a mistyped or swapped character\n"+notFoundHint+"\n", log)
		}
	}
	a.srv.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 401, Times: 2}) // of both numbers together, and of the first
	status, out, log := a.do("ready", "MSKU7182047", "MEDU3309188")
	require.Equal(t, exitAuth, status, log)
	require.Contains(t, out, "MEDU3309188  no")
	require.Contains(t, log, "MSKU7182047")
}

// A container that its bill of lading tracks is found, so ready goes on to answer once. Numbers are
// read together.
func TestCommand_TrackFindsTheContainerOfABill(t *testing.T) {
	a := newAccount(t)
	for _, number := range []string{"MSKU7182047", "msku 718204-7", "MEDU3309188"} {
		status, out, log := a.do("track", number, "--wait", "1m")
		require.Zero(t, status, log)
		require.Regexp(t, terminal49.NormalizeContainerNumber(number)+` .*container_tracked`, out)
		require.Contains(t, log, "is on the bill of lading")
		require.Contains(t, a.must("track", number, "--json"), `"type":"container"`)
	}
	before := len(a.srv.Requests())
	status, out, log := a.do("ready", "MSKU7182047", "MEDU3309188", "CMAU4716554")
	require.Equal(t, exitNo, status, log)
	require.Equal(t, 1, strings.Count(out, "MSKU7182047"))
	require.Len(t, a.srv.Requests(), before+1)
	require.Equal(t, 1, strings.Count(a.must("ready", "MSKU7182047"), "MSKU7182047"))
	require.Contains(t, a.must("track", "MSKU7182047", "--reference", "PO-9"), "created")
}

// A number that is rejected is not hidden by one that is not settled yet.
func TestCommand_TrackFailsIfOneFails(t *testing.T) {
	a := newAccount(t)
	status, out, log := a.do("track", a.demo.Untracked, "MSKU7182048", "--wait", "1ms")
	require.Equal(t, exitInvalid, status, log)
	require.Contains(t, out, a.demo.Untracked)
	require.Contains(t, log, "has not answered yet")
	require.Contains(t, log, "MSKU7182048")
}

// A box that was delivered and is now on another voyage is judged by that voyage alone.
func TestCommand_ReadyMeansThePresentJourney(t *testing.T) {
	a := newAccount(t)
	delivered := a.srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", CurrentStatus: "delivered"})
	status, out, _ := a.do("ready", "MSKU7182047")
	require.Zero(t, status, out)
	require.Equal(t, 2, strings.Count(out, "\n"), out)
	status, out, _ = a.do("ready", delivered)
	require.Equal(t, 1, status)
	require.Contains(t, out, "Delivered, according to its status. Nothing left to pick up.")
	require.Equal(t, 3, strings.Count(a.must("containers", "MSKU7182047"), "\n"), "every journey")
}

// A number that selects nothing selects every shipment, here the only one of the account. The
// service may also ignore the number, or find a shipment that has another one.
func TestCommand_StopChangesOnlyTheShipmentThatWasNamed(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithToken("token-that-nobody-may-see"), terminal49test.WithSpeed(0))
	t.Cleanup(srv.Close)
	a := &account{T: t, srv: srv, env: []string{"T49_API_TOKEN=" + srv.Token, "T49_API_BASE_URL=" + srv.URL}}
	id := srv.AddShipment(terminal49test.Shipment{Attributes: map[string]any{"bill_of_lading_number": nil, "normalized_number": nil}})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{
		RequestNumber: "BOOKING1", RequestType: "booking_number", SCAC: "MAEU", Status: "created", Shipment: id,
	})
	for _, which := range []string{"", " ", "\t", "\u00a0", "\u200b", "\ufeff\u2060", "-", "\u2800", "BOOKING1"} {
		for _, verb := range []string{"stop", "resume"} {
			status, out, log := a.do("shipments", verb, which)
			require.Equal(t, exitUsage, status, "%s %q: %s", verb, which, log)
			require.Empty(t, out)
		}
	}
	for _, which := range []string{"", " ", "\u200b"} {
		status, out, log := a.do("shipments", which)
		require.Equal(t, exitUsage, status, "%q: %s", which, out)
		require.Contains(t, log, "NUMBER must contain a letter or a digit")
	}
	_, _, log := a.do("shipments", "stop", "BOOKING1")
	require.Contains(t, log, "use its id "+id)
	for _, request := range srv.Requests() {
		require.Equal(t, http.MethodGet, request.Method)
	}

	srv.UpdateShipment(id, func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"bill_of_lading_number": "MAEU BOOK-ING1", "normalized_number": "BOOK-ING1"}
	})
	for _, which := range []string{id, "booking1"} {
		require.Contains(t, a.must("shipments", "stop", which), "MAEU BOOK-ING1")
		require.Contains(t, a.must("shipments", "resume", which), "MAEU BOOK-ING1")
	}
}

func TestCommand_WebhooksDelete(t *testing.T) {
	t.Parallel() // it waits for the service
	a := newAccount(t)
	var hook struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(a.must("webhooks", "create", "https://example.com/hook", "--json")), &hook))
	require.Empty(t, a.must("webhooks", "delete", hook.ID))
	require.NotContains(t, a.must("webhooks", "list"), "example.com")
}

func TestCommand_ExitStatus(t *testing.T) {
	t.Parallel() // it waits for the service
	a := newAccount(t)
	wrongToken := append([]string(nil), a.env...)
	wrongToken[0] = "T49_API_TOKEN=another"
	for _, c := range []struct {
		name   string
		args   []string
		env    []string
		fault  terminal49test.Fault
		status int
		log    string
	}{
		{"unknown flag", []string{"shipments", "--nothing"}, a.env, terminal49test.Fault{}, 2, "unknown flag"},
		{"fields without JSON", []string{"shipments", "--fields", "x"}, a.env, terminal49test.Fault{}, 2, "--json"},
		{"unknown status", []string{"containers", "--status", "lost"}, a.env, terminal49test.Fault{}, 2, "available"},
		{"no age", []string{"ready", "MSKU7182047", "--max-age", "0s"}, a.env, terminal49test.Fault{}, 2, "--max-age"},
		{"unknown help", []string{"help", "MSKU7182047"}, a.env, terminal49test.Fault{}, 2, `unknown help topic "MSKU7182047"`},
		{"no arguments", []string{"ready"}, a.env, terminal49test.Fault{}, 2, "t49 ready --help"},
		{"not a path", []string{"api", "http://example.com/"}, a.env, terminal49test.Fault{}, 2, "/ports/USLAX"},
		{"no token", []string{"shipments"}, nil, terminal49test.Fault{}, 2, "t49 simulator"},
		{"wrong token", []string{"shipments"}, wrongToken, terminal49test.Fault{}, 3, ""},
		{"rate limited", []string{"shipments"}, a.env, terminal49test.Fault{Operation: "shipments.list", Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(time.Hour)}, 4, ""},
		{"no such container", []string{"containers", "MSCU1234566"}, a.env, terminal49test.Fault{}, 5, "MSCU1234566"},
		{"no such id", []string{"shipments", "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"}, a.env, terminal49test.Fault{}, 5, ""},
		{"rejected", []string{"shipments"}, a.env, terminal49test.Fault{Operation: "shipments.list", Status: 422}, 6, ""},
		{"lost response of a write", []string{"track", a.demo.Untracked}, a.env, terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Times: 9}, 7, ""},
		{"not settled in time", []string{"track", a.demo.Untracked, "--wait", "1ms"}, a.env, terminal49test.Fault{}, 1, "has not answered yet"},
		{"the service fails", []string{"shipments"}, a.env, terminal49test.Fault{Operation: "shipments.list", Status: 501}, 8, ""},
		{"no response", []string{"me"}, []string{"T49_API_TOKEN=x", "T49_API_BASE_URL=http://127.0.0.1:1/v2"}, terminal49test.Fault{}, 9, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.fault.Operation != "" {
				a.srv.AddFault(c.fault)
				defer a.srv.ClearFaults()
			}
			b := &account{t, a.srv, a.demo, c.env}
			status, out, log := b.do(c.args...)
			require.Equal(t, c.status, status, "%s\n%s", out, log)
			require.NotEmpty(t, log)
			require.Contains(t, log, c.log)
			require.LessOrEqual(t, strings.Count(log, "\n"), 2, "it is said once")
		})
	}
}

// Texts of the service cannot control the terminal.
func TestCommand_HostileTexts(t *testing.T) {
	a := newAccount(t)
	a.srv.UpdateShipment(a.demo.Shipments[0], func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"customer_name": "\x1b[2Jgone\r\n"}
	})
	require.Contains(t, a.must("shipments", "MAEU240711002"), "?[2Jgone??")
}

// running is a command that runs until it is interrupted.
type running struct {
	*account
	cmd *exec.Cmd
	mu  sync.Mutex
	out bytes.Buffer // of both outputs
}

func (a *account) start(args ...string) *running {
	a.Helper()
	r := &running{account: a, cmd: a.command(args...)}
	r.cmd.Stdout, r.cmd.Stderr = r, r
	require.NoError(a, r.cmd.Start())
	a.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

// Write implements io.Writer.
func (r *running) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(p)
}

// until waits for a pattern in the output, and returns its first group.
func (r *running) until(pattern string) string {
	r.Helper()
	var found []string
	require.Eventually(r, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		found = regexp.MustCompile(pattern).FindStringSubmatch(r.out.String())
		return found != nil
	}, time.Minute, 10*time.Millisecond, "%s", pattern)
	return found[len(found)-1]
}

// interrupt ends it as Ctrl-C does, and requires the exit status 0.
func (r *running) interrupt() {
	r.Helper()
	require.NoError(r, r.cmd.Process.Signal(syscall.SIGINT))
	require.NoError(r, r.cmd.Wait())
}

// An interrupted command has not done what it was asked for. A write that it sent may have been
// carried out.
func TestCommand_Interrupted(t *testing.T) {
	a := newAccount(t)
	for _, c := range []struct {
		args    []string
		stalled string // operation
		status  int
		log     string
	}{
		{[]string{"shipments"}, "shipments.list", exitInterrupted, "^t49: interrupted\n$"},
		{[]string{"ready", "MSKU7182047", "MEDU3309188"}, "containers.list", exitInterrupted, "^t49: interrupted\n$"},
		{[]string{"api", "/ports/USLAX"}, "ports.get", exitInterrupted, "^t49: interrupted\n$"},
		{[]string{"shipments", "stop", a.demo.Shipments[0]}, "shipments.stop_tracking", exitUnknown, "^t49: interrupted\nt49: .*stop_tracking.*\n$"},
		{[]string{"track", a.demo.Untracked, "MAEU240711009"}, "tracking_requests.create", exitUnknown, "^t49: interrupted\nt49: " + a.demo.Untracked + ": .*\n$"},
	} {
		for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			a.srv.AddFault(terminal49test.Fault{Operation: c.stalled, Kind: terminal49test.FaultStallHeaders, Times: -1})
			before := len(a.srv.Requests())
			r := a.start(c.args...)
			require.Eventually(t, func() bool {
				for _, request := range a.srv.Requests()[before:] {
					if request.Operation == c.stalled {
						return true
					}
				}
				return false
			}, time.Minute, 10*time.Millisecond, "%v", c.args)
			require.NoError(t, r.cmd.Process.Signal(sent))
			_ = r.cmd.Wait()
			require.Equal(t, c.status, r.cmd.ProcessState.ExitCode(), "%v: %s", c.args, r.printed())
			require.Regexp(t, c.log, r.printed())
			a.srv.ClearFaults()
		}
	}
}

func TestCommand_Watch(t *testing.T) {
	a := newAccount(t)
	r := a.start("watch", "MEDU3309188", "--interval", "50ms")
	r.until("watching MEDU3309188")
	a.srv.UpdateContainer(a.srv.ContainerIDs(a.demo.Shipments[1])[0], func(c *terminal49test.Container) {
		c.Holds, c.AvailableForPickup, c.CurrentStatus = nil, terminal49test.Bool(true), "available"
	})
	r.until(`cleared a customs hold \(customs broker\)`)
	r.until(`MEDU3309188: Ready, but a fee of unknown amount \(exam\)`)
	r.interrupt()
}

// What send sends, listen receives and verifies.
func TestCommand_WebhooksListenAndSend(t *testing.T) {
	a := &account{T: t}
	r := a.start("webhooks", "listen", "--addr", "127.0.0.1:0")
	secret := r.until(`this one is used: (\S+)`)
	url := r.until(`receiving on (\S+)`)
	a.env = []string{"T49_WEBHOOK_SECRET=" + secret + "\r\n"} // as in a file of another system
	require.Contains(t, a.must("webhooks", "send", url, "--event", "container.updated"), "200")
	r.until("container.updated")
	out := a.must("webhooks", "send", url)
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), len(terminal49.WebhookEvents()))

	a.env = []string{"T49_WEBHOOK_SECRET=another"}
	status, out, _ := a.do("webhooks", "send", url, "--event", "container.updated")
	require.Equal(t, 1, status)
	require.Contains(t, out, "401")
	r.interrupt()
	a.env = []string{"T49_WEBHOOK_SECRET=" + strconv.Quote(secret), "T49_API_TOKEN=none", "T49_API_BASE_URL=http://127.0.0.1:1/v2"}
	for _, args := range [][]string{{"send", url}, {"listen"}, {"forward", url}} {
		status, _, log := a.do(append([]string{"webhooks"}, args...)...)
		require.Equal(t, 2, status)
		require.Contains(t, log, "T49_WEBHOOK_SECRET must not be in quotes")
		require.NotContains(t, log, secret)
	}
	status, _, log := a.do("webhooks", "send", "http://example.com/")
	require.Equal(t, 2, status)
	require.Contains(t, log, "--anywhere")
}

func TestCommand_Simulator(t *testing.T) {
	a := &account{T: t}
	r := a.start("simulator", "--addr", "127.0.0.1:0", "--speed", "3600", "--traffic", "20")
	a.env = strings.Fields(r.until(`(?m)^export (.*)$`))
	require.Greater(t, strings.Count(a.must("containers"), "\n"), 20)
	r.interrupt()
	r.until("violations of what the service documents: 0")
	status, _, log := a.do("simulator", "--traffic", "-1")
	require.Equal(t, 2, status)
	require.Contains(t, log, "--traffic")
}

// docs/webhooks.md adds a receiver on this machine with this command.
func TestCommand_SimulatorDeliversToAReceiver(t *testing.T) {
	page, err := os.ReadFile("../../docs/webhooks.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`-d '(\{"add_webhook".*)'`).FindSubmatch(page)
	require.NotNil(t, command)
	outcomes := make(chan webhook.Outcome, 1)
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret("any-text")),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }), webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
			select {
			case outcomes <- d.Outcome:
			default:
			}
		}))
	require.NoError(t, err)
	receiver := httptest.NewServer(handler)
	defer receiver.Close()

	a := &account{T: t}
	r := a.start("simulator", "--addr", "127.0.0.1:0", "--webhooks", "--speed", "3600", "--traffic", "20")
	base := regexp.MustCompile(`http://[^/]+/`).FindString(r.until(`(?m)^export (.*)$`))
	body := strings.Replace(string(command[1]), "http://127.0.0.1:8080", receiver.URL, 1)
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"_simulator/commands", strings.NewReader(body))
	require.NoError(t, err)
	ask.Header = http.Header{"Simulator-Control": {"true"}, "Content-Type": {"application/json"}}
	response, err := http.DefaultClient.Do(ask)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, webhook.OutcomeHandled, <-outcomes, "signed with the secret")
	r.interrupt()
}

// A scenario comes with the command, or is a file, whose errors name the line.
func TestCommand_SimulatorScenario(t *testing.T) {
	a := &account{T: t}
	r := a.start("simulator", "--addr", "127.0.0.1:0", "--speed", "0", "--scenario", "held-and-paid")
	a.env = strings.Fields(r.until(`(?m)^export (.*)$`))
	require.Contains(t, a.must("containers"), "MSKU7183110")
	r.interrupt()
	own := filepath.Join(t.TempDir(), "own.jsonl")
	require.NoError(t, os.WriteFile(own, []byte("{\"comment\": \"Two lines.\"}\n{\"add_container\": {\"numer\": \"MSKU7182047\"}}\n"), 0o600))
	for args, want := range map[string]string{
		own:               "line 2: add_container: numer is not known (did you mean number?)",
		"rail":            "bad-day, held-and-paid, rail-import, rolled-and-transshipped",
		filepath.Dir(own): "is a directory",
	} {
		status, _, log := a.do("simulator", "--addr", "127.0.0.1:0", "--scenario", args)
		require.Equal(t, 2, status)
		require.Contains(t, log, want)
	}
}

// A program with a database of its own meets new ids in each run, unless it asks for the same ones.
func TestCommand_SimulatorHasNewIDs(t *testing.T) {
	ids := func(args ...string) string {
		a := &account{T: t}
		r := a.start(append([]string{"simulator", "--addr", "127.0.0.1:0"}, args...)...)
		a.env = strings.Fields(r.until(`(?m)^export (.*)$`))
		defer r.interrupt()
		return a.must("containers", "--json", "--fields", "id")
	}
	require.NotEqual(t, ids(), ids())
	require.Equal(t, ids("--seed", "1"), ids("--seed", "1"))
}

// A status is the result of the kind of error, wherever it comes from.
func TestStatusOf(t *testing.T) {
	require.Equal(t, exitUpstream, statusOf(io.ErrUnexpectedEOF))
	require.Equal(t, exitUsage, statusOf(&terminal49.ArgumentError{}))
	require.Equal(t, exitInvalid, statusOf(&terminal49.CarrierUndecidedError{}))
	require.Equal(t, exitNo, statusOf(errors.Join(errNo, errPending)))
	require.Equal(t, exitNotFound, statusOf(errors.Join(errNo, errors.Join(errPending, errNotFound), io.EOF)))
	require.Equal(t, 0, execute(context.Background(), []string{"--help"}, io.Discard, io.Discard))
}
