package main

import (
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
	"github.com/go-freight/terminal49/terminal49test"
)

// testJob runs test with a job that has its own files and a simulated service, inside a synctest
// bubble.
func testJob(t *testing.T, input string, test func(*testing.T, *terminal49test.Server, *job)) {
	t.Helper()
	dir := t.TempDir()
	j := &job{input: filepath.Join(dir, "numbers.csv"), output: filepath.Join(dir, "outcomes.csv"), service: "simulated", warn: func(string) {}}
	require.NoError(t, os.WriteFile(j.input, []byte(input), 0o600))
	synctest.Test(t, func(t *testing.T) {
		service := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer service.Close()
		client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
		require.NoError(t, err)
		j.client = client
		j.progress = func(int) func(terminal49.TrackProgress) { return func(terminal49.TrackProgress) {} }
		test(t, service, j)
		service.CheckViolations(t)
	})
}

// numbersCSV returns a file with n numbers in its second column.
func numbersCSV(n int) (input string, numbers []string) {
	input = "\ufeffreference,Number\r\n"
	for i := range n {
		numbers = append(numbers, fmt.Sprintf("MAEU%06d", i+1))
		input += fmt.Sprintf("PO-%d, %s \r\n", i, numbers[i])
	}
	return input + "a row that is short\r\nPO-X,\r\n", numbers
}

// results reads the file of outcomes: the results of each number, in order.
func results(t *testing.T, path string) map[string][]string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Equal(t, header(), rows[0])
	found := map[string][]string{}
	for _, row := range rows[1:] {
		found[row[0]] = append(found[row[0]], row[1])
	}
	return found
}

func created(service *terminal49test.Server) (n int) {
	for _, r := range service.Requests() {
		if r.Operation == "tracking_requests.create" && r.Status == http.StatusCreated {
			n++
		}
	}
	return n
}

func TestJob_RunTwice(t *testing.T) {
	input, numbers := numbersCSV(20)
	testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
		j.column = "number"
		var totals []int
		var last terminal49.TrackProgress
		j.progress = func(total int) func(terminal49.TrackProgress) {
			totals = append(totals, total)
			return func(p terminal49.TrackProgress) { last = p }
		}
		counts, err := j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackProgress{Created: 20}, counts)
		sent := len(service.Requests())
		counts, err = j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackProgress{Skipped: 20}, counts)
		require.Equal(t, counts, last)
		require.Equal(t, []int{20, 20}, totals)
		require.Len(t, service.Requests(), sent, "completed numbers cost nothing")
		for _, number := range numbers {
			require.Equal(t, []string{"created"}, results(t, j.output)[number])
		}
		// Outcomes of another service do not count.
		j.service = "elsewhere"
		counts, err = j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackProgress{Existing: 20}, counts)
	})
}

// After an interrupt at any request and a second run, each number was created once and has one
// outcome.
func TestJob_InterruptedAtEachRequest(t *testing.T) {
	input, numbers := numbersCSV(8)
	for position := range 3 * len(numbers) {
		testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
			j.column = "Number"
			for _, op := range []string{"tracking_requests.infer", "tracking_requests.create"} {
				service.AddFault(terminal49test.Fault{Operation: op, Kind: terminal49test.FaultSlow, Delay: time.Second, Times: -1})
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var err error
			whole := j.client
			j.client, err = terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(&http.Client{
				Transport: transport(func(req *http.Request) (*http.Response, error) {
					if len(service.Requests()) == position {
						time.AfterFunc(time.Millisecond, cancel)
					}
					return service.Transport().RoundTrip(req)
				}),
			}))
			require.NoError(t, err)
			_, err = j.run(ctx)
			require.NoError(t, err)
			for number, result := range results(t, j.output) {
				require.Contains(t, [][]string{{"created"}}, result, number)
			}
			j.client = whole
			_, err = j.run(t.Context())
			require.NoError(t, err)
			found := results(t, j.output)
			require.Len(t, found, len(numbers))
			for _, number := range numbers {
				require.Len(t, found[number], 1)
			}
			require.Equal(t, len(numbers), created(service))
		})
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestJob_RetriesFailedNumbers(t *testing.T) {
	testJob(t, "number\nMAEU000001\nMAEU000002\n99887766\nMSKU7182048\n", func(t *testing.T, service *terminal49test.Server, j *job) {
		service.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Status: http.StatusForbidden, Times: 2})
		counts, err := j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackProgress{NeedsConfirmation: 1, Invalid: 1, Failed: 2}, counts)
		counts, err = j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackProgress{Created: 2, Skipped: 2}, counts)
		require.Equal(t, map[string][]string{
			"MAEU000001": {"failed", "created"}, "MAEU000002": {"failed", "created"},
			"99887766": {"needs_confirmation"}, "MSKU7182048": {"invalid"},
		}, results(t, j.output))
	})
}

