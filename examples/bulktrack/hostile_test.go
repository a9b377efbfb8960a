package main

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Anyone may have written the input, and the outcomes are opened in a spreadsheet.

func TestCell_HiddenFormulas(t *testing.T) {
	for text, want := range map[string]string{
		" =1": "' =1", "\u00a0=1": "'\u00a0=1", "\u200b=1": "' =1", "\ufeff=1": "' =1", `"=1`: `'"=1`, ` " =1`: `' " =1`,
		"\x00=1": "' =1", "\x1b[2J": "' [2J", "a\x1b[2Jb": "a [2Jb", "\v-1": "' -1", "a\u0085b": "a b", "\x00": "' ", "'": "''", " '": "' '",
		" a": " a", "1-2": "1-2", "\u202e=1": "' =1",
		"a\u202eb\u2028\u00ad\U000e0041\ue000": "a b    ",
	} {
		require.Equal(t, want, cell(text), "%q", text)
	}
}

// Programs write CSV with a byte order mark, with all cells quoted, with other line ends, with rows
// of different lengths, and with repeated numbers.
func TestInput_CSVVariants(t *testing.T) {
	for name, input := range map[string]string{
		"plain":       "number\nMAEU000001\nMAEU000002\n",
		"with a mark": "\ufeffnumber\nMAEU000001\nMAEU000002\n",
		// Spreadsheets for the Macintosh write "CSV (Macintosh)" with CR, RFC 4180 requires CR LF.
		"CR line ends":           "number,note\rMAEU000001,a\rMAEU000002,b\r",
		"CR without a last one":  "\ufeffnumber\rMAEU000001\rMAEU000002",
		"line ends of all kinds": "number\r\nMAEU000001\r\r\nMAEU000002\n",
		"CR in a cell":           "number,note\r\nMAEU000001,\"a\rb\"\r\nMAEU000002,\"a\r\nb\"\r\n",
		"a mark and quotes":      "\ufeff\"number\",\"reference\"\r\n\"MAEU000001\",\"a,b\"\r\n\"MAEU000002\",\"\"\r\n",
		"no line end at the end": "number\r\nMAEU000001\r\nMAEU000002",
		"lines within cells":     "number,note\n\"MAEU000001\n\",\"two\nlines\"\n\" MAEU000002 \",\"a \"\"quote\"\"\"\n",
		"rows of all lengths":    "number,a,b\nMAEU000001\n\nMAEU000002,1,2,3,4\n",
		"the same twice":         "number\nMAEU000001\nMAEU000001\nMAEU000002\nMAEU000001\n",
	} {
		t.Run(name, func(t *testing.T) {
			testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
				j.column = " Number "
				_, err := j.run(t.Context())
				require.NoError(t, err)
				found := results(t, j.output)
				require.Len(t, found, 2)
				require.Equal(t, "created", found["MAEU000001"][0])
				require.Equal(t, "created", found["MAEU000002"][0])
				require.Equal(t, 2, created(service))
			})
		})
	}
}

func TestInput_NotText(t *testing.T) {
	for name, input := range map[string]string{
		"UTF-16":      "n\x00u\x00m\x00\n\x00M\x00A\x00E\x00U\x00",
		"NUL":         "number\nMAEU000001\nMAEU\x00000002\n",
		"other bytes": "number\nMAEU000001\nM\xc4RSK\n",
	} {
		t.Run(name, func(t *testing.T) {
			testJob(t, input, func(t *testing.T, service *terminal49test.Server, j *job) {
				_, err := j.run(t.Context())
				require.ErrorContains(t, err, "save the file as CSV in UTF-8")
				require.Empty(t, service.Requests(), "nothing is created if any line is invalid")
				_, err = os.Stat(j.output)
				require.ErrorIs(t, err, os.ErrNotExist)
			})
		})
	}
}

// A cell that cannot be a number is not sent.
func TestInput_LineOfTenMegabytes(t *testing.T) {
	testJob(t, "number\nMAEU000001\n"+strings.Repeat("A", 10<<20)+"\nMAEU000002\n", func(t *testing.T, service *terminal49test.Server, j *job) {
		_, err := j.run(t.Context())
		require.ErrorContains(t, err, "line 3 has 10485760 bytes in one cell")
		require.Less(t, len(err.Error()), 500)
		require.Empty(t, service.Requests())
	})
}

