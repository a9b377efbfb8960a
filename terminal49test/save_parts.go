package terminal49test

import (
	"reflect"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// savedPart is a kind of line of a saved world.
type savedPart struct {
	name string // of the line's member
	save func(s *Server, out *lineWriter)
	load func(l *loading, raw []byte) error
	form reflect.Type       // of the member's value
	of   func(w *world) any // the part of the world that the lines describe
}

// loading is a world that is being read.
type loading struct {
	line   int
	part   string
	ended  bool   // the last line was read
	world  *world // nil before the first line
	config config
	now    time.Time
	speed  float64
	faults []*Fault
	orders []savedOrder
	bodies map[string]*deliveryBody // of planned deliveries, that are not among the newest
}

func newLoading() *loading {
	return &loading{bodies: map[string]*deliveryBody{}}
}

// savedParts are the lines of a saved world in their order. Rows refer only to rows of lines
// before.
var savedParts []savedPart

func init() {
	savedParts = slices.Concat([]savedPart{worldPart()}, tableParts(), []savedPart{
		linesOf("document_type", func(w *world) any { return &w.docs.types },
			func(s *Server, out *lineWriter) {
				for _, t := range s.world.docs.types {
					out.add("document_type", t.Code, t)
				}
			},
			func(l *loading, t DocumentType) error {
				l.world.docs.types = append(l.world.docs.types, t)
				return nil
			}),
	}, webhookParts(), removalParts(), planParts(), []savedPart{endPart()})
	for _, p := range savedParts {
		forms.Lines[p.name] = p.schema
	}
}

// schema returns the JSON Schema of the member's value.
func (p savedPart) schema(s *forms.Schemas) forms.Object {
	if taskForms[p.name] != nil {
		return s.Struct(reflect.TypeFor[plannedAt](), p.form)
	}
	return s.Of(p.form)
}

// endPart is the last line. A file that was cut off lacks it.
func endPart() savedPart {
	return linesOf("end", nil,
		func(_ *Server, out *lineWriter) { out.add("end", "", savedEnd{}) },
		func(l *loading, _ savedEnd) error {
			l.ended = true
			return nil
		})
}

type savedEnd struct{}

func partNamed(name string) *savedPart {
	for i := range savedParts {
		if savedParts[i].name == name {
			return &savedParts[i]
		}
	}
	return nil
}

func partNames() (names []string) {
	for _, p := range savedParts {
		names = append(names, p.name)
	}
	return names
}

// linesOf returns a part whose lines have the form F.
func linesOf[F any](name string, of func(*world) any, save func(*Server, *lineWriter), load func(*loading, F) error) savedPart {
	return savedPart{name: name, form: reflect.TypeFor[F](), of: of, save: save, load: func(l *loading, raw []byte) error {
		var form F
		if err := forms.Decode(raw, &form); err != nil {
			return err
		}
		return load(l, form)
	}}
}

// tableOf is the part of a table whose rows have no other members than their form.
func tableOf[T any](name string, table func(*world) *state.Table[T], id func(*T) string) savedPart {
	return tableAs(name, table, id, func(row *T) T { return *row }, func(_ *world, row T) (*T, error) { return &row, nil })
}

// tableAs is the part of a table whose rows are saved in the form F.
func tableAs[T, F any](name string, table func(*world) *state.Table[T], id func(*T) string, form func(*T) F, row func(*world, F) (*T, error)) savedPart {
	return linesOf(name, func(w *world) any { return table(w) },
		func(s *Server, out *lineWriter) {
			for row := range table(s.world).InMemory() {
				out.add(name, id(row), form(row))
			}
		},
		func(l *loading, f F) error {
			read, err := row(l.world, f)
			if err != nil {
				return err
			}
			t, key := table(l.world), id(read)
			if key == "" {
				return &forms.Error{Member: "id", Problem: "is required"}
			}
			if t.Rows[key] != nil {
				return &forms.Error{Member: "id", Problem: "is that of an earlier line"}
			}
			t.Put(key, read)
			return nil
		})
}

// tableParts are the resources.
func tableParts() []savedPart {
	return []savedPart{
		tableOf("shipping_line", func(w *world) *state.Table[ShippingLine] { return &w.lines }, func(l *ShippingLine) string { return l.ID }),
		tableOf("port", func(w *world) *state.Table[Port] { return &w.ports }, func(p *Port) string { return p.ID }),
		tableOf("metro_area", func(w *world) *state.Table[MetroArea] { return &w.metroAreas }, func(m *MetroArea) string { return m.ID }),
		tableOf("terminal", func(w *world) *state.Table[Terminal] { return &w.terminals }, func(t *Terminal) string { return t.ID }),
		tableOf("vessel", func(w *world) *state.Table[Vessel] { return &w.vessels }, func(v *Vessel) string { return v.ID }),
		tableOf("party", func(w *world) *state.Table[Party] { return &w.parties }, func(p *Party) string { return p.ID }),
		tableOf("custom_field_definition", func(w *world) *state.Table[CustomFieldDefinition] { return &w.custom.definitions },
			func(d *CustomFieldDefinition) string { return d.ID }),
		tableOf("document_schema", func(w *world) *state.Table[DocumentSchema] { return &w.docs.schemas }, (*DocumentSchema).id),
		tableOf("shipment", func(w *world) *state.Table[Shipment] { return &w.shipments }, func(s *Shipment) string { return s.ID }),
		tableAs("container", func(w *world) *state.Table[Container] { return &w.containers }, func(c *Container) string { return c.ID },
			func(c *Container) savedContainer { return savedContainer{*c, c.updatedAt} },
			func(_ *world, f savedContainer) (*Container, error) {
				f.updatedAt = f.UpdatedAt
				return &f.Container, nil
			}),
		tableOf("transport_event", func(w *world) *state.Table[TransportEvent] { return &w.events }, func(e *TransportEvent) string { return e.ID }),
		tableOf("raw_event", func(w *world) *state.Table[RawEvent] { return &w.rawEvents }, func(e *RawEvent) string { return e.ID }),
		tableOf("tracking_request", func(w *world) *state.Table[TrackingRequest] { return &w.requests }, func(r *TrackingRequest) string { return r.ID }),
		tableOf("party_role", func(w *world) *state.Table[PartyRole] { return &w.partyRoles }, func(r *PartyRole) string { return r.ID }),
		tableAs("custom_field", func(w *world) *state.Table[customField] { return &w.custom.values }, func(f *customField) string { return f.id },
			(*customField).saved, (*world).savedField),
		tableOf("email_submission", func(w *world) *state.Table[EmailSubmission] { return &w.docs.emails }, func(e *EmailSubmission) string { return e.ID }),
		tableAs("document", func(w *world) *state.Table[Document] { return &w.docs.documents }, func(d *Document) string { return d.ID },
			func(d *Document) savedDocument {
				f := savedDocument{*d, d.representation, d.payloadChangedAt, d.checksum}
				f.Content = firstChunk(d.Content)
				return f
			},
			func(_ *world, f savedDocument) (*Document, error) {
				f.representation, f.payloadChangedAt, f.checksum = f.Representation, f.PayloadChangedAt, f.Checksum
				return &f.Document, nil
			}),
		tableAs("uploaded_file", func(w *world) *state.Table[documentBlob] { return &w.docs.blobs }, func(b *documentBlob) string { return b.signedID },
			func(b *documentBlob) savedBlob {
				return savedBlob{b.signedID, b.key, b.fileName, b.contentType, b.checksum, b.size, firstChunk(b.uploaded)}
			},
			func(_ *world, f savedBlob) (*documentBlob, error) {
				return &documentBlob{f.SignedID, f.Key, f.FileName, f.ContentType, f.Checksum, f.Size, f.Content}, nil
			}),
		contentPart(),
		tableOf("webhook", func(w *world) *state.Table[Webhook] { return &w.webhooks }, func(h *Webhook) string { return h.ID }),
		tableOf("webhook_notification", func(w *world) *state.Table[WebhookNotification] { return &w.notifications },
			func(n *WebhookNotification) string { return n.ID }),
		tableAs("webhook_event", func(w *world) *state.Table[changeEvent] { return &w.changeEvents }, func(n *changeEvent) string { return n.id },
			func(n *changeEvent) savedChange {
				return savedChange{n.id, n.kind, n.at, n.shipment, n.container, n.terminal.ID, n.terminal.Kind, n.estimate, n.changeset, n.port, n.vessel, n.voyage}
			},
			func(_ *world, f savedChange) (*changeEvent, error) {
				return &changeEvent{f.ID, f.Type, f.At, f.Shipment, f.Container, wire.Ref{Kind: f.TerminalType, ID: f.Terminal}, f.Estimate, f.Changeset,
					f.Port, f.Vessel, f.VoyageNumber}, nil
			}),
	}
}

type savedContainer struct {
	Container
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}

type savedDocument struct {
	Document
	Representation   string    `json:"representation,omitzero"`
	PayloadChangedAt time.Time `json:"payload_changed_at,omitzero"`
	Checksum         string    `json:"checksum,omitzero"`
}

type savedBlob struct {
	SignedID    string `json:"signed_id"`
	Key         string `json:"key"`
	FileName    string `json:"file_name"`
	ContentType string `json:"content_type,omitzero"`
	Checksum    string `json:"checksum"`
	Size        int64  `json:"byte_size"`
	Content     []byte `json:"content,omitzero" form:"text"`
}

type savedChange struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	At           time.Time `json:"at"`
	Shipment     string    `json:"shipment,omitzero"`
	Container    string    `json:"container,omitzero"`
	Terminal     string    `json:"terminal,omitzero"`
	TerminalType string    `json:"terminal_type,omitzero"`
	Estimate     time.Time `json:"estimated_timestamp,omitzero"`
	Changeset    wire.Raw  `json:"changeset,omitzero"`
	Port         string    `json:"port,omitzero"`
	Vessel       string    `json:"vessel,omitzero"`
	VoyageNumber string    `json:"voyage_number,omitzero"`
}

