package webhooktest_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"runtime"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

const day = 24 * time.Hour

// times returns a bug that changes the leases of Claim or the retentions of Complete.
func times(method string, change func(d time.Duration) time.Duration) bug {
	return bug{call: func(_ *store, c *call, _ entry) {
		if c.method == method {
			c.d = change(c.d)
		}
	}}
}

func upTo(most time.Duration) func(time.Duration) time.Duration {
	return func(d time.Duration) time.Duration { return min(d, most) }
}

// ids returns a bug that changes ids.
func ids(change func(id string) string) bug {
	return bug{call: func(_ *store, c *call, _ entry) { c.id = change(c.id) }}
}

func cut(n int) func(string) string { return func(s string) string { return s[:min(n, len(s))] } }

// owners returns a bug that takes an owner for the one that has the claim.
func owners(method string, same func(held, owner string) bool) bug {
	return bug{call: func(_ *store, c *call, held entry) {
		if c.method == method && !held.done && held.owner != "" && same(held.owner, c.owner) {
			c.owner = held.owner
		}
	}}
}

// after returns a bug that changes the outcome of a method if a condition holds.
func after(method string, when func(c call, held entry) bool, change func(s *store, c call, held entry, o *outcome)) bug {
	return bug{outcome: func(s *store, c call, held entry, o *outcome) {
		if c.method == method && when(c, held) {
			change(s, c, held, o)
		}
	}}
}

// Conditions of a bug.
func always(call, entry) bool         { return true }
func done(_ call, held entry) bool    { return held.done }
func unknown(_ call, held entry) bool { return held.until.IsZero() }
func renewal(c call, held entry) bool { return held.owner == c.owner && !held.done && held.owner != "" }
func byAnother(c call, held entry) bool {
	return held.owner != c.owner && !held.done && held.owner != ""
}
func doneByThis(c call, held entry) bool { return held.owner == c.owner && held.done }

// keep leaves everything as it was and returns what it would have; returns only changes the result.
func keep(_ *store, _ call, held entry, o *outcome) { o.entry = held }

func returns(state webhook.DedupeState, err error) func(*store, call, entry, *outcome) {
	return func(_ *store, _ call, _ entry, o *outcome) { o.state, o.err = state, err }
}

// until changes the end of a lease or retention.
func until(change func(c call, held entry) time.Time) func(*store, call, entry, *outcome) {
	return func(_ *store, c call, held entry, o *outcome) { o.until = change(c, held) }
}

// failing returns a bug that hides an error of a method.
func failing(method string, instead error) bug {
	return bug{failed: func(c call, err error) error {
		if c.method == method {
			return instead
		}
		return err
	}}
}

// forget deletes what an owner has.
func forget(s *store, which func(key [2]string, e entry) bool) {
	for key, e := range s.entries {
		if which(key, e) && !e.done {
			delete(s.entries, key)
		}
	}
}

func fnv64(id string) string { h := fnv.New64a(); h.Write([]byte(id)); return fmt.Sprint(h.Sum64()) }

// reads returns a bug in which others act between reading and writing.
func reads(gap func(), methods ...string) bug {
	b := bug{gap: map[string]func(){}}
	for _, m := range methods {
		b.gap[m] = gap
	}
	return b
}

func yields() { runtime.Gosched() }
func waits()  { testkit.Advance(time.Microsecond) }

