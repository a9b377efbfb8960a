package terminal49

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// CallInfo identifies the operation that a request belongs to. Its values are safe to log, and few
// enough for metric labels.
type CallInfo struct {
	Op      string  // operation, such as "shipments.get"
	Route   string  // route template, such as "/shipments/{id}"
	Bucket  Bucket  // rate limit bucket
	Attempt int     // 1 for the first; 0 in OnCall
	Share   float64 // part of the bucket's budget, see [WithRateLimitShare]; 1 for all of it
}

// CallFromContext returns the call that a request belongs to, given the request's context. Use it
// in middleware; elsewhere it returns false.
func CallFromContext(ctx context.Context) (CallInfo, bool) {
	info, ok := transport.InfoFromContext(ctx)
	return callInfo(info), ok
}

func callInfo(i transport.Info) CallInfo {
	return CallInfo{i.Op, i.Route, Bucket(i.Bucket), i.Attempt, i.Share}
}

// Hooks are functions that are called during calls, on the goroutine of the call. Any may be nil.
// Their arguments contain no URL, no header and no token. They must return quickly and be safe for
// concurrent use. A panic reaches the caller of the method, who can recover from it. A hook may use
// the client; its calls have the same hooks.
type Hooks struct {
	// OnCall is called at the start of each call of the API, such as one page of a list; transfers of
	// files are not calls. The context that it returns is used for the call, so that a span in it is
	// the parent of the attempts; nil keeps the context. The function that it returns, unless it is
	// nil, is called with the outcome at the end.
	OnCall func(context.Context, CallInfo) (context.Context, func(CallResult))
	// OnLimiterWait is called after the rate limit made a request wait for more than a second, even
	// if the context ended before the request could be sent. The request holds its slot meanwhile.
	OnLimiterWait func(ctx context.Context, call CallInfo, wait time.Duration)

	OnAttempt func(context.Context, Attempt) // after each request, answered or failed
	OnRetry   func(context.Context, Retry)   // before the wait that precedes another attempt
	// OnDecodeWarning is called for each value that could not be decoded, up to 1,000 times for a
	// response, and once more for all others, whose number is the Problem.
	OnDecodeWarning func(context.Context, DecodeWarning)
}

// CallResult is the outcome of a call.
type CallResult struct {
	StatusCode int           // of the last response; 0 if there was none
	Attempts   int           // requests sent
	Duration   time.Duration // waits included
	Err        error         // nil for success; ErrPagination and a *FilterIgnoredError follow a successful call
}

// Attempt describes one finished request.
type Attempt struct {
	CallInfo
	Method      string
	StatusCode  int           // 0 if no header arrived
	Duration    time.Duration // from sending to the last byte of the response
	LimiterWait time.Duration // time spent waiting for the rate limit before sending
	Bytes       int           // length of the response body
	Err         error         // nil if there was a response, of any status
}

// Retry describes a wait between two attempts of a call.
type Retry struct {
	CallInfo   // of the attempt that failed
	Method     string
	StatusCode int // of the failed attempt; 0 if it had no response, see Err
	Err        error
	Wait       time.Duration // before the next attempt
}

// isOn reports whether l, which may be nil, writes records of a level. Callers check it before they
// build a record.
func isOn(ctx context.Context, l *slog.Logger, level slog.Level) bool {
	return l != nil && l.Enabled(ctx, level)
}

// logWarning logs a decode warning without the value and the resource's id.
func logWarning(ctx context.Context, l *slog.Logger, w DecodeWarning) {
	l.LogAttrs(ctx, slog.LevelWarn, "terminal49 decode", slog.String("op", w.Op), slog.String("type", printable(w.ResourceType)),
		slog.String("field", printable(w.Field)), slog.String("problem", printable(w.Problem)))
}

// callReport is a call that OnCall observes. It is nil without that hook.
type callReport struct {
	end     func(CallResult) // may be nil
	started time.Time
	own     Response
	theirs  *Response // may be nil
}

