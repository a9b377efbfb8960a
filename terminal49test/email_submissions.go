package terminal49test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// EmailSubmission is an e-mail to the account's address for documents.
type EmailSubmission struct {
	ID          string         `json:"id,omitzero"` // "" generates one
	Subject     string         `json:"subject,omitzero"`
	Body        string         `json:"body,omitzero"`
	From        []string       `json:"from,omitzero"`
	To          []string       `json:"to,omitzero"`
	CC          []string       `json:"cc,omitzero"`
	References  []string       `json:"references,omitzero"`
	MessageID   string         `json:"message_id,omitzero"`
	InReplyTo   string         `json:"in_reply_to,omitzero"`
	ContentType string         `json:"content_type,omitzero"` // "" means "multipart/mixed"
	User        string         `json:"user,omitzero"`         // user id; "" means null
	SentAt      time.Time      `json:"sent_at,omitzero"`
	CreatedAt   time.Time      `json:"created_at,omitzero"` // zero means now
	Attributes  map[string]any `json:"attributes,omitzero"`
}

// AddEmailSubmission adds an e-mail without attachments and returns its id.
func (s *Server) AddEmailSubmission(e EmailSubmission) string {
	return withWorld(s, func(w *world) string { return w.addEmail(e) })
}

// ReceiveEmail adds an e-mail with attachments. Each becomes a document of source "email", which is
// processed like an uploaded one.
func (s *Server) ReceiveEmail(e EmailSubmission, attachments ...Document) (id string, documents []string) {
	withWorld(s, func(w *world) bool {
		id = w.addEmail(e)
		for _, d := range attachments {
			d.EmailSubmission, d.Source = id, "email"
			documents = append(documents, w.addDocument(d))
		}
		return true
	})
	return id, documents
}

func (w *world) addEmail(e EmailSubmission) string {
	e.ID = w.identify(e.ID, "email_submission")
	e.CreatedAt = w.orNow(e.CreatedAt)
	e.ContentType = cmp.Or(e.ContentType, "multipart/mixed")
	e.From, e.To, e.CC = slices.Clone(e.From), slices.Clone(e.To), slices.Clone(e.CC)
	e.References, e.Attributes = slices.Clone(e.References), maps.Clone(e.Attributes)
	w.docs.emails.Put(e.ID, &e)
	return e.ID
}

func (x *exchange) listEmails() service.Reply {
	x.emails = true
	key := func(e *EmailSubmission) (string, time.Time) { return e.ID, e.CreatedAt }
	return x.page(newestFirst("email_submission", x.w.docs.emails.All(), key), 30, metaSizeTotal)
}

func (x *exchange) getEmail() service.Reply {
	if x.w.docs.emails.Get(x.Args["id"]) == nil {
		return service.DocumentNotFound("EmailSubmission")
	}
	x.emails = true
	return x.one(200, wire.Ref{Kind: "email_submission", ID: x.Args["id"]})
}

func (v view) renderEmail(e *EmailSubmission) wire.Resource {
	r := wire.Resource{Ref: wire.Ref{Kind: "email_submission", ID: e.ID}}
	if !v.emails { // included with documents
		r.Attributes = wire.Object{
			{"subject", wire.OrNull(e.Subject)}, {"body_preview", wire.OrNull(strings.ToValidUTF8(e.Body[:min(len(e.Body), 200)], ""))},
			{"from", wire.NonNil(e.From)}, {"to", wire.NonNil(e.To)}, {"cc", wire.NonNil(e.CC)}, {"message_id", wire.OrNull(e.MessageID)},
			{"sent_at", e.SentAt}, {"created_at", e.CreatedAt}, {"updated_at", e.CreatedAt},
		}.With(e.Attributes)
		return r
	}
	var documents []string
	for _, d := range v.w.docs.documents.All() {
		if d.EmailSubmission == e.ID && !d.Discarded {
			documents = append(documents, d.ID)
		}
	}
	r.Self = basePath + "/email_submissions/" + e.ID
	r.Attributes = wire.Object{
		{"subject", e.Subject}, {"body", wire.OrNull(e.Body)}, {"from", wire.NonNil(e.From)}, {"to", wire.NonNil(e.To)}, {"cc", wire.NonNil(e.CC)},
		{"sent_at", e.SentAt}, {"message_id", wire.OrNull(e.MessageID)}, {"in_reply_to", wire.OrNull(e.InReplyTo)},
		{"references", wire.NonNil(e.References)}, {"content_type", wire.OrNull(e.ContentType)}, {"documents_count", len(documents)},
		{"created_at", e.CreatedAt}, {"updated_at", e.CreatedAt},
	}.With(e.Attributes)
	r.Relations = []wire.Relation{
		wire.ToOne("account", "account", v.w.account), wire.ToOne("user", "user", e.User), wire.ToMany("documents", "document", documents),
	}
	return r
}
