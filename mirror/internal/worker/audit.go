package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// auditHorizon is how far an audit of the whole log goes back from the newest notification, if the
// log is sorted. Audits of the days before have seen what is older.
const auditHorizon = 14 * 24 * time.Hour

// auditor compares the inbox with the log of the service.
type auditor struct {
	turn    *turn
	service *Service
	hook    Hook
	asked   *asked
	every   time.Duration // between audits of the whole log
	has     bool          // there are webhooks to audit

	off      bool // the account has no log
	unsorted bool // the log is not newest first: only a whole audit is of use
}

// Audit compares the service's log of notifications with the inbox, newest first, and stores what
// the inbox does not have. It ends with a page that is known and older than the beginning of the
// last audit that ended well. If the log is in another order, only a whole audit finds everything;
// that goes back by auditHorizon, or to the end of a log that is not sorted. The first audit goes
// back by one day, because walks have read what changed before.
//
// If the mirror has a webhook of its own, its notifications count, and those that name no webhook.
// Others are about the same changes. Without one, the notifications of all webhooks count.
func (a *auditor) Audit(ctx context.Context, whole bool) error {
	if !whole && (a.off || a.unsorted) {
		return a.auditEnd(ctx, &auditPass{})
	}
	pass := &auditPass{whole: whole}
	for page := 1; !pass.ended; page++ {
		list, more, err := a.nextPage(ctx, pass, page)
		switch {
		case errors.Is(err, terminal49.ErrForbidden), errors.Is(err, terminal49.ErrNotFound):
			return a.auditOff(ctx, pass, err)
		case err != nil:
			return err
		}
		a.off = false
		if err := a.auditPage(ctx, pass, list); err != nil {
			return err
		}
		pass.ended = pass.ended || !more
	}
	a.unsorted = pass.broken
	if pass.found > 0 {
		a.turn.log.InfoContext(ctx, "mirror: the audit found notifications that were not delivered", "notifications", pass.found)
	}
	return a.auditEnd(ctx, pass)
}

// auditOff records that there is nothing to audit. The next whole audit tries again.
func (a *auditor) auditOff(ctx context.Context, pass *auditPass, err error) error {
	if !a.off {
		a.turn.log.WarnContext(ctx, "mirror: the account has no log of notifications, so there is no audit", "error", err)
	}
	a.off = true
	return a.auditEnd(ctx, pass)
}

func (a *auditor) auditEnd(ctx context.Context, p *auditPass) error {
	return a.turn.write(ctx, "audit end", func(tx *store.Tx) error {
		if p.whole {
			if err := a.dropBodies(ctx, tx); err != nil {
				return err
			}
		}
		if !p.newest.IsZero() {
			if err := tx.NoteTime(ctx, store.CursorAuditedTo, p.newest); err != nil {
				return err
			}
		}
		return tx.NoteDone(ctx, store.CursorAudited)
	})
}

// dropBodies deletes the bodies that are old by the clock and also by that of the whole audit
// before, so that a clock that is ahead for a moment deletes none.
func (a *auditor) dropBodies(ctx context.Context, tx *store.Tx) error {
	before, err := tx.Noted(ctx, store.CursorAuditedWhole)
	if err != nil {
		return err
	}
	now := tx.Now
	if latest := before.Add(2 * min(a.every, store.BodyAge)); latest.Before(now) {
		now = latest
	}
	return errors.Join(tx.NoteDone(ctx, store.CursorAuditedWhole), tx.DropBodies(ctx, now))
}

// auditPass is one audit.
type auditPass struct {
	whole, ended   bool
	found          int64
	newest, oldest time.Time // that it has read; newest on the first page
	sorted, broken bool      // as far as seen: there are different times; they are not newest first
	floor          time.Time // older notifications do not count
	to             time.Time // an audit that ended well has seen everything up to here
	page           []string  // ids of the page before
	repeats        int       // pages in a row with the same content
	total          int       // of the log; 0 if the service does not report it
	grew           bool      // since the page before
}

