package webhooktest

import (
	"fmt"
	"strings"

	"github.com/go-freight/terminal49/webhook"
)

// strangers returns owners that a store may confuse with owner.
func strangers(owner string) []string {
	last := len(owner) - 1
	return []string{
		"stranger", "", strings.ToUpper(owner), owner + " ", " " + owner, owner[:last], owner[1:], owner + "0", "%",
		owner[:last] + "_", owner[:last] + "0", "0" + owner[1:], strings.ReplaceAll(owner, "-", ""),
		owner[:len(owner)/2], owner[:8], owner[:8] + "-0000-4000-8000-000000000000", "{" + owner + "}",
	}
}

// uuidOwner has the form of the owners of a handler.
const uuidOwner = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"

func (s *dedupeSuite) onlyTheOwnerReleases() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", uuidOwner, longLease)
	for _, stranger := range strangers(uuidOwner) {
		b.release("id", stranger)
		b.expect(webhook.DedupeBusy, fmt.Sprintf("after Release by %q", stranger), "id", "2", longLease)
	}
	b.release("unknown", "stranger")
	b.release("other", uuidOwner)
	b.expect(webhook.DedupeBusy, "after Release of another notification", "id", "3", longLease)
	a.release("id", uuidOwner)
	b.expect(webhook.DedupeClaimed, "after Release by the owner", "id", "4", longLease)
}

func (s *dedupeSuite) onlyTheOwnerRenews() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", uuidOwner, longLease)
	for _, stranger := range strangers(uuidOwner) {
		for _, p := range []*dedupeProcess{a, b} {
			p.expect(webhook.DedupeBusy, "a claim by a stranger", "id", stranger, longLease)
		}
	}
	a.expect(webhook.DedupeClaimed, "a renewal", "id", uuidOwner, longLease)
	b.expect(webhook.DedupeBusy, "after a renewal", "id", "2", longLease)
	a.release("id", uuidOwner)
	b.expect(webhook.DedupeClaimed, "after Release of a renewed claim", "id", "3", longLease)
	a.expect(webhook.DedupeBusy, "a renewal after Release, when another owner has the claim", "id", uuidOwner, longLease)
}

// severalNotifications claims several notifications with one owner.
func (s *dedupeSuite) severalNotifications() {
	a, b := s.process(0), s.process(0)
	ids := []string{"renewed", "released", "completed", "held"}
	for _, id := range ids {
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", longLease)
	}
	a.expect(webhook.DedupeClaimed, "a renewal", "renewed", "owner", longLease)
	a.release("released", "owner")
	a.complete("completed", "owner", longLease)
	for i, want := range []webhook.DedupeState{webhook.DedupeBusy, webhook.DedupeClaimed, webhook.DedupeDone, webhook.DedupeBusy} {
		b.expect(want, "one of four notifications of an owner", ids[i], "other", longLease)
	}
}
