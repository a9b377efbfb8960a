package jsonapi

import "encoding/json"

// Request is the envelope of a request body. Empty members are left out.
type Request struct {
	Type          string             `json:"type"`
	ID            string             `json:"id,omitempty"`
	Attributes    json.RawMessage    `json:"attributes,omitempty"`
	Relationships map[string]Related `json:"relationships,omitempty"`
}

// Related is a to-one relationship in a request body.
type Related struct {
	Data struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	} `json:"data"`
}

// RelatedTo returns a relationship to one resource.
func RelatedTo(typ, id string) (r Related) {
	r.Data.Type, r.Data.ID = typ, id
	return r
}

// Encode returns the envelope as {"data": {...}}.
func (r Request) Encode() ([]byte, error) {
	return json.Marshal(struct {
		Data Request `json:"data"`
	}{r})
}
