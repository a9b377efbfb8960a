package webhooktest_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

type broken struct {
	caughtBy string // a subtest of TestDedupeStore
	bug
}

type (
	states  = webhook.DedupeState
	moments = time.Duration
)

// upTo returns what limits times to most.
func upTo(most moments) func(moments) moments { return func(d moments) moments { return min(d, most) } }

// atLeast returns what extends times to least.
func atLeast(least moments) func(moments) moments {
	return func(d moments) moments { return max(d, least) }
}

// keyed returns a bug of the ids.
func keyed(change func(id string) string) bug {
	return bug{key: func(namespace, id string) string { return namespace + "\x00" + change(id) }}
}

// first returns the first n bytes.
func first(n int) func(string) string { return func(s string) string { return s[:min(n, len(s))] } }

// owned returns a bug of the comparison of owners.
func owned(change func(string) string) bug {
	return bug{same: func(held, owner string) bool { return held != "" && change(held) == change(owner) }}
}

// goodStores differ from the reference in what a store may do.
func goodStores() map[string]bug {
	seconds := func(d moments) moments { return (d + time.Second - 1).Truncate(time.Second) }
	hashed := func(id string) string { sum := sha256.Sum256([]byte(id)); return string(sum[:]) }
	return map[string]bug{
		"map":                      {},
		"times in whole seconds":   {lease: seconds, retention: seconds},
		"hashed ids":               keyed(hashed),
		"no report of lost claims": {complete: neverLost},
		"endless times are a century": {
			lease: upTo(100 * 365 * 24 * time.Hour), retention: upTo(100 * 365 * 24 * time.Hour),
		},
	}
}

func neverLost(m *mapStore, _ entry, _ bool, id, owner string, now time.Time, d moments) (error, bool) {
	m.put(id, entry{owner, now.Add(d), true})
	return nil, true
}

// brokenStores are stores with one bug each.
func brokenStores() map[string]broken {
	all := map[string]broken{}
	for _, group := range []map[string]broken{brokenTimes(), brokenIDs(), brokenOwners(), brokenCalls(), brokenEngines()} {
		for name, b := range group {
			all[name] = b
		}
	}
	return all
}

func brokenTimes() map[string]broken {
	const day = 24 * time.Hour
	milliseconds := func(d moments) moments { return d.Truncate(time.Millisecond) }
	nearest := func(d moments) moments { return d.Round(time.Second) }
	fixed := func(d moments) func(moments) moments { return func(moments) moments { return d } }
	int32ms := func(d moments) moments { return moments(int32(d.Milliseconds())) * time.Millisecond }
	return map[string]broken{
		"lease cut to milliseconds":    {"TheClaimOfADeadOwnerExpires", bug{lease: milliseconds}},
		"lease of 30 s":                {"TheClaimOfADeadOwnerExpires", bug{lease: fixed(30 * time.Second)}},
		"lease of at most a minute":    {"LongLeases", bug{lease: upTo(time.Minute)}},
		"lease of at least 5 s":        {"TheClaimOfADeadOwnerExpires", bug{lease: atLeast(5 * time.Second)}},
		"lease that overflows":         {"LongestTimes", bug{lease: int32ms}},
		"retention rounded to seconds": {"DoneLastsForTheRetention", bug{retention: nearest}},
		"retention of at most an hour": {"LongRetentions", bug{retention: upTo(time.Hour)}},
		"retention of at most 30 days": {"LongRetentions", bug{retention: upTo(30 * day)}},
		"retention from the claim": {"TheRetentionCountsFromComplete", bug{
			claim: func(m *mapStore, held entry, id, owner string, now time.Time, _ moments) (states, bool) {
				if held.until.IsZero() {
					m.local[id] = now.Format(time.RFC3339Nano)
				}
				return 0, false
			},
			complete: func(m *mapStore, _ entry, _ bool, id, owner string, now time.Time, d moments) (error, bool) {
				if from, err := time.Parse(time.RFC3339Nano, m.local[id]); err == nil {
					now = from
				}
				return neverLost(m, entry{}, false, id, owner, now, d)
			},
		}},
		"Complete keeps the lease": {"DoneOutlivesTheLease", bug{
			complete: func(m *mapStore, held entry, known bool, id, owner string, now time.Time, d moments) (error, bool) {
				if held.until.IsZero() {
					return nil, false
				}
				m.put(id, entry{owner, held.until, true})
				return nil, true
			},
		}},
		"Complete keeps the first retention": {"DoneOutlivesTheLease", bug{
			complete: func(_ *mapStore, held entry, _ bool, _, _ string, _ time.Time, _ moments) (error, bool) {
				return nil, held.done
			},
		}},
		"Done lasts for the lease if that is longer": {"DoneLastsForTheRetention", bug{
			complete: func(m *mapStore, held entry, _ bool, id, owner string, now time.Time, d moments) (error, bool) {
				until := now.Add(d)
				if held.until.After(until) {
					until = held.until
				}
				m.put(id, entry{owner, until, true})
				return nil, true
			},
		}},
		"reading makes it last": {"DoneLastsForTheRetention", bug{
			claim: func(m *mapStore, held entry, id, _ string, now time.Time, _ moments) (states, bool) {
				if held.done {
					m.put(id, entry{held.owner, now.Add(time.Second), true})
				}
				return 0, false
			},
		}},
		"claims of others make it last": {"TheClaimOfADeadOwnerExpires", bug{
			claim: func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
				if held.owner != owner && !held.done && !held.until.IsZero() {
					m.put(id, entry{held.owner, now.Add(min(lease, time.Second)), false})
				}
				return 0, false
			},
		}},
		"clock of the process": {"ClocksOfProcessesDoNotMatter", bug{clock: func(s webhooktest.Setup) time.Time { return s.Clock() }}},
	}
}