// nextPage reads a page of the log. If the log has become shorter since the page before, the
// response comes from a copy of the service's data that lags, whose pages begin elsewhere: it is
// read again.
func (a *auditor) nextPage(ctx context.Context, p *auditPass, page int) (list []logged, more bool, err error) {
	var total int
	for range 5 {
		if list, total, more, err = a.service.logPage(ctx, page); err != nil || total >= p.total {
			break
		}
	}
	p.grew, p.total = total > p.total, total
	return list, more, err
}

// auditPage stores the notifications of a page that the inbox does not have.
func (a *auditor) auditPage(ctx context.Context, p *auditPass, list []logged) error {
	if p.ended = len(list) == 0 || p.isRepeated(list); p.ended {
		return nil
	}
	goesOn := p.order(list)
	return a.turn.write(ctx, "audit", func(tx *store.Tx) error {
		if err := p.setFloor(ctx, tx); err != nil {
			return err
		}
		found, err := tx.Arrive(ctx, p.counted(list, a.hook.Own()))
		p.found += found
		if p.sorted && !p.broken && goesOn {
			p.ended = p.oldest.Before(p.floor) || found == 0 && !p.whole && p.oldest.Before(p.to)
		}
		return err
	})
}

// counted returns the notifications that count: of the mirror's webhook, and not too old.
func (p *auditPass) counted(list []logged, own string) (arrivals []store.Arrival) {
	for _, n := range list {
		if n.isOf(own) && !n.isBefore(p.floor) && model.IsStorableID(n.arrival.ID) && model.IsStorableID(n.arrival.Event) {
			arrivals = append(arrivals, n.arrival)
		}
	}
	return arrivals
}

// isRepeated reports whether a page equals the two before it although the log did not grow: the log
// then has no pages. One repetition is not enough, because a page full of new notifications may
// have been created meanwhile.
func (p *auditPass) isRepeated(list []logged) bool {
	ids := make([]string, len(list))
	for i, n := range list {
		ids[i] = n.arrival.ID
	}
	p.repeats++
	if p.grew || !slices.Equal(ids, p.page) {
		p.repeats = 0
	}
	p.page = ids
	return p.repeats > 1
}

// order checks whether a page is sorted, which the service does not document, and reports whether
// it goes further back than those before it: notifications that were created meanwhile move others
// from one page to the next.
func (p *auditPass) order(list []logged) (goesOn bool) {
	last := p.compare(list)
	isFirst := p.newest.IsZero()
	if isFirst {
		p.newest = list[0].arrival.Created
	}
	if goesOn = isFirst || last.Before(p.oldest); goesOn {
		p.sorted, p.oldest = p.sorted || !isFirst, last
	}
	return goesOn
}

// compare compares the times of a page, and returns the last one.
func (p *auditPass) compare(list []logged) (last time.Time) {
	for i, n := range list {
		p.broken = p.broken || n.arrival.Created.IsZero() || i > 0 && n.arrival.Created.After(last)
		p.sorted = p.sorted || i > 0 && n.arrival.Created.Before(last)
		last = n.arrival.Created
	}
	return last
}

// setFloor sets how far back notifications count: from a day before the first audit on. Times are
// those of the log, not of this process.
func (p *auditPass) setFloor(ctx context.Context, tx *store.Tx) (err error) {
	if !p.floor.IsZero() || p.broken {
		return nil
	}
	if p.to, err = tx.Noted(ctx, store.CursorAuditedTo); err != nil {
		return err
	}
	if p.floor, err = tx.Noted(ctx, store.CursorAuditedSince); err != nil {
		return err
	}
	if p.floor.IsZero() {
		p.floor = p.newest.Add(-24 * time.Hour)
		err = tx.NoteTime(ctx, store.CursorAuditedSince, p.floor)
	}
	if horizon := p.newest.Add(-auditHorizon); horizon.After(p.floor) {
		p.floor = horizon
	}
	return err
}

// logged is a notification of the service's log, with the webhook that it was for.
type logged struct {
	arrival store.Arrival
	webhook string
}

