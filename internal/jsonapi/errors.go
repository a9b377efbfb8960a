package jsonapi

import "encoding/json"

// ErrorObject is one problem of an error body. Any member may be empty.
type ErrorObject struct {
	Title, Detail, Code, Status string
	Pointer, Parameter          string
	Meta                        map[string]any
}

// Errors reads an error body in any of the service's forms: {"errors": [...]}, {"error": [...]},
// either of them as a plain string, {"message": ...} and {"detail": ...}. It returns nil for any
// other body. Error bodies are small and rare, so encoding/json reads them.
func Errors(body []byte) []ErrorObject {
	var doc struct {
		Errors, Error   json.RawMessage
		Message, Detail text
	}
	if json.Unmarshal(body, &doc) != nil {
		return nil
	}
	for _, raw := range []json.RawMessage{doc.Errors, doc.Error} {
		if list := errorList(raw); list != nil {
			return list
		}
	}
	if words := doc.Detail + doc.Message; words != "" {
		return []ErrorObject{{Detail: string(words)}}
	}
	return nil
}

// maxErrors is how many problems of an error body are kept.
const maxErrors = 100

func errorList(raw json.RawMessage) []ErrorObject {
	var words text
	if json.Unmarshal(raw, &words) == nil && words != "" {
		return []ErrorObject{{Detail: string(words)}}
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		elements = []json.RawMessage{raw} // a single object instead of a list
	}
	var list []ErrorObject
	for _, element := range elements[:min(len(elements), maxErrors)] {
		var e struct {
			Title, Detail, Code, Status text
			Source                      struct{ Pointer, Parameter text }
			Meta                        map[string]any
		}
		if json.Unmarshal(element, &words) == nil && words != "" {
			list = append(list, ErrorObject{Detail: string(words)})
			continue
		}
		// Part of an element may be invalid: what could be read is kept.
		_ = json.Unmarshal(element, &e)
		o := ErrorObject{
			Title: string(e.Title), Detail: string(e.Detail), Code: string(e.Code), Status: string(e.Status),
			Pointer: string(e.Source.Pointer), Parameter: string(e.Source.Parameter), Meta: e.Meta,
		}
		if o.Title+o.Detail+o.Code+o.Status != "" {
			list = append(list, o)
		}
	}
	return list
}

// text is a string that may be sent as a number. It is empty for any other kind.
type text string

// UnmarshalJSON never fails, so that one invalid member does not lose the others.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	var n json.Number
	switch {
	case json.Unmarshal(data, &s) == nil:
		*t = text(s)
	case json.Unmarshal(data, &n) == nil:
		*t = text(n)
	default:
		*t = ""
	}
	return nil
}