// A wrong token fails every number, so the first failure ends the run.
func TestJob_WrongTokenEndsTheRun(t *testing.T) {
	input, _ := numbersCSV(200)
	testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
		j.column = "number"
		service.AddFault(terminal49test.Fault{Status: http.StatusUnauthorized, Times: -1})
		_, err := j.run(t.Context())
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
		require.Less(t, len(service.Requests()), 64)
	})
}

// A partial last line is written again, wherever it was cut.
func TestOutcomes_PartialLastLine(t *testing.T) {
	input := "number\nMAEU000001\n\"=1+1\"\n"
	testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
		_, err := j.run(t.Context())
		require.NoError(t, err)
		whole, err := os.ReadFile(j.output)
		require.NoError(t, err)
		lines := strings.Count(string(whole), "\n")
		require.Equal(t, 3, lines)
		for cut := range whole {
			require.NoError(t, os.WriteFile(j.output, whole[:cut], 0o600))
			_, err := j.run(t.Context())
			require.NoError(t, err)
			found := results(t, j.output)
			require.Len(t, found, 2, "cut at %d", cut)
			require.Len(t, found["MAEU000001"], 1)
			require.Equal(t, []string{"invalid"}, found["'=1+1"])
		}
		require.Equal(t, 1, created(service))
	})
}

func TestJob_RefusesUnusableFiles(t *testing.T) {
	for name, c := range map[string]struct{ input, output, column, words string }{
		"no such column":        {"a,b\n1,2\n", "", "number", `no column "number"`},
		"an empty file":         {"", "", "", "EOF"},
		"broken CSV":            {"number\n\"MAEU000001\n", "", "", "quote"},
		"some other file":       {"number\nMAEU000001\n", "name,age\nx,1\n", "", "choose another with -out"},
		"some other text":       {"number\nMAEU000001\n", "a line without an end", "", "choose another with -out"},
		"a row of another kind": {"number\nMAEU000001\n", strings.Join(header(), ",") + "\nx,1\n", "", "choose another with -out"},
	} {
		t.Run(name, func(t *testing.T) {
			testJob(t, c.input, func(t *testing.T, service *terminal49test.Server, j *job) {
				j.column = c.column
				require.NoError(t, os.WriteFile(j.output, []byte(c.output), 0o600))
				_, err := j.run(t.Context())
				require.ErrorContains(t, err, c.words)
				require.Empty(t, service.Requests())
				kept, err := os.ReadFile(j.output)
				require.NoError(t, err)
				require.Equal(t, c.output, string(kept), "not touched")
			})
		})
	}
}

func TestCell_EscapesFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "MAEU000001": "MAEU000001", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)",
		"\t=1": "' =1", "\r=1": "' =1", "\n=1": "' =1", "'=1": "''=1", "a\r\nb": "a  b", "a=b": "a=b",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠A": "'＠A", "a;=1": "a,=1", ";=1": ",=1", "a\t=1": "a =1",
	} {
		require.Equal(t, want, cell(text), "%q", text)
	}
}

// In a spreadsheet whose separator is ";", each semicolon in the file ends a cell, quoted or not.
func TestOutcomes_NoSemicolons(t *testing.T) {
	input := "number\n\"x;=1+1;\"\"y\"\"\"\n\"=2;3\"\n＝4\n"
	testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
		_, err := j.run(t.Context())
		require.NoError(t, err)
		whole, err := os.ReadFile(j.output)
		require.NoError(t, err)
		require.NotContains(t, string(whole), ";")
		require.Equal(t, 4, strings.Count(string(whole), "\n"))
		for line := range strings.Lines(string(whole)) {
			require.Regexp(t, `^("([^"=+@＝-]([^"]|"")*)?",?){7}\n$`, line, "every field is quoted and none begins a formula")
		}
		require.Equal(t, map[string][]string{`x,=1+1,"y"`: {"invalid"}, "'=2,3": {"invalid"}, "'＝4": {"invalid"}}, results(t, j.output))
		counts, err := j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackProgress{Skipped: 3}, counts)
	})
}

// outcomeRows reads the file of outcomes, without its header.
func outcomeRows(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	require.NoError(t, err)
	return rows[1:]
}

// The columns are those of the command's doc comment.
func TestInput_Columns(t *testing.T) {
	input := "\ufeffNote;x, Reference ,References,TAGS,Customer ID,Type,scac,Number,scac\n" +
		"n,PO-1,\"PO-2; PO-3;\",hot; fall ,5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d,Booking Number,hlcu,HLCU12,\n" +
		"\n" +
		"\"two\nlines\",PO-4,,,,,,MAEU000001\n"
	testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
		service.AddParty(terminal49test.Party{ID: "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", CompanyName: "A"})
		var warnings []string
		j.warn = func(s string) { warnings = append(warnings, s) }
		_, err := j.run(t.Context())
		require.NoError(t, err)
		require.Len(t, warnings, 1)
		require.Contains(t, warnings[0], `ignored columns: "Note;x"; known are number, type, scac, reference`)
		rows := outcomeRows(t, j.output)
		require.Equal(t, []string{"HLCU12", "created", "HLCU"}, rows[0][:3])
		require.Equal(t, []string{"MAEU000001", "created", "MAEU"}, rows[1][:3])
		require.Equal(t, []string{"2", "5"}, []string{rows[0][6], rows[1][6]}, "the lines of the numbers")
		first, _ := service.TrackingRequest(rows[0][3])
		require.Equal(t, "booking_number", first.RequestType)
		require.Equal(t, []string{"PO-1", "PO-2", "PO-3"}, first.ReferenceNumbers)
		require.Equal(t, []string{"hot", "fall"}, first.ShipmentTags)
		require.Equal(t, "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", first.Customer)
		second, _ := service.TrackingRequest(rows[1][3])
		require.Equal(t, []string{"PO-4"}, second.ReferenceNumbers)
	})
}