// begin calls OnCall. The caller must call end, and make the call with the context returned.
func (c *apiCall) begin(ctx context.Context) (context.Context, *callReport) {
	hook := c.client.hooks.OnCall
	if hook == nil || ctx == nil {
		return ctx, nil
	}
	r := &callReport{started: time.Now(), theirs: c.response}
	within, end := hook(ctx, CallInfo{Op: c.Name, Route: c.Path, Bucket: Bucket(c.Bucket), Share: cmp.Or(c.share, 1)})
	if within != nil {
		ctx = within
	}
	r.end, c.response = end, &r.own
	return ctx, r
}

func (r *callReport) finish(err error) {
	if r == nil {
		return
	}
	if r.theirs != nil {
		*r.theirs = r.own
	}
	if r.end != nil {
		r.end(CallResult{r.own.StatusCode, r.own.Attempts, time.Since(r.started), err})
	}
}

// longWait is the wait for the rate limit above which it is reported.
const longWait = time.Second

// reportingLimiter reports long waits.
type reportingLimiter struct {
	limiter transport.Limiter
	log     *slog.Logger // may be nil
	hook    func(context.Context, CallInfo, time.Duration)
}

func (l *reportingLimiter) Pause(bucket string, d time.Duration) { l.limiter.Pause(bucket, d) }

func (l *reportingLimiter) Acquire(ctx context.Context, bucket string) (func(), error) {
	start := time.Now()
	release, err := l.limiter.Acquire(ctx, bucket)
	if wait := time.Since(start); wait > longWait {
		reported := false
		defer func() {
			if !reported && release != nil { // hook or logger panicked
				release()
			}
		}()
		l.waited(ctx, wait)
		reported = true
	}
	return release, err
}

func (l *reportingLimiter) waited(ctx context.Context, wait time.Duration) {
	info, _ := CallFromContext(ctx)
	if l.hook != nil {
		l.hook(ctx, info, wait)
	}
	if isOn(ctx, l.log, slog.LevelInfo) {
		l.log.InfoContext(ctx, "terminal49 rate limit", "op", info.Op, "bucket", string(info.Bucket), "attempt", info.Attempt, "wait", wait)
	}
}

// observer combines logger and hooks. It is nil if there are neither.
func observer(l *slog.Logger, h Hooks) transport.Observer {
	if l == nil && h.OnAttempt == nil && h.OnRetry == nil {
		return nil
	}
	return &reporter{l, h}
}

// reporter passes what the transport observes on to the logger and the hooks.
type reporter struct {
	log   *slog.Logger // may be nil
	hooks Hooks
}

func (r *reporter) Done(ctx context.Context, a transport.Exchange) {
	if r.hooks.OnAttempt != nil {
		r.hooks.OnAttempt(ctx, Attempt{callInfo(a.Info), a.Method, a.Status, a.Duration, a.LimiterWait, a.Bytes, a.Err})
	}
	if !isOn(ctx, r.log, slog.LevelDebug) {
		return
	}
	r.log.LogAttrs(ctx, slog.LevelDebug, "terminal49 request", attrs(a.Info, a.Method, a.Status, a.Err,
		slog.Duration("duration", a.Duration), slog.Duration("limiter_wait", a.LimiterWait), slog.Int("bytes", a.Bytes))...)
}

func (r *reporter) Retry(ctx context.Context, retry transport.Retry) {
	if r.hooks.OnRetry != nil {
		r.hooks.OnRetry(ctx, Retry{callInfo(retry.Info), retry.Method, retry.Status, retry.Err, retry.Wait})
	}
	if !isOn(ctx, r.log, slog.LevelWarn) {
		return
	}
	r.log.LogAttrs(ctx, slog.LevelWarn, "terminal49 retry", attrs(retry.Info, retry.Method, retry.Status, retry.Err, slog.Duration("wait", retry.Wait))...)
}

// attrs returns the fields of a request that may be logged.
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
