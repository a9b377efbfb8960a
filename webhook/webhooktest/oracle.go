package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// rounding is how much longer than asked a lease or retention may last.
const rounding = 2 * time.Second

// notification is what the suite knows of a notification: the calls before, and what follows from
// them by the documentation of [webhook.DedupeStore].
type notification struct {
	state webhook.DedupeState // DedupeClaimed or DedupeDone; DedupeBusy if it is unknown
	owner string
	// The lease or retention ends between earliest and latest: a call has its effect between its
	// beginning and its end, however long it takes.
	length           time.Duration
	earliest, latest time.Time
	calls            []string
}

// want returns what Claim by owner must return if it is called at before and returns at after. Two
// results are possible while a lease or retention may just end.
func (n *notification) want(owner string, before, after time.Time) (want []webhook.DedupeState, why string) {
	if n.state == webhook.DedupeBusy || !after.Before(n.earliest) {
		want, why = append(want, webhook.DedupeClaimed), "it is unknown"
	}
	if n.state == webhook.DedupeBusy || before.After(n.latest) {
		if n.length > 0 {
			why = fmt.Sprintf("a period of %v has ended %v ago", n.length, before.Sub(n.earliest))
		}
		return want, why
	}
	left := fmt.Sprintf("for %v at least", n.earliest.Sub(after))
	switch {
	case n.state == webhook.DedupeDone:
		return append(want, webhook.DedupeDone), "it is done " + left
	case n.owner == owner:
		return append(want, webhook.DedupeClaimed), "this owner has the claim " + left
	}
	return append(want, webhook.DedupeBusy), "another owner has the claim " + left
}

// begin records a lease or retention that a call began.
func (n *notification) begin(state webhook.DedupeState, owner string, d time.Duration, before, after time.Time) {
	n.state, n.owner, n.length = state, owner, d
	n.earliest, n.latest = before.Add(d), after.Add(d+rounding)
}

func (n *notification) note(format string, args ...any) {
	const remembered = 6
	n.calls = append(n.calls[max(0, len(n.calls)-remembered+1):], fmt.Sprintf(format, args...))
}

// claim calls Claim and reports a result that the calls before do not allow.
func (p *dedupeProcess) claim(id, owner string, lease time.Duration) webhook.DedupeState {
	n, state := p.notification(id), noState
	before := p.now()
	if !p.call(func(ctx context.Context) (err error) {
		state, err = p.store.Claim(ctx, id, owner, lease)
		return err
	}, "Claim(%.40q, %q, %v)", id, owner, lease) {
		return noState
	}
	after := p.now()
	n.note("Claim(%q, %v) = %s", owner, lease, stateName(state))
	if want, why := n.want(owner, before, after); !slices.Contains(want, state) {
		p.Errorf("Claim(%.40q, %q) returned %s, want %s: %s. Its latest calls: %s",
			id, owner, stateName(state), stateName(want[0]), why, strings.Join(n.calls, ", "))
		p.failed.Store(true) // what follows from it is not known
	}
	if state == webhook.DedupeClaimed {
		n.begin(webhook.DedupeClaimed, owner, lease, before, after)
	}
	return state
}

// complete calls Complete, which may return ErrClaimLost if owner does not have the claim.
func (p *dedupeProcess) complete(id, owner string, retention time.Duration) {
	n, before := p.notification(id), p.now()
	has := n.state == webhook.DedupeClaimed && n.owner == owner
	if p.call(func(ctx context.Context) error {
		err := p.store.Complete(ctx, id, owner, retention)
		if errors.Is(err, webhook.ErrClaimLost) && !(has && p.now().Before(n.earliest)) {
			err = nil
		}
		return err
	}, "Complete(%.40q, %q, %v), where the owner has the claim: %v", id, owner, retention, has) {
		n.note("Complete(%q, %v)", owner, retention)
		n.begin(webhook.DedupeDone, owner, retention, before, p.now())
	}
}

func (p *dedupeProcess) release(id, owner string) {
	n := p.notification(id)
	if !p.call(func(ctx context.Context) error { return p.store.Release(ctx, id, owner) }, "Release(%.40q, %q)", id, owner) {
		return
	}
	n.note("Release(%q)", owner)
	if n.state == webhook.DedupeClaimed && n.owner == owner {
		n.state, n.length = webhook.DedupeBusy, 0
	}
}

// ends claims a notification until that succeeds, which is at the end of its lease or retention.
func (p *dedupeProcess) ends(id string) {
	for earliest := p.notification(id).earliest; !p.failed.Load(); p.approach(earliest) {
		if p.claim(id, "later", longLease) == webhook.DedupeClaimed {
			return
		}
	}
}

// approach lets a part of the time until a moment pass, and a short time after it.
func (s *dedupeSuite) approach(moment time.Time) {
	const near = 6 * time.Second
	away := moment.Sub(s.now())
	switch {
	case s.fakeTime && away > near:
		s.pass(away / 2)
	case s.advance != nil && away > near:
		s.pass(away - near/2)
	case s.advance != nil && away > time.Second:
		s.pass(away.Truncate(time.Second) + time.Second)
	default:
		time.Sleep(min(max(away.Abs()-3*time.Millisecond, 100*time.Microsecond), 20*time.Millisecond))
	}
}

func stateName(s webhook.DedupeState) string {
	if names := []string{"DedupeBusy", "DedupeClaimed", "DedupeDone"}; int(s) < len(names) {
		return names[s]
	}
	return "an unknown state"
}
