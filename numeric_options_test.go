package terminal49_test

// These tests are about numeric options at their ends: what is natural works, and the rest is an
// *ArgumentError before anything is sent.

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const year = 365 * 24 * time.Hour

// The ends of integers and durations, and of floats.
var intEnds = map[string]int64{
	"0": 0, "1": 1, "-1": -1, "year": int64(year), "max": math.MaxInt, "min": math.MinInt,
}

var floatEnds = map[string]float64{
	"0": 0, "1": 1, "-1": -1, "tiny": math.SmallestNonzeroFloat64, "max": math.MaxFloat64, "min": -math.MaxFloat64,
	"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(),
}

// endsRow names the ends that are refused; all others must work.
type endsRow struct {
	refused string // names of ends, or "all" or "none"
	ints    func(n int64) (sent int, err error)
	floats  func(f float64) (sent int, err error)
}

func answered(opts ...terminal49.Option) (client *terminal49.Client, sent *int, err error) {
	sent = new(int)
	client, err = terminal49.New(testkit.Token, append([]terminal49.Option{
		terminal49.WithBaseURL(testkit.Base), terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(
			func(req *http.Request) (*http.Response, error) {
				*sent++
				body := testkit.SomeShipment
				if strings.Contains(req.URL.Path, "tracking_requests/") {
					body = testkit.OneRequest
				}
				if strings.Contains(req.URL.Path, "documents/") {
					body = `{"data":{"id":"` + testkit.DocumentID + `","type":"document"}}`
				}
				if strings.Contains(req.URL.Path, "containers/") {
					body = `{"data":{"id":"` + testkit.ContainerID + `","type":"container"}}`
				}
				if strings.HasSuffix(req.URL.Path, "containers") {
					body = `{"data":[]}`
				}
				return testkit.Answer(http.StatusOK, body)(req)
			})}),
	}, opts...)...)
	return client, sent, err
}

// listing lists shipments with an option of the client.
func listing(option func(n int64) terminal49.Option) func(int64) (int, error) {
	return func(n int64) (int, error) {
		client, sent, err := answered(option(n))
		if err != nil {
			return 0, err
		}
		_, err = client.Shipments.List(context.Background(), nil)
		return *sent, err
	}
}

// with makes a call with params.
func with(call func(ctx context.Context, c *terminal49.Client, n int64) error) func(int64) (int, error) {
	return func(n int64) (int, error) {
		client, sent, err := answered(terminal49.WithoutRateLimits())
		if err != nil {
			return 0, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Nanosecond)
		defer cancel()
		err = call(ctx, client, n)
		if ctx.Err() != nil { // it polled until then
			err = nil
		}
		return *sent, err
	}
}

func pure(f func(n int64)) func(int64) (int, error) {
	return func(n int64) (int, error) { f(n); return 1, nil }
}

func limit(set func(l *terminal49.RateLimits, n int)) func(int64) (int, error) {
	return listing(func(n int64) terminal49.Option {
		var l terminal49.RateLimits
		set(&l, int(n))
		return terminal49.WithRateLimits(l)
	})
}

func retry(set func(p *terminal49.RetryPolicy, n int64)) func(int64) (int, error) {
	return listing(func(n int64) terminal49.Option {
		p := terminal49.RetryPolicy{MaxBackoff: math.MaxInt64}
		set(&p, n)
		return terminal49.WithRetryPolicy(p)
	})
}

