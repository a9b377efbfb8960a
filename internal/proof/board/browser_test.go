package board

import (
	"bufio"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start builds and runs the board, and returns its address.
func start(t *testing.T, args ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "board")
	out, err := exec.Command("go", "build", "-o", binary, "github.com/go-freight/terminal49/examples/board").CombinedOutput()
	require.NoError(t, err, string(out))
	cmd := exec.Command(binary, append([]string{"-addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()} // no token: a simulated account
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, cmd.Wait(), "it ends cleanly, also while pages listen")
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

// chromium returns the browser; the Debian package is chromium.
func chromium(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("T49_ENGINES") == "required":
		t.Fatal("the Debian package chromium is missing")
	case err != nil:
		t.Skip("the Debian package chromium is missing")
	}
	return path
}

// tab is a tab of the browser that notes what a page must not do.
type tab struct {
	*testing.T
	ctx  context.Context
	site string

	mu       sync.Mutex
	problems []string
}

// open returns a tab of a browser of its own.
func open(t *testing.T, site string) *tab {
	t.Helper()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.WindowSize(1280, 900))
	all, cancelAll := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancelTab := chromedp.NewContext(all)
	b := &tab{T: t, ctx: ctx, site: site}
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancelTab()
		cancelAll()
		b.mu.Lock()
		defer b.mu.Unlock()
		require.Empty(t, b.problems)
	})
	require.NoError(t, chromedp.Listen(ctx, b.watch))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return b
}

// watch notes errors on the console and requests to other hosts.
func (b *tab) watch(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
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
const patience = 30 * time.Second

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
	require.Eventually(b, func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		return err == nil && is
	}, patience, 50*time.Millisecond, expression)
}