// A first row that begins with a number is not a header, so it is tracked too. One with any known
// title, and one that begins without a digit, is.
func TestInput_WithoutAHeader(t *testing.T) {
	for input, want := range map[string][]string{
		"MAEU000001\nMAEU000002\n":                     {"1 MAEU000001", "2 MAEU000002"},
		"\ufeff\"MAEU000001\",PO-1\r\nMAEU000002,\r\n": {"1 MAEU000001", "2 MAEU000002"},
		"Container\nMAEU000001\n":                      {"2 MAEU000001"},
		"B/L 1,SCAC\nMAEU000001,MAEU\n":                {"2 MAEU000001"},
	} {
		testJob(t, input, func(t *testing.T, _ *terminal49test.Server, j *job) {
			var warnings []string
			j.warn = func(s string) { warnings = append(warnings, s) }
			_, err := j.run(t.Context())
			require.NoError(t, err)
			var found []string
			for _, row := range outcomeRows(t, j.output) {
				found = append(found, row[6]+" "+row[0])
			}
			require.ElementsMatch(t, want, found, "%q", input)
			require.Equal(t, len(want) == 2, strings.Contains(strings.Join(warnings, ""), "it has no header"), "%q", warnings)
		})
	}
}

// What a row asks for and its request does not have is reported: a request that exists is not
// changed.
func TestOutcomes_ReferencesThatAreNotStored(t *testing.T) {
	input := "number,type,scac,reference,tags\nMAEU100,bill_of_lading,MAEU,PO-1,hot\nMAEU100,bill_of_lading,MAEU,PO-1;PO-2,fall\n"
	testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
		_, err := j.run(t.Context())
		require.NoError(t, err)
		rows := outcomeRows(t, j.output)
		require.Equal(t, []string{"created", ""}, []string{rows[0][1], rows[0][4]})
		require.Equal(t, []string{"existing", "the request existed without: PO-2, fall"}, []string{rows[1][1], rows[1][4]})
		require.Equal(t, []string{"2", "3"}, []string{rows[0][6], rows[1][6]})
		require.Len(t, service.Requests(), 1)
	})
}

// A row with a type or SCAC that cannot be sent fails alone, and is tried again once it is
// corrected.
func TestJob_RowsThatCannotBeSent(t *testing.T) {
	testJob(t, "number,type,scac\nMAEU100,sea waybill,MAEU\nMAEU200,container,MAERSK\nMAEU300,bill_of_lading,MAEU\n",
		func(t *testing.T, _ *terminal49test.Server, j *job) {
			counts, err := j.run(t.Context())
			require.NoError(t, err)
			require.Equal(t, terminal49.TrackProgress{Created: 1, Invalid: 2}, counts)
			rows := outcomeRows(t, j.output)
			require.Contains(t, rows[0][4], "RequestType must be")
			require.Contains(t, rows[1][4], "SCAC must be")
			corrected := "number,type,scac\nMAEU100,bill of lading,maeu\nMAEU200,bill of lading, Maeu\nMAEU300,bill_of_lading,MAEU\n"
			require.NoError(t, os.WriteFile(j.input, []byte(corrected), 0o600))
			counts, err = j.run(t.Context())
			require.NoError(t, err)
			require.Equal(t, terminal49.TrackProgress{Created: 2, Skipped: 1}, counts)
		})
}

func TestRun_Sample(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "")
	output := filepath.Join(t.TempDir(), "outcomes.csv")
	require.NoError(t, run(t.Context(), []string{"-column", "number", "-out", output, "sample.csv"}))
	require.Equal(t, map[string][]string{
		"MAEU240711301": {"created", "existing"}, "HLCU240655872": {"created"}, "MSKU7182047": {"created"},
		"MSKU7182048": {"invalid"}, "SHA7781234": {"needs_confirmation"}, "ONEY240655999": {"created"},
		"99887766": {"needs_confirmation"}, "EGLV240803500": {"created"}, "COSU240377001": {"created"},
		`'=HYPERLINK("https://example.com","click")`: {"invalid"},
	}, results(t, output))
	for _, row := range outcomeRows(t, output) {
		if row[6] == "9" {
			require.Equal(t, "the request existed without: PO-20124", row[4])
		}
	}
	require.Error(t, run(t.Context(), nil))
	require.Error(t, run(t.Context(), []string{"-no-such-flag"}))
	require.NoError(t, run(t.Context(), []string{"-h"}))
}