// numericOptions has a row for each numeric option. The wanted results are those of the doc
// comments; limits above 10,000 are refused.
func numericOptions() map[string]endsRow {
	wait := func(set func(p *terminal49.WaitParams, d time.Duration)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.WaitParams
			set(&p, time.Duration(n))
			for o := range c.TrackingRequests.WaitAll(ctx, []string{testkit.RequestID}, &p) {
				if o.Err != nil {
					return o.Err
				}
			}
			return testkit.First(c.TrackingRequests.Wait(ctx, testkit.RequestID, &p))
		})
	}
	documents := func(set func(p *terminal49.DocumentWaitParams, d time.Duration)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.DocumentWaitParams
			set(&p, time.Duration(n))
			return testkit.First(c.Documents.WaitExtracted(ctx, testkit.DocumentID, &p))
		})
	}
	watch := func(set func(p *terminal49.ContainerWatchParams, d time.Duration)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.ContainerWatchParams
			set(&p, time.Duration(n))
			return testkit.First(testkit.Drain(c.Containers.Watch(ctx, testkit.ContainerID, &p)))
		})
	}
	list := func(set func(p *terminal49.PageParams, n int)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.ShipmentListParams
			set(&p.PageParams, int(n))
			return testkit.First(c.Shipments.List(ctx, &p))
		})
	}
	coordinates := func(set func(*terminal49.Coordinates, float64)) func(float64) (int, error) {
		return func(f float64) (int, error) {
			return with(func(ctx context.Context, c *terminal49.Client, _ int64) error {
				var at terminal49.Coordinates
				set(&at, f)
				return testkit.First(c.Vessels.FuturePositionsFrom(ctx, testkit.VesselID, terminal49.VesselLeg{NextPortID: testkit.OtherPortID, PreviousPortID: testkit.PortID}, at))
			})(0)
		}
	}
	assess := func(set func(o *terminal49.VerdictOptions, n int64)) func(int64) (int, error) {
		return pure(func(n int64) {
			var o terminal49.VerdictOptions
			set(&o, n)
			terminal49.Assess(&terminal49.Container{}, time.Unix(0, 0), o)
		})
	}
	return map[string]endsRow{
		"RateLimits.Default": {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Default = n })},
		"RateLimits.Create":  {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Create = n })},
		"RateLimits.Infer":   {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Infer = n })},
		"RateLimits.Refresh": {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Refresh = n })},
		"RateLimits.Burst":   {refused: "-1 min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Burst = n })},
		"RateLimits.PerSecond": {refused: "-1 tiny min inf -inf nan", floats: func(f float64) (int, error) {
			return listing(func(int64) terminal49.Option { return terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: f}) })(0)
		}},
		"WithRateLimitShare(part)": {refused: "0 -1 max min inf -inf nan", floats: func(f float64) (int, error) {
			return listing(func(int64) terminal49.Option { return terminal49.WithRateLimitShare(f) })(0)
		}},
		"WithMaxAttempts(n)":         {refused: "0 -1 min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithMaxAttempts(int(n)) })},
		"WithMaxResponseBytes(n)":    {refused: "0 -1 min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithMaxResponseBytes(n) })},
		"WithPrefetch(n)":            {refused: "0 -1 year max min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithPrefetch(int(n)) })},
		"WithAttemptTimeout(d)":      {refused: "0 -1 min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithAttemptTimeout(time.Duration(n)) })},
		"RetryPolicy.MaxAttempts":    {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MaxAttempts = int(n) })},
		"RetryPolicy.MinBackoff":     {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MinBackoff = time.Duration(n) })},
		"RetryPolicy.MaxBackoff":     {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MinBackoff, p.MaxBackoff = 1, time.Duration(n) })},
		"RetryPolicy.MaxRetryAfter":  {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MaxRetryAfter = time.Duration(n) })},
		"RetryPolicy.AttemptTimeout": {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.AttemptTimeout = time.Duration(n) })},
		"PageParams.PageNumber":      {refused: "-1 min", ints: list(func(p *terminal49.PageParams, n int) { p.PageNumber = n })},
		"PageParams.PageSize":        {refused: "-1 year max min", ints: list(func(p *terminal49.PageParams, n int) { p.PageSize = n })},
		"TrackAllParams.Concurrency": {refused: "-1 year max min", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			for o := range c.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack("MSCU6639871"), &terminal49.TrackAllParams{Concurrency: int(n)}) {
				if o.Err != nil {
					return o.Err
				}
			}
			return nil
		})},
		"WaitParams.MinInterval":           {refused: "-1 min", ints: wait(func(p *terminal49.WaitParams, d time.Duration) { p.MinInterval = d })},
		"WaitParams.MaxInterval":           {refused: "-1 min", ints: wait(func(p *terminal49.WaitParams, d time.Duration) { p.MaxInterval = d })},
		"DocumentWaitParams.MinInterval":   {refused: "-1 min", ints: documents(func(p *terminal49.DocumentWaitParams, d time.Duration) { p.MinInterval = d })},
		"DocumentWaitParams.MaxInterval":   {refused: "-1 min", ints: documents(func(p *terminal49.DocumentWaitParams, d time.Duration) { p.MaxInterval = d })},
		"ContainerWatchParams.MinInterval": {refused: "-1 min", ints: watch(func(p *terminal49.ContainerWatchParams, d time.Duration) { p.MinInterval = d })},
		"ContainerWatchParams.MaxInterval": {refused: "-1 min", ints: watch(func(p *terminal49.ContainerWatchParams, d time.Duration) { p.MaxInterval = d })},
		"ContainerWatchAllParams.Interval": {refused: "-1 min", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			return testkit.First(testkit.Drain(c.Containers.WatchAll(ctx, &terminal49.ContainerWatchAllParams{Interval: time.Duration(n)})))
		})},
		"DocumentsService.Rotate(degrees)": {refused: "all", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			return c.Documents.Rotate(ctx, testkit.DocumentID, int(n))
		})},
		"CustomFieldOptionCreate.Position": {refused: "none", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			_, err := c.CustomFieldOptions.Create(ctx, testkit.DefinitionID, terminal49.CustomFieldOptionCreate{Label: "a", Value: "a", Position: terminal49.Some(int(n))})
			return err
		})},
		"CustomFieldOptionUpdate.Position": {refused: "none", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			_, err := c.CustomFieldOptions.Update(ctx, testkit.DefinitionID, testkit.OptionID, terminal49.CustomFieldOptionUpdate{Position: terminal49.Some(int(n))})
			return err
		})},
		"Coordinates.Latitude":  {refused: "max min inf -inf nan", floats: coordinates(func(c *terminal49.Coordinates, f float64) { c.Latitude = f })},
		"Coordinates.Longitude": {refused: "max min inf -inf nan", floats: coordinates(func(c *terminal49.Coordinates, f float64) { c.Longitude = f })},
		"MapLine.Unwrap(near)": {refused: "none", floats: func(f float64) (int, error) {
			line := terminal49.MapLine{{Longitude: 179}, {Longitude: -179}}
			line.Unwrap(f)
			return 1, nil
		}},
		"VerdictOptions.MaxAge":         {refused: "none", ints: assess(func(o *terminal49.VerdictOptions, n int64) { o.MaxAge = time.Duration(n) })},
		"VerdictOptions.DeadlineMaxAge": {refused: "none", ints: assess(func(o *terminal49.VerdictOptions, n int64) { o.DeadlineMaxAge = time.Duration(n) })},
		"VerdictOptions.ImminentDays":   {refused: "none", ints: assess(func(o *terminal49.VerdictOptions, n int64) { o.ImminentDays = terminal49.Some(int(n)) })},
		"Readiness.CanPickUp(maxAge)": {refused: "none", ints: pure(func(n int64) {
			terminal49.Readiness{}.CanPickUp(time.Unix(0, 0), time.Duration(n))
		})},
	}
}

