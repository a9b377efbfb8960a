package push

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Options configure a sender.
type Options struct {
	Name        string
	URL, Secret terminal49.Secret
	Filter      []string
	From        string // "begin", "end" or a position, for the first time
	Timeout     time.Duration
	Attempts    int
	Client      *http.Client
	Log         *slog.Logger
}

// ErrGone means that the receiver answered 410: it wants no more.
var ErrGone = errors.New("mirror: the receiver answered 410 Gone, so nothing more is sent to it")

// Sender sends the feed to a receiver.
type Sender struct {
	db     *store.Store
	opts   Options
	filter Filter
	to     *receiver
	log    *slog.Logger
}

// New returns a sender. The filter must have been checked.
func New(db *store.Store, o Options) *Sender {
	filter, _ := ParseFilter(o.Filter)
	return &Sender{db: db, opts: o, filter: filter, to: newReceiver(o), log: o.Log.With(slog.String("push", o.Name))}
}

// Run sends until ctx ends or the lease is lost. It also ends if the receiver answers 410, or if
// changes after the position are missing.
func (s *Sender) Run(ctx context.Context, l *store.Lease) error {
	for failures := 0; ctx.Err() == nil; {
		began := time.Now()
		err := s.turn(ctx, l)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrLeaseLost), errors.Is(err, store.ErrReplaced):
			return err
		case errors.Is(err, ErrGone), errors.Is(err, store.ErrPositionLost):
			return errors.Join(err, s.db.StopPush(ctx, l, s.opts.Name, err.Error()))
		case errors.Is(err, store.ErrPushMoved):
			s.log.Info("the position was set, or the database was restored; the sender goes on from the stored position")
		case err != nil:
			if time.Since(began) > time.Minute {
				failures = 0
			}
			failures++
			s.log.Error("sending failed; it is repeated", slog.Any("error", err))
			worker.Pause(ctx, plan.RetryAfter(failures, time.Minute), nil)
		}
	}
	return nil
}

// begin reads where the push is, or begins it.
func (s *Sender) begin(ctx context.Context, l *store.Lease) (store.Push, error) {
	_, known, err := s.db.Push(ctx, s.opts.Name)
	if err != nil {
		return store.Push{}, err
	}
	from := ""
	if !known {
		if from, err = Resolve(ctx, s.db, s.opts.From); err != nil {
			return store.Push{}, err
		}
	}
	p, err := s.db.StartPush(ctx, l, store.Push{
		Name: s.opts.Name, Receiver: Host(s.opts.URL), Filter: strings.Join(s.opts.Filter, ","), Position: from})
	if err == nil {
		s.logBegin(p, known)
	}
	return p, err
}

// Resolve returns the position that "begin", "end" or a position is, if the feed can be read from
// there.
func Resolve(ctx context.Context, db *store.Store, from string) (string, error) {
	switch from {
	case "end":
		return db.End(ctx)
	case "begin":
		from = ""
	}
	at, _ := model.ParsePosition(from)
	_, err := db.ChangesAfter(ctx, at, 1)
	return from, err
}

func (s *Sender) logBegin(p store.Push, known bool) {
	from := slog.String("from", p.Position)
	if p.Position == "" {
		from = slog.String("from", "begin")
	}
	if known {
		s.log.Info("sending goes on from the stored position; --from counts only for the first time", slog.String("to", p.Receiver), from)
		return
	}
	s.log.Info("sending for the first time", slog.String("to", p.Receiver), slog.String("start", s.opts.From), from)
}

func (s *Sender) source(ctx context.Context) (string, error) {
	account, err := s.db.Account(ctx)
	return Source(account), err
}
