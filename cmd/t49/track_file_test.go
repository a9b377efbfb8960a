package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/terminal49test"
)

// tracker runs "t49 track" on files of its own against a simulated service.
type tracker struct {
	*testing.T
	service         *terminal49test.Server
	input, outcomes string
	client          *http.Client
}

// testTrack runs a test in a synctest bubble. Each file is numbers.csv of a folder of its own.
func testTrack(t *testing.T, input string, test func(*tracker)) {
	t.Helper()
	t.Setenv("T49_API_TOKEN", "token-that-nobody-may-see")
	t.Setenv("T49_API_BASE_URL", "")
	dir := t.TempDir()
	r := &tracker{input: filepath.Join(dir, "numbers.csv"), outcomes: filepath.Join(dir, "outcomes.csv")}
	require.NoError(t, os.WriteFile(r.input, []byte(input), 0o600))
	synctest.Test(t, func(t *testing.T) {
		r.T = t
		r.service = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithToken("token-that-nobody-may-see"))
		defer r.service.Close()
		r.client = r.service.HTTPClient()
		test(r)
		r.service.CheckViolations(t)
	})
}

func (r *tracker) run(ctx context.Context, flags ...string) (status int, out, log string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var stdout, stderr bytes.Buffer
	a := &app{options: []terminal49.Option{terminal49.WithBaseURL(r.service.URL), terminal49.WithHTTPClient(r.client)}}
	status = a.run(ctx, cancel, append([]string{"track", "--from", r.input, "--outcomes", r.outcomes}, flags...), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// rows returns the rows of the outcomes, without the titles.
func (r *tracker) rows() [][]string {
	r.Helper()
	text, err := os.ReadFile(r.outcomes)
	require.NoError(r, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(r, err)
	require.Equal(r, outcomeTitles, rows[0])
	return rows[1:]
}

// results returns the results of each number in the outcomes, in order.
func (r *tracker) results() map[string][]string {
	r.Helper()
	found := map[string][]string{}
	for _, row := range r.rows() {
		found[row[0]] = append(found[row[0]], row[1])
	}
	return found
}

func (r *tracker) created() (n int) {
	for _, request := range r.service.Requests() {
		if request.Operation == "tracking_requests.create" && request.Status == http.StatusCreated {
			n++
		}
	}
	return n
}

// After an interruption at any request and a second run, each number was created once and has one
// outcome; a third run sends nothing.
func TestTrack_FromAFileInterruptedAtEachRequest(t *testing.T) {
	input, numbers := "\ufeffreference,Number\r\n", 8
	for i := range numbers {
		input += fmt.Sprintf("PO-%d, MAEU%06d \r\n", i, i)
	}
	for position := range 3 * numbers {
		testTrack(t, input+"a short row\r\nPO-X,\r\n", func(r *tracker) {
			for _, op := range []string{"tracking_requests.infer", "tracking_requests.create"} {
				r.service.AddFault(terminal49test.Fault{Operation: op, Kind: terminal49test.FaultSlow, Delay: time.Second, Times: -1})
			}
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			whole := r.client
			r.client = &http.Client{Transport: transport(func(req *http.Request) (*http.Response, error) {
				if len(r.service.Requests()) == position {
					time.AfterFunc(time.Millisecond, cancel)
				}
				return r.service.Transport().RoundTrip(req)
			})}
			r.run(ctx)
			for number, result := range r.results() {
				require.Equal(r, []string{"created"}, result, number)
			}
			r.client = whole
			status, _, log := r.run(r.Context())
			require.Zero(r, status, log)
			require.Len(r, r.results(), numbers)
			require.Len(r, r.rows(), numbers)
			require.Equal(r, numbers, r.created())
			sent := len(r.service.Requests())
			status, out, log := r.run(r.Context())
			require.Zero(r, status)
			require.Empty(r, out)
			require.Contains(r, log, "8 skipped")
			require.Len(r, r.service.Requests(), sent)
		})
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// What is not tracked is tried again, and the status stays that of what is not tracked.
func TestTrack_FromAFileTriesFailuresAgain(t *testing.T) {
	testTrack(t, "number\nMAEU000001\nMAEU000002\n99887766\nMSKU7182048\n", func(r *tracker) {
		r.service.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Status: http.StatusForbidden, Times: 2})
		status, _, log := r.run(r.Context())
		require.Equal(r, exitAuth, status, log)
		status, _, log = r.run(r.Context())
		require.Equal(r, exitInvalid, status, log)
		require.Equal(r, map[string][]string{
			"MAEU000001": {"failed", "created"}, "MAEU000002": {"failed", "created"},
			"99887766": {"needs_confirmation", "needs_confirmation"}, "MSKU7182048": {"invalid", "invalid"},
		}, r.results())
		require.NoError(r, os.WriteFile(r.input, []byte("number,type,scac\nMAEU000001\n99887766,Booking,maeu\n"), 0o600))
		status, _, log = r.run(r.Context())
		require.Zero(r, status, log)
		require.Equal(r, 3, r.created())
	})
}

// A wrong token fails every number, so the first failure ends the run.
func TestTrack_FromAFileWithAWrongToken(t *testing.T) {
	var input strings.Builder
	for i := range 200 {
		fmt.Fprintf(&input, "MAEU%06d\n", i)
	}
	testTrack(t, input.String(), func(r *tracker) {
		r.service.AddFault(terminal49test.Fault{Status: http.StatusUnauthorized, Times: -1})
		status, _, log := r.run(r.Context())
		require.Equal(r, exitAuth, status)
		require.Equal(r, 1, strings.Count(log, "\n"), log)
		require.Less(r, len(r.service.Requests()), 64)
	})
}

// A partial last line, as a crash leaves it, is written again, wherever it was cut.
func TestTrack_OutcomesWithAPartialLine(t *testing.T) {
	testTrack(t, "MAEU000001\nMAEU000002\n", func(r *tracker) {
		r.run(r.Context())
		whole, err := os.ReadFile(r.outcomes)
		require.NoError(r, err)
		for cut := range whole {
			require.NoError(r, os.WriteFile(r.outcomes, whole[:cut], 0o600))
			status, _, log := r.run(r.Context())
			require.Zero(r, status, log)
			require.Len(r, r.rows(), 2, "cut at %d", cut)
		}
		require.Equal(r, 2, r.created())
	})
}

// Two runs at once would ask for the same numbers. Outcomes of another service do not count.
func TestTrack_OutcomesOfOthers(t *testing.T) {
	testTrack(t, "MAEU000001\n", func(r *tracker) {
		first, err := openOutcomes(r.outcomes)
		require.NoError(r, err)
		status, _, log := r.run(r.Context())
		require.Equal(r, exitUsage, status)
		require.Contains(r, log, r.outcomes+": another t49 track is writing to it")
		require.Empty(r, r.service.Requests())
		require.NoError(r, first.add(terminal49.TrackOutcome{Number: "MAEU000001", Result: terminal49.TrackResultCreated}, nil))
		first.service = "https://elsewhere.example/v2"
		require.NoError(r, first.add(terminal49.TrackOutcome{Number: "MAEU000002", Result: terminal49.TrackResultCreated}, nil))
		require.NoError(r, first.close())
		require.NoError(r, os.WriteFile(r.input, []byte("MAEU000001\nMAEU000002\n"), 0o600))
		status, out, _ := r.run(r.Context())
		require.Zero(r, status)
		require.Contains(r, out, "MAEU000002")
		require.Equal(r, 1, r.created())
	})
}

// What cannot be used is refused before anything is sent, and stays as it is.
func TestTrack_RefusesUnusableFiles(t *testing.T) {
	for _, c := range []struct{ input, outcomes, problem string }{
		{"number,type\nMAEU1\nMAEU000001,sea waybill\n", "", `numbers.csv: line 3: type "sea waybill" is not one of bill_of_lading`},
		{"Number,SCAC\r\nMAEU000001,MAERSK\r\n", "", `line 2: scac "MAERSK" is not the code of a shipping line`},
		{"number;customer\nMAEU000001;Harbor\n", "", `line 2: customer "Harbor" is not the id of a party`},
		{"number,scac\n\"MAEU000001\n", "", "quote"},
		{"number,scac\n,MAEU\n", "", "has no numbers"},
		{"number,scac\nMAEU000001\nM\xc4RSK\n", "", "line 3: number \"M\\xc4RSK\" is not text"},
		{"number\nMAEU000001\nMAEU\x00000002\n", "", "line 3: number"},
		{"n\x00u\x00m\x00\n\x00M\x00", "", "is not text; save it as CSV or as text in UTF-8"},
		{"number,note\nMAEU000001\n" + strings.Repeat("A", 2<<20) + "\n", "", "has 2097152 bytes"},
		{"MAEU000001\n" + strings.Repeat("A", 2<<20) + "\n", "", "line 2 has 2097152 bytes"},
		{strings.Repeat("MAEU000001,x\n", 1<<19), "", "has more than 4 MiB"},
		{"MAEU000001\n", "name,age\nx,1\n", "outcomes.csv: is not a file of outcomes"},
		{"MAEU000001\n", "a line without an end", "is not a file of outcomes"},
		{"MAEU000001\n", strings.Join(outcomeTitles, ",") + "\nx,1\n", "is not a file of outcomes"},
		{"MAEU000001\n", strings.Repeat("\x00", 1<<20), "is not a file of outcomes"},
	} {
		testTrack(t, c.input, func(r *tracker) {
			require.NoError(r, os.WriteFile(r.outcomes, []byte(c.outcomes), 0o600))
			status, out, log := r.run(r.Context())
			require.Equal(r, exitUsage, status, log)
			require.Empty(r, out)
			require.Contains(r, log, c.problem)
			require.Less(r, len(log), 1000)
			require.Empty(r, r.service.Requests())
			kept, err := os.ReadFile(r.outcomes)
			require.NoError(r, err)
			if c.outcomes != "" {
				require.Equal(r, c.outcomes, string(kept))
			}
			r.outcomes = os.DevNull
			if _, err := os.Stat(r.outcomes); err == nil {
				require.NoError(r, os.WriteFile(r.input, []byte("MAEU000001\n"), 0o600))
				_, _, log = r.run(r.Context())
				require.Contains(r, log, "is not a regular file")
			}
		})
	}
}

// Programs write CSV with a byte order mark, quotes, other separators and line ends, rows of
// different lengths, and repeated numbers.
func TestTrack_FilesOfPrograms(t *testing.T) {
	for _, input := range []string{
		"number\rMAEU000001\rMAEU000002", "\ufeff\"number\",\"reference\"\r\n\"MAEU000001\",\"a,b\"\r\n\"MAEU000002\",\"\"\r\n",
		"number,note\r\nMAEU000001,\"a\rb\"\r\nMAEU000002,\"a\r\nb\"\r\n", "number,note\n\"MAEU000001\n\",x\n\" MAEU000002 \",\"a \"\"quote\"\"\"\n",
		"number,a,b\nMAEU000001\n\nMAEU000002,1,2,3,4\n", "number\nMAEU000001\nMAEU000001\nMAEU000002\nMAEU000001\n",
		"note\tNumber\tscac\n\tMAEU000001\t\n\tMAEU000002\tMAEU\n", "# a note\nB/L no;Line\nMAEU000001;MAEU\nMAEU000002;\n", "MAEU000001,PO-1\nMAEU000002\n",
	} {
		testTrack(t, input, func(r *tracker) {
			status, _, log := r.run(r.Context())
			require.Zero(r, status, log)
			require.Equal(r, map[string][]string{"MAEU000001": {"created"}, "MAEU000002": {"created"}}, r.results(), "%q", input)
			require.Equal(r, 2, r.created())
		})
	}
}

// The columns are those of the command's help. What a row asks for and its request does not have is
// reported: a request that exists is not changed.
func TestTrack_ColumnsOfAFile(t *testing.T) {
	const party = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"
	testTrack(t, "Note;x, Reference ,References,TAGS,Customer ID,Type,scac,Number,scac\n"+
		"n,PO-1,\"PO-2; PO-3;\",hot; fall ,"+party+",Booking Number,hlcu,HLCU12,\n"+
		"\"two\nlines\",PO-4,,,,,,MAEU000001\n"+
		"n,PO-4;PO-5,,late,,,,MAEU000001\n", func(r *tracker) {
		r.service.AddParty(terminal49test.Party{ID: party, CompanyName: "A"})
		status, _, log := r.run(r.Context())
		require.Equal(r, exitNo, status)
		require.Contains(r, log, `ignored columns: "Note;x"; known are number, type, scac`)
		require.Contains(r, log, "MAEU000001: it was tracked already, without this reference or tag: PO-5, late")
		rows := r.rows()
		require.Equal(r, []string{"HLCU12", "created", "HLCU"}, rows[0][:3])
		require.Equal(r, []string{"MAEU000001", "existing", "MAEU"}, rows[2][:3])
		require.Contains(r, rows[2][4], "PO-5, late")
		first, _ := r.service.TrackingRequest(rows[0][3])
		require.Equal(r, "booking_number", first.RequestType)
		require.Equal(r, []string{"PO-1", "PO-2", "PO-3"}, first.ReferenceNumbers)
		require.Equal(r, []string{"hot", "fall"}, first.ShipmentTags)
		require.Equal(r, party, first.Customer)
	})
}

// SECURITY: the service writes into a file that is opened in a spreadsheet, and that the next run
// reads.
func TestTrack_OutcomesOfAHostileService(t *testing.T) {
	testTrack(t, "MAEU000001\n", func(r *tracker) {
		for _, text := range []string{"=1", " \u200b=1", "\x1b[2J\n\"@1", strings.Repeat(`"`, 2<<20), strings.Repeat("\xff", 2<<20), strings.Repeat("ü", 2<<20)} {
			o, err := openOutcomes(r.outcomes)
			require.NoError(r, err)
			require.NoError(r, o.add(terminal49.TrackOutcome{
				Number: text, Result: terminal49.TrackResult(text), Request: &terminal49.TrackingRequest{SCAC: text, Resource: terminal49.Resource{ID: text}},
			}, fmt.Errorf("%s", text)))
			require.NoError(r, o.close())
		}
		for _, row := range r.rows() {
			for _, cell := range row {
				require.NotRegexp(r, `^[ "]*[=+@-]`, cell)
				require.Equal(r, cli.Printable(cell), cell)
			}
		}
		status, _, log := r.run(r.Context())
		require.Zero(r, status, log)
	})
}