// TestNumericOptions_AtTheirEnds tries every row. A value that works may fail otherwise, for
// example because one nanosecond is too short for a response.
func TestNumericOptions_AtTheirEnds(t *testing.T) {
	for name, row := range numericOptions() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				check := func(end string, sent int, err error) {
					if row.refused != "all" && !slices.Contains(strings.Fields(row.refused), end) {
						require.NotZero(t, sent, "%s works, but: %v", end, err)
						return
					}
					var argument *terminal49.ArgumentError
					require.ErrorAs(t, err, &argument, end)
					require.Zero(t, sent, end)
				}
				for end, n := range intEnds {
					if row.ints != nil {
						sent, err := row.ints(n)
						check(end, sent, err)
					}
				}
				for end, f := range floatEnds {
					if row.floats != nil {
						sent, err := row.floats(f)
						check(end, sent, err)
					}
				}
			})
		})
	}
}

// A numeric option without a row fails. Options are the numeric fields of exported structs whose
// names end like those of arguments, and the numeric arguments of exported functions and methods.
func TestNumericOptions_EachHasARow(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	rows, found := numericOptions(), 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			for _, name := range numericNames(n) {
				found++
				require.Contains(t, rows, name, "a numeric option needs a row in numericOptions")
			}
			return true
		})
	}
	require.Equal(t, len(rows), found, "no row is out of date")
}

var argumentTypes = []string{"Params", "Create", "Update", "Limits", "Policy", "Options", "Filter", "Coordinates", "File"}

func numericNames(n ast.Node) (names []string) {
	switch n := n.(type) {
	case *ast.TypeSpec:
		s, isStruct := n.Type.(*ast.StructType)
		is := func(end string) bool { return strings.HasSuffix(n.Name.Name, end) }
		if isStruct && n.Name.IsExported() && slices.ContainsFunc(argumentTypes, is) {
			names = numericIn(n.Name.Name+".", s.Fields, "")
		}
	case *ast.FuncDecl:
		owner := ""
		if n.Recv != nil {
			owner = strings.TrimLeft(typeName(n.Recv.List[0].Type), "*") + "."
		}
		if n.Name.IsExported() && ast.IsExported(strings.TrimSuffix(owner, ".")+"X") {
			names = numericIn(owner+n.Name.Name+"(", n.Type.Params, ")")
		}
	}
	return names
}

func numericIn(before string, fields *ast.FieldList, after string) (names []string) {
	for _, f := range fields.List {
		switch typeName(f.Type) {
		case "int", "int64", "float64", "Duration", "Opt[int]", "Opt[float64]", "Opt[Duration]":
			for _, name := range f.Names {
				names = append(names, before+name.Name+after)
			}
		}
	}
	return names
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X) + "[" + typeName(e.Index) + "]"
	}
	return ""
}
