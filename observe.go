package terminal49

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// CallInfo names the operation that a request belongs to, in words that are safe to log and few enough for a metric
// label.
type CallInfo struct {
	Op      string // operation, such as "shipments.get"
	Route   string // route template, such as "/shipments/{id}"
	Bucket  Bucket // rate limit bucket
	Attempt int    // 1 for the first
}

// CallFromContext tells middleware which call the request with this context belongs to.
func CallFromContext(ctx context.Context) (CallInfo, bool) {
	info, ok := transport.InfoFromContext(ctx)
	return callInfo(info), ok
}

func callInfo(i transport.Info) CallInfo { return CallInfo{i.Op, i.Route, Bucket(i.Bucket), i.Attempt} }

// Hooks are called as calls go, on the goroutine of the call; any may be nil. What they get holds no URL, no header
// and no token. They must be quick and safe for concurrent use.
type Hooks struct {
	OnAttempt       func(context.Context, Attempt)       // a request was answered, or failed
	OnRetry         func(context.Context, Retry)         // a call waits before its next attempt
	OnDecodeWarning func(context.Context, DecodeWarning) // part of an answer could not be understood
}

// Attempt is one request that is over.
type Attempt struct {
	CallInfo
	Method      string
	Status      int           // 0 if no header arrived
	Duration    time.Duration // from sending to the last byte of the answer
	LimiterWait time.Duration // what it waited for the rate limit before
	Bytes       int           // length of the answer's body
	Err         error         // nil if there was an answer, whatever its status
}

// Retry is a wait between two attempts of a call.
type Retry struct {
	CallInfo // of the attempt that failed
	Method   string
	Status   int // the answer that is retried; 0 if Err says why
	Err      error
	Wait     time.Duration // before the next attempt
}

// logged makes decode warnings go to l too. The value and the resource's id are not logged.
func (h Hooks) logged(l *slog.Logger) Hooks {
	if l == nil {
		return h
	}
	hook := h.OnDecodeWarning
	h.OnDecodeWarning = func(ctx context.Context, w DecodeWarning) {
		if hook != nil {
			hook(ctx, w)
		}
		l.LogAttrs(ctx, slog.LevelWarn, "terminal49 decode", slog.String("op", w.Op), slog.String("type", w.ResourceType),
			slog.String("field", w.Field), slog.String("problem", w.Problem))
	}
	return h
}

// observer joins logger and hooks; it is nil if there is nobody to tell.
func observer(l *slog.Logger, h Hooks) transport.Observer {
	if l == nil && h.OnAttempt == nil && h.OnRetry == nil {
		return nil
	}
	if l == nil {
		l = slog.New(slog.DiscardHandler)
	}
	return &watch{l, h}
}

type watch struct {
	log   *slog.Logger
	hooks Hooks
}

func (w *watch) Done(ctx context.Context, a transport.Exchange) {
	if w.hooks.OnAttempt != nil {
		w.hooks.OnAttempt(ctx, Attempt{callInfo(a.Info), a.Method, a.Status, a.Duration, a.LimiterWait, a.Bytes, a.Err})
	}
	w.log.LogAttrs(ctx, slog.LevelDebug, "terminal49 request", attrs(a.Info, a.Method, a.Status, a.Err,
		slog.Duration("duration", a.Duration), slog.Duration("limiter_wait", a.LimiterWait), slog.Int("bytes", a.Bytes))...)
}

func (w *watch) Retry(ctx context.Context, r transport.Retry) {
	if w.hooks.OnRetry != nil {
		w.hooks.OnRetry(ctx, Retry{callInfo(r.Info), r.Method, r.Status, r.Err, r.Wait})
	}
	w.log.LogAttrs(ctx, slog.LevelWarn, "terminal49 retry", attrs(r.Info, r.Method, r.Status, r.Err, slog.Duration("wait", r.Wait))...)
}

// attrs is the list of what may be logged of a request.
func attrs(i transport.Info, method string, status int, err error, more ...slog.Attr) []slog.Attr {
	list := append([]slog.Attr{
		slog.String("op", i.Op), slog.String("method", method), slog.String("route", i.Route),
		slog.Int("attempt", i.Attempt), slog.Int("status", status),
	}, more...)
	if err != nil {
		list = append(list, slog.String("error", printable(err.Error())))
	}
	return list
}