type savedField struct {
	ID         string    `json:"id"`
	Entity     string    `json:"entity"`
	EntityType string    `json:"entity_type"`
	Definition string    `json:"definition"`
	Value      wire.Raw  `json:"value"`
	UpdatedAt  time.Time `json:"updated_at,omitzero"`
}

func (v *customField) saved() savedField {
	return savedField{v.id, v.entity.ID, v.entity.Kind, v.definition, wire.AppendJSON(nil, v.value), v.updatedAt}
}

// savedField returns the value of a line, in the form in which it is sent.
func (w *world) savedField(from savedField) (*customField, error) {
	f := &customField{from.ID, from.Definition, wire.Ref{Kind: from.EntityType, ID: from.Entity}, nil, from.UpdatedAt}
	if w.custom.definitions.Get(f.definition) == nil {
		return nil, &forms.Error{Member: "definition", Problem: "must be that of an earlier line"}
	}
	var to struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
	var list []string
	switch {
	case len(from.Value) == 0: // null
		return f, nil
	case from.Value[0] == '{':
		if err := forms.Decode(from.Value, &to); err != nil {
			return nil, forms.At("value", err)
		}
		f.value = wire.Object{{Name: "type", Value: to.Type}, {Name: "id", Value: to.ID}}
		return f, nil
	case from.Value[0] == '[':
		err := wire.DecodeExact([]byte(from.Value), &list)
		f.value = list
		return f, err
	}
	return f, wire.DecodeExact([]byte(from.Value), &f.value)
}

