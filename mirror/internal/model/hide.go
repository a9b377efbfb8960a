package model

import "encoding/json"

// Hide replaces a secret that the caller knows in the resources of a document. hide returns a text
// without it. Resources that do not have it keep the bytes that were sent.
func Hide(doc *Document, hide func(string) string) error {
	for _, list := range [][]*Resource{doc.Data, doc.Included} {
		for i, r := range list {
			raw, found := hidden(r.Raw, hide)
			if !found {
				continue
			}
			clean, err := Parse(raw)
			if err != nil {
				return err
			}
			list[i] = clean
		}
	}
	return nil
}

// HideIn is [Hide] for a body in any form.
func HideIn(body []byte, hide func(string) string) []byte {
	clean, _ := hidden(body, hide)
	return clean
}

func hidden(data []byte, hide func(string) string) (clean []byte, found bool) {
	text := string(data)
	replaced := hide(text) // in any spelling, so that JSON without the secret is not decoded
	switch {
	case replaced == text:
		return data, false
	case !json.Valid(data):
		return []byte(replaced), true
	}
	return Encode(hiddenIn(decode(data), hide)), true
}

// hiddenIn replaces the secret in decoded JSON. In the text of JSON, it could also be a number.
func hiddenIn(v any, hide func(string) string) any {
	switch v := v.(type) {
	case string:
		return hide(v)
	case json.Number:
		if replaced := hide(string(v)); replaced != string(v) {
			return replaced
		}
	case []any:
		for i := range v {
			v[i] = hiddenIn(v[i], hide)
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, value := range v {
			clean[hide(name)] = hiddenIn(value, hide)
		}
		return clean
	}
	return v
}