func brokenIDs() map[string]broken {
	hex := func(bits int, sum func(id string) uint64) bug {
		return keyed(func(id string) string { return fmt.Sprint(sum(id) & (1<<bits - 1)) })
	}
	f32 := func(id string) uint64 { h := fnv.New32a(); h.Write([]byte(id)); return uint64(h.Sum32()) }
	f64 := func(id string) uint64 { h := fnv.New64a(); h.Write([]byte(id)); return h.Sum64() }
	return map[string]broken{
		"ids in any case":               {"IDsAreKeptApart", keyed(strings.ToLower)},
		"ids without spaces at the end": {"IDsAreKeptApart", keyed(func(id string) string { return strings.TrimRight(id, " ") })},
		"ids that end at NUL":           {"IDsAreKeptApart", keyed(func(id string) string { id, _, _ = strings.Cut(id, "\x00"); return id })},
		"ids of 255 bytes":              {"IDsAreKeptApart", keyed(first(255))},
		"both ends of ids":              {"IDsAreKeptApart", keyed(func(id string) string { return first(50)(id) + id[max(0, len(id)-50):] })},
		"ids to 20 bits":                {"ManyNotificationsAreRemembered", hex(20, f64)},
		"ids to 32 bits, FNV-1a":        {"IDsAreKeptApart", hex(32, f32)},
		"ids to 64 bits, FNV-1a":        {"IDsAreKeptApart", keyed(func(id string) string { return fmt.Sprint(f64(id)) })},
		"the first 8 bytes of a UUID":   {"ManyNotificationsAreRemembered", keyed(func(id string) string { return first(8)(id) })},
		"namespaces are ignored":        {"NamespacesAreIndependent", bug{key: func(_, id string) string { return id }}},
		"namespace and id run together": {"NamespacesAreIndependent", bug{key: func(ns, id string) string { return ns + id }}},
		"remembers 9,000":               {"ManyNotificationsAreRemembered", bug{limit: 9000}},
		"Release in all namespaces":     {"NamespacesAreIndependent", bug{release: releaseEverywhere}},
	}
}

func releaseEverywhere(m *mapStore, _ entry, id, owner string) bool {
	for key, held := range m.entries {
		if strings.HasSuffix(key, "\x00"+id) && held.owner == owner && !held.done {
			delete(m.entries, key)
		}
	}
	return true
}

func brokenOwners() map[string]broken {
	prefix := func(held, owner string) bool { return held != "" && owner != "" && strings.HasPrefix(held, owner) }
	anybody := func(held, _ string) bool { return held != "" }
	both := map[string]broken{}
	for name, b := range map[string]bug{
		"owners in any case": owned(strings.ToLower),
		"owners of 35 bytes": owned(first(35)),
		"owners by prefix":   {same: prefix},
	} {
		both["releases by "+name] = broken{"OnlyTheOwnerReleases", bug{release: func(m *mapStore, held entry, id, owner string) bool {
			if !held.done && b.same(held.owner, owner) {
				delete(m.entries, m.keyOf(id))
			}
			return true
		}}}
		both["renewals by "+name] = broken{"OnlyTheOwnerRenews", bug{claim: func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if held.done || !b.same(held.owner, owner) {
				return 0, false
			}
			m.put(id, entry{held.owner, now.Add(lease), false})
			return webhook.DedupeClaimed, true
		}}}
	}
	both["released by strangers"] = broken{"OnlyTheOwnerReleases", bug{release: func(m *mapStore, held entry, id, _ string) bool {
		if !held.done {
			delete(m.entries, m.keyOf(id))
		}
		return true
	}}}
	both["renewed by strangers"] = broken{"OnlyTheOwnerRenews", bug{same: anybody}}
	both["Release of all that an owner has"] = broken{"AnOwnerHasSeveralNotifications", bug{release: func(m *mapStore, held entry, id, owner string) bool {
		for key, e := range m.entries {
			if e.owner == owner && !e.done {
				delete(m.entries, key)
			}
		}
		return true
	}}}
	both["one claim for each owner"] = broken{"AnOwnerHasSeveralNotifications", bug{claim: func(m *mapStore, _ entry, id, owner string, _ time.Time, _ moments) (states, bool) {
		for key, e := range m.entries {
			if e.owner == owner && !e.done && key != m.keyOf(id) {
				delete(m.entries, key)
			}
		}
		return 0, false
	}}}
	return both
}