// brokenStores are the correct store with one bug each, and the check that finds it.
var brokenStores = []struct {
	name, caughtBy string
	bug            bug
}{
	{"Done before the work", "Calls", after("Claim", byAnother, returns(webhook.DedupeDone, nil))},
	{"Busy for what is done", "Calls", after("Claim", done, returns(webhook.DedupeBusy, nil))},
	{"Claimed for what is done", "Calls", after("Claim", done, returns(webhook.DedupeClaimed, nil))},
	{"Claimed for what its owner has done", "Calls", after("Claim", doneByThis, returns(webhook.DedupeClaimed, nil))},
	{"claims of what its owner has done", "Calls", bug{call: func(s *store, c *call, held entry) {
		if c.method == "Claim" && doneByThis(*c, held) {
			s.put(*c, entry{})
		}
	}}},
	{"expired claims are done", "Calls", bug{call: func(s *store, c *call, held entry) {
		if e := s.entries[[2]string{c.namespace, c.id}]; held.until.IsZero() && e.owner != "" {
			s.put(*c, entry{e.owner, c.now.Add(day), true})
		}
	}}},
	{"an expired claim keeps its owner", "Calls", bug{outcome: func(s *store, c call, held entry, o *outcome) {
		if e := s.entries[[2]string{c.namespace, c.id}]; unknown(c, held) && e.owner != "" && c.method == "Claim" {
			o.owner = e.owner
		}
	}}},
	{"Complete forgets", "Calls", after("Complete", always, func(_ *store, _ call, _ entry, o *outcome) { o.entry = entry{} })},
	{"Complete does nothing", "Calls", after("Complete", always, keep)},
	{"Complete does nothing without a claim", "Calls", after("Complete", unknown, keep)},
	{"Complete by another does nothing", "Calls", after("Complete", byAnother, keep)},
	{"Complete by another fails", "Calls", after("Complete", byAnother, returns(0, errAway))},
	{"Complete always loses the claim", "Calls", after("Complete", always, returns(0, webhook.ErrClaimLost))},
	{"Complete fails afterwards", "Calls", after("Complete", always, returns(0, context.Canceled))},
	{"Release does nothing", "Calls", after("Release", always, keep)},
	{"Release of what is done", "Calls", after("Release", doneByThis, func(_ *store, _ call, _ entry, o *outcome) { o.entry = entry{} })},
	{"Release completes", "Calls", after("Release", renewal, func(_ *store, _ call, held entry, o *outcome) { o.entry = entry{held.owner, held.until, true} })},
	{"Release waits for the lease", "Calls", after("Release", renewal, func(_ *store, _ call, held entry, o *outcome) { o.entry = entry{"nobody", held.until, false} })},
	{"Release by a former owner", "Calls", bug{call: func(s *store, c *call, held entry) {
		if c.method == "Claim" {
			s.own[c.id+c.owner] = "had it"
		} else if c.method == "Release" && s.own[c.id+c.owner] != "" && !held.done {
			c.owner = held.owner
		}
	}}},
	{"no renewals", "Calls", after("Claim", renewal, returns(webhook.DedupeBusy, nil))},
	{"the process remembers its claims", "Calls", after("Claim", byAnother, func(s *store, c call, _ entry, o *outcome) {
		if s.own[c.id] == c.owner {
			o.state = webhook.DedupeClaimed
		} else {
			s.own[c.id] = c.owner
		}
	})},
	{"a claim waits while another owner has it", "Calls", after("Claim", byAnother, func(s *store, c call, held entry, o *outcome) {
		s.mu.Unlock()
		select {
		case <-s.setup.Context.Done():
		case <-time.After(held.until.Sub(c.now)):
		}
		s.mu.Lock()
		*o = outcome{entry: entry{c.owner, time.Now().Add(c.d), false}, state: webhook.DedupeClaimed}
	})},
	{"released by anyone", "Owners", owners("Release", func(string, string) bool { return true })},
	{"released by owners in any case", "Owners", owners("Release", strings.EqualFold)},
	{"released by a part of the owner", "Owners", owners("Release", strings.HasPrefix)},
	{"renewed by anyone", "Owners", owners("Claim", func(string, string) bool { return true })},
	{"renewed by owners in any case", "Owners", owners("Claim", strings.EqualFold)},
	{"renewed by 35 bytes of the owner", "Owners", owners("Claim", func(a, b string) bool { return cut(35)(a) == cut(35)(b) })},
	{"Release of all that an owner has", "Owners", after("Release", always, func(s *store, c call, _ entry, _ *outcome) {
		forget(s, func(_ [2]string, e entry) bool { return e.owner == c.owner })
	})},
	{"one claim for each owner", "Owners", after("Claim", unknown, func(s *store, c call, _ entry, _ *outcome) {
		forget(s, func(_ [2]string, e entry) bool { return e.owner == c.owner })
	})},
	{"renewals that change nothing", "Leases", after("Claim", renewal, keep)},
	{"renewals that are added", "Leases", after("Claim", renewal, until(func(c call, held entry) time.Time { return held.until.Add(c.d) }))},
	{"renewals that never shorten", "Leases", after("Claim", renewal, until(func(c call, held entry) time.Time {
		return time.Unix(0, max(held.until.UnixNano(), c.now.Add(c.d).UnixNano()))
	}))},
	{"no renewals in the last tenth", "Leases", after("Claim", func(c call, held entry) bool {
		return renewal(c, held) && held.until.Sub(c.now) < c.d/10
	}, returns(webhook.DedupeBusy, nil))},
	{"100 renewals at most", "Leases", after("Claim", renewal, func(s *store, c call, held entry, o *outcome) {
		if s.own[c.id] += "."; len(s.own[c.id]) > 100 {
			o.entry = held
		}
	})},
	{"claims of others shorten a lease", "Leases", after("Claim", byAnother, until(func(c call, held entry) time.Time {
		return c.now.Add(min(c.d, held.until.Sub(c.now)))
	}))},
	{"claims of others lengthen a lease", "Leases", after("Claim", byAnother, until(func(c call, held entry) time.Time {
		return c.now.Add(max(time.Second, held.until.Sub(c.now)))
	}))},
	{"claims do not expire", "Leases", times("Claim", func(time.Duration) time.Duration { return 365 * day })},
	{"a lease is 30 s", "Leases", times("Claim", func(time.Duration) time.Duration { return 30 * time.Second })},
	{"a lease is cut to milliseconds", "Leases", times("Claim", func(d time.Duration) time.Duration { return d.Truncate(time.Millisecond) })},
	{"a lease is taken for microseconds", "Leases", times("Claim", func(d time.Duration) time.Duration { return d / 1000 })},
	{"a lease is at most a minute", "LongTimes", times("Claim", upTo(time.Minute))},
	{"a lease has 32 bits of milliseconds", "LongestTimes", times("Claim", func(d time.Duration) time.Duration {
		return time.Duration(int32(d.Milliseconds())) * time.Millisecond
	})},
	{"what is done does not expire", "Retentions", times("Complete", func(time.Duration) time.Duration { return 365 * day })},
	{"a retention is rounded to seconds", "Retentions", times("Complete", func(d time.Duration) time.Duration { return d.Round(time.Second) })},
	{"a retention is at most an hour", "LongTimes", times("Complete", upTo(time.Hour))},
	{"a retention is at most 30 days", "LongTimes", times("Complete", upTo(30*day))},
	{"retentions that are added", "Retentions", after("Complete", done, until(func(c call, held entry) time.Time { return held.until.Add(c.d) }))},
	{"the first retention counts", "Retentions", after("Complete", done, keep)},
	{"done for the rest of the lease", "Retentions", after("Complete", renewal, until(func(_ call, held entry) time.Time { return held.until }))},
	{"a claim of what is done lengthens it", "Retentions", after("Claim", done, until(func(c call, held entry) time.Time {
		return c.now.Add(max(time.Second, held.until.Sub(c.now)))
	}))},
	{"a retention from the claim on", "Retentions", bug{outcome: func(s *store, c call, held entry, o *outcome) {
		if c.method == "Claim" && unknown(c, held) {
			s.own[c.id] = c.now.Format(time.RFC3339Nano)
		} else if from, err := time.Parse(time.RFC3339Nano, s.own[c.id]); c.method == "Complete" && err == nil {
			o.until = from.Add(c.d)
		}
	}}},
	{"reads, writes later", "Races", reads(waits, "Claim", "Complete", "Release")},
	{"a claim reads, writes soon", "Races", reads(yields, "Claim")},
	{"Release reads, deletes soon", "Races", reads(yields, "Release")},
	{"ids in any case", "IDs", ids(strings.ToLower)},
	{"ids without spaces", "IDs", ids(strings.TrimSpace)},
	{"ids that end at NUL", "IDs", ids(func(id string) string { id, _, _ = strings.Cut(id, "\x00"); return id })},
	{"ids of 255 bytes", "IDs", ids(cut(255))},
	{"both ends of ids", "IDs", ids(func(id string) string { return cut(50)(id) + id[max(0, len(id)-50):] })},
	{"ids to 32 bits", "IDs", ids(func(id string) string { return fmt.Sprint(crc32.ChecksumIEEE([]byte(id))) })},
	{"ids to 64 bits", "IDs", ids(fnv64)},
	{"the first 8 bytes of a UUID", "TenThousand", ids(cut(8))},
	{"9,000 notifications", "TenThousand", after("Claim", unknown, func(s *store, _ call, _ entry, o *outcome) {
		if len(s.entries) >= 9000 {
			o.entry = entry{}
		}
	})},
	{"one namespace", "Namespaces", bug{call: func(_ *store, c *call, _ entry) { c.namespace = "" }}},
	{"namespace and id run together", "Namespaces", bug{call: func(_ *store, c *call, _ entry) { c.namespace, c.id = "", c.namespace+c.id }}},
	{"Release in all namespaces", "Namespaces", after("Release", always, func(s *store, c call, _ entry, _ *outcome) {
		forget(s, func(key [2]string, e entry) bool { return key[1] == c.id && e.owner == c.owner })
	})},
	{"the clock of the process", "Clocks", bug{call: func(s *store, c *call, _ entry) { c.now = s.setup.Clock() }}},
	{"every error is nil", "Contexts", bug{failed: func(call, error) error { return nil }}},
	{"Complete with an ended context returns nil", "Contexts", failing("Complete", nil)},
	{"Release with an ended context returns nil", "Contexts", failing("Release", nil)},
	{"a failed Claim is Busy", "Outages", failing("Claim", nil)},
	{"a failed Complete returns nil", "Outages", failing("Complete", nil)},
	{"a failed Complete is a lost claim", "Outages", failing("Complete", webhook.ErrClaimLost)},
	{"a lost claim stays busy", "Losses", after("Claim", always, func(s *store, c call, held entry, o *outcome) {
		if first := s.own["first "+c.id]; unknown(c, held) && first != "" && first != c.owner {
			o.entry, o.state = held, webhook.DedupeBusy
		} else if s.own["first "+c.id] = held.owner; held.owner == "" {
			s.own["first "+c.id] = c.owner
		}
	})},
	{"a lost claim is renewed", "Losses", after("Claim", always, func(s *store, c call, held entry, o *outcome) {
		if s.own[c.id+c.owner] != "" && byAnother(c, held) {
			o.state = webhook.DedupeClaimed
		}
		s.own[c.id+c.owner] = "asked"
	})},
}
