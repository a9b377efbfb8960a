// Package jsonapi reads JSON:API documents without types. It is for requests made with Client.Do,
// and for programs that keep a copy of what the service sent. Each [Resource] has the bytes that
// it was read from, with all attributes, also those that no type of package terminal49 has. It
// hides nothing: what the service sends as a secret, such as that of a webhook, is in these bytes.
package jsonapi

import (
	"bytes"
	"errors"
	"fmt"

	decoding "github.com/go-freight/terminal49/internal/jsonapi"
)

// Document is a response of the service, or the body of a notification.
type Document struct {
	Data     []*Resource // one resource, several or none
	Included []*Resource // what these refer to, as far as it was requested
	NextPage string      // the link to the next page of a list; "" on the last one
	Meta     Meta
	// Odd names what was left out because its form is unknown, such as "data[3]", which is not an
	// object, "links.next" or "meta.total". It holds no values.
	Odd []string
}

// Meta is what a list reports of itself. A number is nil if it was not reported.
type Meta struct {
	Size  *int // rows on a page
	Total *int // rows on all pages
}

// All returns the resources of the document, those in Data first.
func (d *Document) All() []*Resource {
	return append(d.Data[:len(d.Data):len(d.Data)], d.Included...)
}

// UnmarshalJSON implements json.Unmarshaler. The document keeps a copy of data, which its resources
// share. Elements of Data or Included that are null are left out; those that are not objects are
// named in Odd, and so are links and numbers in an unknown form. A next link may be a string, an
// object with href, or null; a number may be a string. Data that is neither a resource, a list nor
// null is an error.
func (d *Document) UnmarshalJSON(data []byte) (err error) {
	*d = Document{}
	from := decoding.NewDecoder(bytes.Clone(data), "", nil)
	isObject := from.Object(func(member []byte) {
		switch string(member) {
		case "data":
			if !d.readResources(from, "data", &d.Data) {
				err = errNotResource
			}
		case "included":
			if !d.readResources(from, "included", &d.Included) {
				d.odd("included")
			}
		case "links":
			d.readLinks(from)
		case "meta":
			d.readMeta(from)
		default:
			from.Skip()
		}
	})
	if !isObject && from.Err() == nil {
		err = errNotDocument
	}
	return errors.Join(err, from.End())
}

func (d *Document) odd(format string, args ...any) {
	d.Odd = append(d.Odd, fmt.Sprintf(format, args...))
}

func (d *Document) readLinks(from *decoding.Decoder) {
	if from.Null() {
		return
	}
	isObject := from.Object(func(member []byte) {
		if string(member) != "next" {
			from.Skip()
			return
		}
		next, ok := from.Link()
		if d.NextPage = string(next); !ok {
			d.odd("links.next")
		}
	})
	if !isObject {
		d.odd("links")
	}
}

func (d *Document) readMeta(from *decoding.Decoder) {
	from.Object(func(member []byte) {
		switch string(member) {
		case "size":
			d.Meta.Size = d.readCount(from, "meta.size")
		case "total":
			d.Meta.Total = d.readCount(from, "meta.total")
		default:
			from.Skip()
		}
	})
}

func (d *Document) readCount(from *decoding.Decoder, name string) *int {
	if from.Null() {
		return nil
	}
	n, ok := from.Int()
	if !ok || n < 0 {
		d.odd("%s", name)
		return nil
	}
	return &n
}

// readResources reads one resource, several or none. It returns false for anything else.
func (d *Document) readResources(from *decoding.Decoder, member string, into *[]*Resource) bool {
	read := func() bool {
		one := new(Resource)
		ok := one.read(from)
		if ok {
			*into = append(*into, one)
		}
		return ok || from.Err() != nil
	}
	if !from.IsArray() {
		return from.Null() || read()
	}
	n := 0
	from.Elements(func() {
		if !from.Null() && !read() {
			d.odd("%s[%d]", member, n)
		}
		n++
	})
	return true
}

var (
	errNotDocument = errors.New("jsonapi: the body is not a JSON:API document")
	errNotResource = errors.New("jsonapi: data must be a resource object, a list of them, or null")
)