// brokenEngines are not atomic, or hide errors.
func brokenEngines() map[string]broken {
	nothing := func(string, error) error { return nil }
	only := func(name string, returns error) func(string, error) error {
		return func(call string, err error) error {
			if call == name {
				return returns
			}
			return err
		}
	}
	gap, moment := func() { runtime.Gosched() }, func() { testkit.Advance(time.Microsecond) }
	return map[string]broken{
		"read, then written":                  {"OneOfManyClaimersWins", bug{gap: moment}},
		"read, then written soon":             {"DoneIsFinal", bug{gap: gap}},
		"Release compares, then deletes":      {"ReleaseIsAtomic", onlyIn("Release", gap)},
		"Release of a claim as it was":        {"DoneIsFinal", onlyIn("Release", gap)},
		"a renewal compares, writes later":    {"RenewalIsAtomic", onlyIn("Claim", moment)},
		"a renewal compares, then writes":     {"DoneIsFinal", onlyIn("Claim", gap)},
		"a failed Complete returns nil":       {"AnEngineThatIsAwayIsAnError", bug{failed: only("Complete", nil)}},
		"a failed Release returns nil":        {"AnEngineThatIsAwayIsAnError", bug{failed: only("Release", nil)}},
		"a failed Claim is Busy":              {"AnEngineThatIsAwayIsAnError", bug{failed: only("Claim", nil)}},
		"every error is nil":                  {"AnEndedContextIsAnError", bug{failed: nothing}},
		"a failed Complete is a lost claim":   {"AnEngineThatIsAwayIsAnError", bug{failed: only("Complete", webhook.ErrClaimLost)}},
		"Complete with an ended context, nil": {"AnEndedContextIsAnError", bug{failed: only("Complete", nil)}},
		"Release with an ended context, nil":  {"AnEndedContextIsAnError", bug{failed: only("Release", nil)}},
		"context ignored":                     {"AnEndedContextIsAnError", bug{noContext: true}},
		"an error after every call": {"AClaimIsCompletedOrReleased", bug{complete: func(m *mapStore, _ entry, _ bool, id, owner string, now time.Time, d moments) (error, bool) {
			m.put(id, entry{owner, now.Add(d), true})
			return context.Canceled, true
		}}},
		"waits while it is busy": {"AClaimIsCompletedOrReleased", bug{claim: func(m *mapStore, held entry, id, owner string, _ time.Time, _ moments) (states, bool) {
			busy := !held.until.IsZero() && !held.done && held.owner != owner
			if busy {
				m.mu.Unlock()
				testkit.Advance(90 * time.Second)
				m.mu.Lock()
			}
			return webhook.DedupeClaimed, busy
		}}},
		"owners remembered by the process": {"ALostClaimIsNotRenewed", bug{claim: func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if m.local[id] == owner {
				return webhook.DedupeClaimed, true
			}
			if held.until.IsZero() {
				m.local[id] = owner
			}
			return 0, false
		}}},
		"claims that are lost stay busy": {"ALostClaimIsNotRenewed", bug{claim: func(m *mapStore, held entry, id, owner string, _ time.Time, _ moments) (states, bool) {
			if held.owner != "" {
				m.local[id] = held.owner
			}
			return webhook.DedupeBusy, held.until.IsZero() && m.local[id] != "" && m.local[id] != owner
		}}},
	}
}

// onlyIn returns a store that is not atomic in one of its calls.
func onlyIn(call string, gap func()) bug {
	b := bug{gap: gap}
	if call == "Release" {
		b.claim = func(m *mapStore, _ entry, id, owner string, _ time.Time, lease moments) (states, bool) {
			held, now := m.held(id) // read again, under the lock
			switch {
			case held.done:
				return webhook.DedupeDone, true
			case !held.until.IsZero() && held.owner != owner:
				return webhook.DedupeBusy, true
			}
			m.put(id, entry{owner, now.Add(lease), false})
			return webhook.DedupeClaimed, true
		}
		return b
	}
	b.claim = func(m *mapStore, read entry, id, owner string, now time.Time, lease moments) (states, bool) {
		held, _ := m.held(id)
		if read.owner != owner && (held.done || !held.until.IsZero()) {
			read = held // a new claim is atomic, a renewal is not
		}
		switch {
		case read.done:
			return webhook.DedupeDone, true
		case !read.until.IsZero() && read.owner != owner:
			return webhook.DedupeBusy, true
		}
		m.put(id, entry{owner, now.Add(lease), false})
		return webhook.DedupeClaimed, true
	}
	b.release = func(m *mapStore, held entry, id, owner string) bool {
		if held.owner == owner && !held.done {
			delete(m.entries, m.keyOf(id))
		}
		return true
	}
	return b
}