func (n logged) isOf(webhook string) bool {
	return webhook == "" || n.webhook == "" || n.webhook == webhook
}

func (n logged) isBefore(floor time.Time) bool {
	return !n.arrival.Created.IsZero() && n.arrival.Created.Before(floor)
}

// logPage reads a page of the log. Each notification has a body like that of a delivery, but it
// includes only the resource that the notification is about. The total is 0 if the service does not
// report it.
func (s *Service) logPage(ctx context.Context, page int) (list []logged, total int, more bool, err error) {
	query := url.Values{"page[number]": {strconv.Itoa(page)}, "page[size]": {"100"}}
	doc, err := s.readLog(ctx, "/webhook_notifications", query)
	if err != nil {
		return nil, 0, false, err
	}
	if doc.Meta.Total != nil {
		total = *doc.Meta.Total
	}
	return loggedIn(doc), total, model.HasNext(doc), nil
}

// loggedIn returns the notifications of a document.
func loggedIn(doc *model.Document) (list []logged) {
	included := map[model.Ref]*model.Resource{}
	for _, res := range doc.Included {
		included[res.Ref] = res
	}
	for _, res := range doc.Data {
		list = append(list, loggedOf(res, included))
	}
	return list
}

// readLog reads from the log, and includes the resources that notifications are about. Only an
// example documents that include: if the service refuses it, readLog reads without it.
func (s *Service) readLog(ctx context.Context, path string, query url.Values) (*model.Document, error) {
	query.Set("include", "reference_object")
	for {
		doc := new(model.Document)
		err := s.read(ctx, terminal49.Request{Method: "GET", Path: path, Query: query}, doc, terminal49.WithMaxResponseBytes(32<<20))
		if !errors.Is(err, terminal49.ErrInvalid) || !query.Has("include") {
			return doc, err
		}
		query.Del("include")
	}
}

func loggedOf(res *model.Resource, included map[model.Ref]*model.Resource) logged {
	n := logged{arrival: store.Arrival{ID: res.ID, Source: "audit", State: store.StateNew}}
	_ = json.Unmarshal(res.Attributes["event"], &n.arrival.Event)
	var created terminal49.Time
	if json.Unmarshal(res.Attributes["created_at"], &created) == nil {
		n.arrival.Created, _ = created.Instant()
	}
	if to, ok := res.One("webhook"); ok {
		n.webhook = to.ID
	}
	n.arrival.Body = bodyOf(res, included[model.AboutOf(res.Raw)])
	return n
}

// bodyOf returns the body of a notification. It includes what the notification is about, unless
// that is nil.
func bodyOf(res, about *model.Resource) []byte {
	doc := struct {
		Data     json.RawMessage   `json:"data"`
		Included []json.RawMessage `json:"included,omitempty"`
	}{Data: res.Raw}
	if about != nil {
		doc.Included = []json.RawMessage{about.Raw}
	}
	body, _ := json.Marshal(doc) // both were JSON
	return model.Scrub(body)
}

// auditLog reads the service's log of notifications: what is new each time, and all of it as often
// as everything is walked over.
func (a *auditor) auditLog(ctx context.Context) error {
	asked := a.asked.reconcile.Load()
	audited, err := a.turn.db.CursorNumber(ctx, store.CursorReconcileAudited)
	if err != nil {
		return err
	}
	if a.has || audited < asked {
		value, err := a.turn.db.Cursor(ctx, store.CursorAuditedWhole)
		if err != nil {
			return err
		}
		whole, unknown := time.Parse(time.RFC3339Nano, value)
		if err := a.Audit(ctx, audited < asked || unknown != nil || plan.Wait(whole, a.every, a.turn.db.Now()) == 0); err != nil {
			return err
		}
	}
	if audited >= asked {
		return nil
	}
	return a.turn.write(ctx, "audit end", func(tx *store.Tx) error {
		return tx.Note(ctx, store.CursorReconcileAudited, strconv.FormatInt(asked, 10))
	})
}
