package webhooktest_test

import (
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// brokenCalls confuse states, or do too much or too little.
func brokenCalls() map[string]broken {
	claims := func(f func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool)) bug {
		return bug{claim: f}
	}
	completes := func(f func(m *mapStore, held entry, known bool, id, owner string, now time.Time, d moments) (error, bool)) bug {
		return bug{complete: f}
	}
	busy := func(held entry, owner string) bool { return !held.until.IsZero() && !held.done && held.owner != owner }
	renewal := func(held entry, owner string) bool { return !held.until.IsZero() && !held.done && held.owner == owner }
	return map[string]broken{
		"recorded before the work": {"AClaimIsCompletedOrReleased", claims(func(m *mapStore, held entry, id, owner string, now time.Time, d moments) (states, bool) {
			return webhook.DedupeDone, busy(held, owner)
		})},
		"Busy for what is done": {"AClaimIsCompletedOrReleased", claims(func(m *mapStore, held entry, _, _ string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeBusy, held.done
		})},
		"Claimed for what is done": {"AClaimIsCompletedOrReleased", claims(func(m *mapStore, held entry, _, _ string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeClaimed, held.done
		})},
		"Claimed once more for its owner when it is done": {"ARenewedClaimLasts", claims(func(m *mapStore, held entry, _, owner string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeClaimed, held.done && held.owner == owner
		})},
		"an expired claim is done": {"AClaimAloneIsNotDone", claims(func(m *mapStore, held entry, id, _ string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeDone, held.until.IsZero() && m.entries[m.keyOf(id)].owner != ""
		})},
		"no renewals": {"ARenewedClaimLasts", claims(func(m *mapStore, held entry, _, owner string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeBusy, renewal(held, owner)
		})},
		"renewals that only say so": {"ARenewedClaimLasts", claims(func(m *mapStore, held entry, _, owner string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeClaimed, renewal(held, owner)
		})},
		"renewals that add up": {"ARenewedClaimLasts", claims(func(m *mapStore, held entry, id, owner string, _ time.Time, lease moments) (states, bool) {
			if renewal(held, owner) {
				m.put(id, entry{owner, held.until.Add(lease), false})
			}
			return webhook.DedupeClaimed, renewal(held, owner)
		})},
		"renewals from the half of the lease on": {"ARenewedClaimLasts", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			return webhook.DedupeClaimed, renewal(held, owner) && held.until.Sub(now) > lease/2
		})},
		"renewals that never shorten": {"ARenewedClaimLasts", claims(func(_ *mapStore, held entry, _, owner string, now time.Time, lease moments) (states, bool) {
			return webhook.DedupeClaimed, renewal(held, owner) && held.until.After(now.Add(lease))
		})},
		"no renewals in the last tenth": {"ARenewedClaimLasts", claims(func(_ *mapStore, held entry, _, owner string, now time.Time, lease moments) (states, bool) {
			return webhook.DedupeBusy, renewal(held, owner) && held.until.Sub(now) < lease/10
		})},
		"renewals for 10 minutes": {"LongLeases", claims(func(m *mapStore, held entry, id, owner string, now time.Time, _ moments) (states, bool) {
			if !renewal(held, owner) {
				m.local[id] = now.Format(time.RFC3339)
			}
			since, _ := time.Parse(time.RFC3339, m.local[id])
			return webhook.DedupeBusy, renewal(held, owner) && now.Sub(since) > 10*time.Minute
		})},
		"an owner claims once": {"AClaimAloneIsNotDone", claims(func(m *mapStore, held entry, id, owner string, _ time.Time, _ moments) (states, bool) {
			return webhook.DedupeBusy, held.until.IsZero() && m.entries[m.keyOf(id)].owner == owner
		})},
		"claims of others shorten a lease": {"StrangersDoNotChangeALease", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if busy(held, owner) {
				m.put(id, entry{held.owner, now.Add(min(lease, held.until.Sub(now))), false})
			}
			return 0, false
		})},
		"Release by others near the end": {"StrangersDoNotChangeALease", bug{release: func(m *mapStore, held entry, id, _ string) bool {
			if !held.done && time.Until(held.until) < time.Minute {
				delete(m.entries, m.keyOf(id))
			}
			return false
		}}},
		"retentions that add up": {"DoneOutlivesTheLease", completes(func(m *mapStore, held entry, _ bool, id, owner string, _ time.Time, d moments) (error, bool) {
			if held.done {
				m.put(id, entry{owner, held.until.Add(d), true})
			}
			return nil, held.done
		})},
		"retentions that never shorten": {"DoneOutlivesTheLease", completes(func(_ *mapStore, held entry, _ bool, _, _ string, now time.Time, d moments) (error, bool) {
			return nil, held.done && held.until.After(now.Add(d))
		})},
		"renewals that end after 100": {"ARenewedClaimLasts", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if renewal(held, owner) {
				m.local[id] += "."
			}
			return webhook.DedupeClaimed, len(m.local[id]) > 100
		})},
		"renewals forget the owner": {"OnlyTheOwnerRenews", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if renewal(held, owner) {
				m.put(id, entry{"", now.Add(lease), false})
			}
			return webhook.DedupeClaimed, renewal(held, owner)
		})},
		"renewals of what is done": {"DoneIsFinal", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if held.owner == owner && held.done {
				m.put(id, entry{owner, now.Add(lease), false})
			}
			return webhook.DedupeClaimed, held.owner == owner && held.done
		})},
		"a new claim keeps what was there": {"AForgottenNotificationIsNew", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if before := m.entries[m.keyOf(id)]; held.until.IsZero() && before.done {
				m.put(id, entry{owner, now.Add(lease), true})
				return webhook.DedupeClaimed, true
			}
			return 0, false
		})},
		"a new claim keeps the owner": {"ALateReleaseDoesNothing", claims(func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
			if before := m.entries[m.keyOf(id)]; held.until.IsZero() && before.owner != "" {
				m.put(id, entry{before.owner, now.Add(lease), false})
				return webhook.DedupeClaimed, true
			}
			return 0, false
		})},
		"a new claim keeps the lease": {"EachClaimHasItsOwnLease", bug{
			lease: nil,
			claim: func(m *mapStore, held entry, id, owner string, now time.Time, lease moments) (states, bool) {
				if m.local[id] == "" {
					m.local[id] = lease.String()
				}
				before, _ := time.ParseDuration(m.local[id])
				if held.until.IsZero() {
					m.put(id, entry{owner, now.Add(before), false})
					return webhook.DedupeClaimed, true
				}
				return 0, false
			},
		}},
		"Complete by the owner only": {"ALateCompleteCounts", completes(func(_ *mapStore, held entry, _ bool, _, owner string, _ time.Time, _ moments) (error, bool) {
			return webhook.ErrClaimLost, !held.until.IsZero() && held.owner != owner
		})},
		"Complete of known claims only": {"AClaimIsCompletedOrReleased", completes(func(_ *mapStore, held entry, known bool, _, _ string, _ time.Time, _ moments) (error, bool) {
			return webhook.ErrClaimLost, !known
		})},
		"Complete by a stranger fails": {"ALateCompleteCounts", completes(func(_ *mapStore, held entry, _ bool, _, owner string, _ time.Time, _ moments) (error, bool) {
			return errAway, !held.until.IsZero() && held.owner != owner
		})},
		"Complete forgets": {"AClaimIsCompletedOrReleased", completes(func(m *mapStore, _ entry, _ bool, id, _ string, _ time.Time, _ moments) (error, bool) {
			delete(m.entries, m.keyOf(id))
			return nil, true
		})},
		"Complete of nothing": {"AClaimIsCompletedOrReleased", completes(func(*mapStore, entry, bool, string, string, time.Time, moments) (error, bool) {
			return nil, true
		})},
		"every Complete reports a lost claim": {"AClaimIsCompletedOrReleased", completes(func(m *mapStore, held entry, known bool, id, owner string, now time.Time, d moments) (error, bool) {
			_, _ = neverLost(m, held, known, id, owner, now, d)
			return webhook.ErrClaimLost, true
		})},
		"Release of what is done": {"AClaimIsCompletedOrReleased", bug{release: func(m *mapStore, held entry, id, owner string) bool {
			if held.owner == owner {
				delete(m.entries, m.keyOf(id))
			}
			return true
		}}},
		"Release does nothing": {"AClaimIsCompletedOrReleased", bug{release: func(*mapStore, entry, string, string) bool { return true }}},
		"Release is done": {"AClaimIsCompletedOrReleased", bug{release: func(m *mapStore, held entry, id, owner string) bool {
			if held.owner == owner {
				m.put(id, entry{owner, held.until, true})
			}
			return true
		}}},
		"Release waits for the lease": {"AClaimIsCompletedOrReleased", bug{release: func(m *mapStore, held entry, id, owner string) bool {
			if held.owner == owner && !held.done {
				m.put(id, entry{"released", held.until, false})
			}
			return true
		}}},
		"Release of the previous owner": {"ALateReleaseDoesNothing", bug{
			claim: func(m *mapStore, _ entry, id, owner string, _ time.Time, _ moments) (states, bool) {
				m.local[id+owner] = "had it"
				return 0, false
			},
			release: func(m *mapStore, held entry, id, owner string) bool {
				if m.local[id+owner] != "" && !held.done {
					delete(m.entries, m.keyOf(id))
				}
				return true
			},
		}},
	}
}
