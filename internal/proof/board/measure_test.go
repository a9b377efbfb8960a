package board

import (
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// The measures of the board. They assert nothing:
//
//	MEASURE=1 go test -v -run Measure -timeout 1h .

func measured(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("set MEASURE=1")
	}
}

func figure(t *testing.T, what string, value any) {
	t.Helper()
	t.Logf("figure: %s: %v", what, value)
}

// TestMeasure_List measures the page of the list with 5,000 containers.
func TestMeasure_List(t *testing.T) {
	measured(t)
	site := start(t, "--speed", "0", "--shipments", "2050")
	b := open(t, site)
	b.visit("/")
	figure(t, "list", eval[string](b, `document.getElementById("caption").textContent`))
	b.measureHTML()
	b.measureLoads()
	b.measureFrames("scrolling")
	post(t, site, "3600")
	b.measureFrames("scrolling while an hour passes each second")
	post(t, site, "0")
}

// measureHTML measures the size of the page.
func (b *tab) measureHTML() {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, b.site+"/", nil)
	require.NoError(b, err)
	r.Header.Set("Accept-Encoding", "gzip")
	resp, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b, err)
	defer resp.Body.Close()
	packed := &counter{from: resp.Body}
	plain, err := gzip.NewReader(packed)
	require.NoError(b, err)
	text, err := io.ReadAll(plain)
	require.NoError(b, err)
	figure(b.T, "HTML, bytes, with gzip", fmt.Sprint(len(text), ", ", packed.n))
	figure(b.T, "elements, all nodes", eval[string](b, `document.querySelectorAll("*").length + ", " +
		(() => { let n = 0; const w = document.createNodeIterator(document); while (w.nextNode()) n++; return n; })()`))
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// counter counts the bytes that are read.
type counter struct {
	from io.Reader
	n    int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}

// measureLoads measures loads of the page.
func (b *tab) measureLoads() {
	b.Helper()
	var loads, paints []float64
	for range 10 {
		b.visit("/")
		b.eventually(`performance.getEntriesByName("first-contentful-paint").length && performance.getEntriesByType("navigation")[0].loadEventEnd`)
		loads = append(loads, eval[float64](b, `performance.getEntriesByType("navigation")[0].loadEventEnd`))
		paints = append(paints, eval[float64](b, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
	}
	figure(b.T, "load, ms, median and worst of 10", middle(loads))
	figure(b.T, "first paint, ms, median and worst of 10", middle(paints))
}

func middle[V float64 | time.Duration](values []V) string {
	slices.Sort(values)
	return fmt.Sprint(values[len(values)/2], ", ", values[len(values)-1])
}

// measureFrames measures the time between frames for five seconds, while the page is scrolled.
func (b *tab) measureFrames(how string) {
	b.Helper()
	b.do(`window.frames49 = []; { let last = performance.now(), end = last + 5000, y = 0; const step = (now) => {
		window.frames49.push(now - last); last = now; scrollTo(0, y = (y + 40) % document.body.scrollHeight);
		if (now < end) requestAnimationFrame(step); else window.framesDone = true; };
		window.framesDone = false; requestAnimationFrame(step); }`)
	b.eventually(`window.framesDone`)
	figure(b.T, "frame, ms, p50 p95 max, "+how, eval[string](b, `(() => { const f = window.frames49.slice(1).sort((a, b) => a - b);
		return [0.5, 0.95, 1].map(p => f[Math.min(f.length - 1, Math.floor(f.length * p))].toFixed(1)).join(" ") + " of " + f.length; })()`))
}

// TestMeasure_Mirror measures a board on a mirror of 100,000 containers: how long it takes until it
// has read all, a load of the page, and the time from a row of the database to the screen.
func TestMeasure_Mirror(t *testing.T) {
	measured(t)
	t.Run("SQLite", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "mirror.db")
		db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate")
		require.NoError(t, err)
		measureMirror(t, db, "sqlite:"+file)
	})
	t.Run("Postgres", func(t *testing.T) {
		url := engines.SharedPostgres(t).NewDatabase(t)
		db, err := sql.Open("pgx", url)
		require.NoError(t, err)
		measureMirror(t, db, url)
	})
}

