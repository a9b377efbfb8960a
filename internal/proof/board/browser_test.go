package board

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// shared is what all tests use: the program and the browser. Each test has a board and a tab of its
// own.
var shared struct {
	folder  string
	binary  func() (string, error)
	browser func() (context.Context, error)
	end     func() // ends the browser, if it was started
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(sharedTests{m}) }

// sharedTests are the tests between the start and the end of what they share.
type sharedTests struct{ *testing.M }

// Run runs the tests.
func (t sharedTests) Run() int {
	shared.folder, _ = os.MkdirTemp("", "board") // a failure is that of the build
	defer os.RemoveAll(shared.folder)            //nolint:errcheck // it is the system's folder for temporary files
	shared.binary, shared.browser, shared.end = sync.OnceValues(build), sync.OnceValues(browse), func() {}
	defer func() { shared.end() }()
	return t.M.Run()
}

func browse() (context.Context, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 900),
		chromedp.WSURLReadTimeout(patience))
	all, cancelAll := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(all)
	shared.end = func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		cancelAll()
	}
	return ctx, chromedp.Do(ctx)
}

// start runs a board on a simulated account, and returns its address once it has read all.
func start(t *testing.T, args ...string) string {
	t.Helper()
	site, _ := run(t, append([]string{"--demo"}, args...)...)
	defer http.DefaultClient.CloseIdleConnections()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		resp, err := http.Get(site)
		require.NoError(c, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(c, errors.Join(err, resp.Body.Close()))
		require.Contains(c, string(text), "The whole list was read")
	}, patience, 20*time.Millisecond)
	return site
}

// needChromium skips a test that has no browser; the Debian package is chromium.
func needChromium(t *testing.T) {
	t.Helper()
	_, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("T49_ENGINES") == "required":
		t.Fatal("the Debian package chromium is missing")
	case err != nil:
		t.Skip("the Debian package chromium is missing")
	}
}

// tab is a tab of the browser that notes what a page must not do.
type tab struct {
	*testing.T
	ctx  context.Context
	site string

	mu       sync.Mutex
	problems []string
	streams  map[network.RequestID]bool // open ones
	closed   bool                       // by the test
}

// open returns a tab that shows nothing yet.
func open(t *testing.T, site string) *tab {
	t.Helper()
	browser, err := shared.browser()
	require.NoError(t, err)
	ctx, cancelTab := chromedp.NewContext(browser)
	b := &tab{T: t, ctx: ctx, site: site, streams: map[network.RequestID]bool{}}
	t.Cleanup(func() {
		b.close()
		cancelTab()
		b.mu.Lock()
		defer b.mu.Unlock()
		require.Empty(t, b.problems)
	})
	require.NoError(t, chromedp.Listen(ctx, b.watch))
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return b
}

// close closes the tab.
func (b *tab) close() {
	if !b.closed {
		_ = chromedp.Cancel(b.ctx)
	}
	b.closed = true
}

// watch notes errors on the console and requests to other hosts.
func (b *tab) watch(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note(event)
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			b.problems = append(b.problems, "console: "+string(e.Type))
		}
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, "exception: "+e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || "http://"+u.Host != b.site {
			b.problems = append(b.problems, "request to "+e.Request.URL)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			b.problems = append(b.problems, "failed: "+e.Response.URL)
		}
	}
}

// run does steps, each in reasonable time.
func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	require.NoError(b, chromedp.Do(ctx, steps...))
}

// patience is how long something may take on a busy computer.
const patience = time.Minute

// visit opens a page.
func (b *tab) visit(path string) {
	b.Helper()
	b.run(chromedp.Navigate(b.site+path), chromedp.WaitReady("footer"))
}

// call sends a command of the protocol to the tab.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, command, params)
	require.NoError(b, err)
}

// prefer sets the colour scheme that the user prefers.
func (b *tab) prefer(scheme string) {
	b.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// do runs JavaScript.
func (b *tab) do(script string) {
	b.Helper()
	b.run(chromedp.Evaluate[chromedp.Void](script))
}

// eval returns the value of a JavaScript expression.
func eval[V any](b *tab, expression string) V {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[V](expression))
	require.NoError(b, err, expression)
	return value
}

// eventually waits until a JavaScript expression is true, also if another page is loaded meanwhile.
func (b *tab) eventually(expression string) {
	b.Helper()
	b.within(patience, expression)
}

func (b *tab) within(limit time.Duration, expression string) {
	b.Helper()
	require.Eventually(b, func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		return err == nil && is
	}, limit, 50*time.Millisecond, expression)
}

// print shows the page as it is printed.
func (b *tab) print() {
	b.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
}

// width sets the width of the page.
func (b *tab) width(pixels int64) {
	b.Helper()
	b.run(chromedp.EmulateViewport(pixels, 900))
}

func (b *tab) click(selector string) {
	b.Helper()
	b.run(chromedp.Click(selector))
}