// maxChunk is how many bytes of a file are in a line, which is at most six times as long.
const maxChunk = 8 << 20

// savedContent is a further part of a long file.
type savedContent struct {
	Document string `json:"document,omitzero"`
	SignedID string `json:"signed_id,omitzero"` // of an uploaded file
	Content  []byte `json:"content" form:"text"`
}

func firstChunk(content []byte) []byte { return content[:min(len(content), maxChunk)] }

// contentPart has the files that are too long for the line of their row.
func contentPart() savedPart {
	return linesOf("more_content", nil,
		func(s *Server, out *lineWriter) {
			for d := range s.world.docs.documents.InMemory() {
				for _, chunk := range laterChunks(d.Content) {
					out.add("more_content", d.ID, savedContent{Document: d.ID, Content: chunk})
				}
			}
			for b := range s.world.docs.blobs.InMemory() {
				for _, chunk := range laterChunks(b.uploaded) {
					out.add("more_content", b.signedID, savedContent{SignedID: b.signedID, Content: chunk})
				}
			}
		},
		func(l *loading, f savedContent) error {
			d, b := l.world.docs.documents.Get(f.Document), l.world.docs.blobs.Get(f.SignedID)
			switch {
			case d != nil:
				d.Content = append(d.Content, f.Content...)
			case b != nil:
				b.uploaded = append(b.uploaded, f.Content...)
			default:
				return &forms.Error{Member: "document", Problem: "must be that of an earlier line"}
			}
			return nil
		})
}

func laterChunks(content []byte) [][]byte {
	return slices.Collect(slices.Chunk(content, maxChunk))[min(1, (len(content)+maxChunk-1)/maxChunk):]
}
