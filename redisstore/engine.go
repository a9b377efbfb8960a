package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/fleet"
)

// engine is the [fleet.Engine] of Redis. scripts.go describes what it stores.
type engine struct{ rdb redis.UniversalClient }

func (e engine) Serve(ctx context.Context, c fleet.Call) (r fleet.Reply, err error) {
	args := []any{fleet.Format, forgetAfter.Milliseconds(), c.Limit, micros(c.Window), c.Born, c.Seen,
		micros(c.Settle), micros(c.Pause), len(c.Slots)}
	for _, s := range c.Slots {
		args = append(args, s.Owner, micros(s.For))
	}
	for _, p := range c.Places {
		args = append(args, p.Owner, p.Top)
	}
	v, err := promptly(ctx, func() ([]int64, error) {
		return serveScript.Run(ctx, e.rdb, []string{e.key(c.Bucket)}, args...).Int64Slice()
	})
	if err != nil {
		return r, fmt.Errorf("redisstore: ask for slots: %w", explain(err))
	}
	return reply(v)
}

// reply reads what the script returns.
func reply(v []int64) (r fleet.Reply, err error) {
	if len(v) == 1 {
		return r, fmt.Errorf("redisstore: %w: the slots have format %d, and this program uses %d: run one version "+
			"of this package, or stop all programs and delete its keys, which contain t49:slots", fleet.ErrNotSetUp, v[0], fleet.Format)
	}
	if len(v)%2 == 0 || len(v) < 5 {
		return r, errors.New("redisstore: the server returned an unexpected reply")
	}
	r = fleet.Reply{Now: v[0], Born: v[1], Lost: int(v[2]), InUse: int(v[3]), Paused: duration(v[4])}
	for i := 5; i < len(v); i += 2 {
		r.Grants = append(r.Grants, fleet.Grant{Taken: v[i] == 1, Wait: duration(v[i+1])})
	}
	return r, nil
}

// lasting has how the errors begin that a server returns until somebody changes something. Those of
// "access is denied" end with that of a long command without a password.
var lasting = map[string][]string{
	"access is denied": {"NOAUTH ", "NOPERM ", "WRONGPASS ", "ERR unknown command", "ERR The user executing the script can't ",
		"ERR Protocol error: unauthenticated "},
	"a key that contains t49 is not of this package: delete it": {"WRONGTYPE "},
}

// explain marks the errors that are lasting.
func explain(err error) error {
	for problem, codes := range lasting {
		for _, code := range codes {
			if strings.HasPrefix(err.Error(), code) {
				return fmt.Errorf("%w: %s: %w", fleet.ErrNotSetUp, problem, err)
			}
		}
	}
	return err
}

// key returns the one key of a bucket. A name that contains a colon is escaped, so that two buckets
// never share a key.
func (e engine) key(b fleet.Bucket) string {
	return keyPrefix(e.rdb) + "t49:slots:" + url.QueryEscape(b.Namespace) + ":" + url.QueryEscape(b.Name)
}

// micros returns d in microseconds, rounded up.
func micros(d time.Duration) int64 { return roundUp(d, time.Microsecond) }

func duration(micros int64) time.Duration { return time.Duration(micros) * time.Microsecond }

func roundUp(d, unit time.Duration) int64 {
	n := int64(d / unit)
	if d%unit > 0 {
		n++
	}
	return n
}
