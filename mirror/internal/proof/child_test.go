//go:build unix

package proof

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// order is what a child process does: it mirrors a service into a database until it is killed.
type order struct {
	Database source
	API      string // of the service
	Token    string
	Log      string // a file

	KillAt    string // the point at which the process kills itself; "" for none
	KillAfter int    // how often it passes the point before
	StopAt    string // the point at which the process stops itself, once; "" for none
	Trace     bool   // names each point to its parent, not only the first time

	Migrate       bool // the process only creates the tables, and ends
	KillStatement int  // kills itself before (odd) or after (even) a statement: 3 is before the second one; 0 for none
	StopStatement int  // likewise stops itself

	Settle, Active, Whole time.Duration // intervals of the mirror

	Clock string // a file with how far the clock is ahead, as a duration; "" if it is right
}

// run mirrors until the process ends.
func (o order) run(ctx context.Context) error {
	log, err := os.Create(o.Log)
	if err != nil {
		return err
	}
	db, err := o.open()
	if err != nil {
		return err
	}
	client, err := terminal49.New(o.Token, terminal49.WithBaseURL(o.API), terminal49.WithoutRateLimits(),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 2, MinBackoff: 10 * time.Millisecond, MaxBackoff: 100 * time.Millisecond}))
	if err != nil {
		return err
	}
	m, err := mirror.New(client, db, o.options(log)...)
	if err != nil {
		return err
	}
	if o.Migrate {
		fmt.Println("listening nowhere")
		return m.Migrate(ctx)
	}
	l, err := listen()
	if err != nil {
		return err
	}
	fmt.Printf("listening http://%s/webhook\n", l.Addr())
	go func() { panic(http.Serve(l, m.Receiver())) }()
	return m.Run(ctx)
}

func (o order) options(log io.Writer) []mirror.Option {
	text := slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})
	opts := []mirror.Option{
		mirror.WithLogger(slog.New(text)), mirror.WithWebhook(hookURL), mirror.WithSecrets(terminal49.NewSecret(hookSecret)),
		mirror.WithSettle(o.Settle), mirror.WithActiveInterval(o.Active), mirror.WithWholeInterval(o.Whole), o.reached,
	}
	if o.Database.Schema != "" {
		opts = append(opts, mirror.WithSchema(o.Database.Schema))
	}
	return opts
}

// reached is the option that calls pass at each point.
func (o order) reached(options *worker.Options) error {
	options.Reached = o.pass()
	if o.Clock != "" {
		options.Now = o.now
	}
	return nil
}

// now is a wall clock that the parent can set. Waits do not depend on it.
func (o order) now() time.Time {
	text, _ := os.ReadFile(o.Clock)
	ahead, _ := time.ParseDuration(string(text))
	return time.Now().Round(0).Add(ahead)
}

// pass returns what happens at each point: the process names it to its parent, and kills itself if
// it is the one.
func (o order) pass() func(string) {
	var mu sync.Mutex
	count := map[string]int{}
	return func(name string) {
		mu.Lock()
		defer mu.Unlock()
		count[name]++
		if count[name] == 1 || o.Trace {
			fmt.Printf("point %s\n", name)
		}
		if name == o.StopAt && count[name] == 2 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
		if name == o.KillAt && count[name] > o.KillAfter {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}