func measureMirror(t *testing.T, db *sql.DB, url string) {
	defer db.Close()
	srv := terminal49test.NewServer(terminal49test.WithSyntheticContainers(100_000), terminal49test.WithoutRateLimits())
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err := mirror.New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	defer func() {
		cancel()
		require.NoError(t, <-ended)
	}()
	require.Eventually(t, func() bool {
		s, err := m.Status(ctx)
		return err == nil && !s.WholeWalk.IsZero()
	}, 30*time.Minute, time.Second)

	blank := open(t, start(t, "--shipments", "0")) // so that program and browser are there
	blank.visit("/")
	blank.close()
	took := stopwatch()
	site, cmd := run(t, "--db", url)
	b := open(t, site)
	b.visit("/")
	figure(t, "first page after the start, while the mirror is read", took().Round(time.Millisecond))
	b.within(30*time.Minute, `document.getElementById("age").textContent.startsWith("The mirror heard from")`)
	figure(t, "all read after", took().Round(time.Millisecond))
	figure(t, "list", eval[string](b, `document.getElementById("caption").textContent`))
	figure(t, "memory, now and at most", regexp.MustCompile(`Vm(?:RSS|HWM):\s+\d+ kB`).FindAllString(proc(t, cmd, "status"), -1))
	b.measureLoads()
	b.measureHTML()

	id := eval[string](b, `document.querySelector("#board tbody tr").id.slice(2)`)
	var times []time.Duration
	for i := range 20 {
		seal := fmt.Sprintf("SEAL%d", i)
		require.True(t, srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = seal }))
		_, err := m.Repair(ctx, mirror.Ref{Type: "container", ID: id})
		require.NoError(t, err)
		took := stopwatch()
		b.until(fmt.Sprintf(`document.querySelector("#board tbody").textContent.includes("seal %s")`, seal))
		times = append(times, took())
		rest(time.Duration(i*37) * time.Millisecond)
	}
	figure(t, "from a row to the screen, median and worst of 20", middle(times))
	cpu := processTime(t, cmd)
	rest(30 * time.Second)
	figure(t, "CPU time in 30 s without a change, one page open", processTime(t, cmd)-cpu)
}

// TestMeasure_Words measures how long it takes until an open page says in words what is wrong.
func TestMeasure_Words(t *testing.T) {
	measured(t)
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	site, cmd := run(t, "--account", "T49_API_TOKEN="+srv.Token, "T49_API_BASE_URL="+srv.URL)
	b := open(t, site)
	b.visit("/")
	b.until(`document.getElementById("age").textContent.startsWith("The whole list was read")`)
	for i, c := range []struct {
		what  string
		fault terminal49test.Fault
		words string
	}{
		{"the token is revoked", terminal49test.Fault{Status: 401, Times: -1}, "Terminal49 refuses the token"},
		{"the service fails", terminal49test.Fault{Status: 503, Times: -1}, "Terminal49 answers with an error"},
		{"the service does not answer", terminal49test.Fault{Kind: terminal49test.FaultStallHeaders, Times: -1}, "Terminal49 does not answer"},
		{"the service refuses connections", terminal49test.Fault{Kind: terminal49test.FaultRefuse, Times: -1}, "Terminal49 does not answer"},
	} {
		rest(time.Duration(i) * 1300 * time.Millisecond) // at another moment between two questions
		took := stopwatch()
		srv.AddFault(c.fault)
		b.until(`document.getElementById("problem").textContent.startsWith("` + c.words + `")`)
		figure(t, c.what+", until the page says so", took().Round(10*time.Millisecond))
		srv.ClearFaults()
		took = stopwatch()
		b.until(`document.getElementById("problem").textContent === ""`)
		figure(t, "it is well again, until the page says so", took().Round(10*time.Millisecond))
	}
	took := stopwatch()
	require.NoError(t, cmd.Process.Kill())
	b.until(`document.getElementById("lost").textContent.startsWith("The board does not answer since")`)
	figure(t, "the board is killed, until the page says so", took().Round(10*time.Millisecond))
	require.Error(t, cmd.Wait())
}

// until waits for a JavaScript expression, and looks before each frame.
func (b *tab) until(expression string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
	require.NoError(b, err, expression)
}