// Texts from the service are untrusted too.
func TestOutcomes_HostileService(t *testing.T) {
	testJob(t, "number\nMAEU000001\n", func(t *testing.T, service *terminal49test.Server, j *job) {
		service.Script("MAEU000001", terminal49test.Journey{Inference: &terminal49test.Inference{
			SCAC: "=HYP", Confidence: 0.8, OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "@;\"\n", Confidence: 0.7}},
		}})
		_, err := j.run(t.Context())
		require.NoError(t, err)
		o, err := openOutcomes(j.output, j.service)
		require.NoError(t, err)
		require.NoError(t, o.write(row{}, terminal49.TrackOutcome{
			Number: "=1", Result: "=2", Reason: "=3", Request: &terminal49.TrackingRequest{SCAC: "\x1b=4", Resource: terminal49.Resource{ID: "+5\n=6"}},
		}))
		require.NoError(t, o.close())
		whole, err := os.ReadFile(j.output)
		require.NoError(t, err)
		require.Equal(t, 3, strings.Count(string(whole), "\n"))
		require.NotContains(t, string(whole), ";")
		for line := range strings.Lines(string(whole)) {
			require.Regexp(t, `^("([^"=+@\x00-\x1f＝-]([^"\x00-\x1f]|"")*)?",?){7}\n$`, line, "no field begins a formula or holds a control character")
		}
	})
}

// The longest texts of the service make no line that the next run cannot read.
func TestOutcomes_LongTextsAreCut(t *testing.T) {
	testJob(t, "number\nMAEU000001\n", func(t *testing.T, _ *terminal49test.Server, j *job) {
		j.service = "https://example.com/a;b" // a semicolon is replaced
		for _, text := range []string{`"`, "\xff", "ü", "a"} {
			long := strings.Repeat(text, 2<<20)
			o, err := openOutcomes(j.output, j.service)
			require.NoError(t, err)
			require.NoError(t, o.write(row{}, terminal49.TrackOutcome{
				Number: "MAEU000001", Result: terminal49.TrackResultNeedsConfirmation, Candidates: []terminal49.CarrierCandidate{{SCAC: long}},
				Request: &terminal49.TrackingRequest{SCAC: long, Resource: terminal49.Resource{ID: long}},
			}))
			require.NoError(t, o.close())
			counts, err := j.run(t.Context())
			require.NoError(t, err, "%q", text)
			require.Equal(t, terminal49.TrackProgress{Skipped: 1}, counts)
		}
		whole, err := os.ReadFile(j.output)
		require.NoError(t, err)
		for line := range strings.Lines(string(whole)) {
			require.Less(t, len(line), longestLine)
		}
	})
}

// Only one row is held in memory, and that is limited.
func TestInput_RowOfThreeHundredMegabytes(t *testing.T) {
	for _, start := range []string{"number\nMAEU000001\n", "number\n\"", ""} {
		testJob(t, start, func(t *testing.T, service *terminal49test.Server, j *job) {
			require.NoError(t, os.Truncate(j.input, 300<<20)) // the rest reads as zeros
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := j.run(t.Context())
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, "a row has more than 16 MiB")
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(200<<20))
			require.Empty(t, service.Requests())
		})
	}
}

func TestJob_RefusesFilesThatAreNotRegular(t *testing.T) {
	for _, path := range []string{os.DevNull, "/dev/zero", t.TempDir()} {
		if _, err := os.Stat(path); err != nil {
			t.Logf("left out: %v", err) // on Windows
			continue
		}
		testJob(t, "number\nMAEU000001\n", func(t *testing.T, service *terminal49test.Server, j *job) {
			j.output = path
			_, err := j.run(t.Context())
			require.ErrorContains(t, err, path+": must be a regular file")
			j.input, j.output = path, j.input
			_, err = j.run(t.Context())
			require.ErrorContains(t, err, path+": must be a regular file")
			require.Empty(t, service.Requests())
		})
	}
}

func TestOutcomes_FileWithoutLines(t *testing.T) {
	testJob(t, "number\nMAEU000001\n", func(t *testing.T, _ *terminal49test.Server, j *job) {
		require.NoError(t, os.WriteFile(j.output, []byte(quoted(header())), 0o600))
		require.NoError(t, os.Truncate(j.output, 300<<20))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := j.run(t.Context())
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, "is not a file of outcomes")
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20<<20))
	})
}

// Two runs at once over one output would create the same numbers twice.
func TestOutcomes_OneProcessAtATime(t *testing.T) {
	testJob(t, "number\nMAEU000001\n", func(t *testing.T, service *terminal49test.Server, j *job) {
		first, err := openOutcomes(j.output, j.service)
		require.NoError(t, err)
		_, err = j.run(t.Context())
		require.ErrorContains(t, err, j.output+": another bulktrack is writing to it")
		require.Empty(t, service.Requests())
		require.NoError(t, first.close())
		_, err = j.run(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, created(service))
	})
}
