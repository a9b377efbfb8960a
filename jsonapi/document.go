// Package jsonapi reads JSON:API documents without types. It is for requests made with Client.Do,
// and for programs that keep a copy of what the service sent. Each [Resource] has the bytes that
// it was read from, with all attributes, also those that no type of package terminal49 has. It
// hides nothing: what the service sends as a secret, such as that of a webhook, is in these bytes.
package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"

	decoding "github.com/go-freight/terminal49/internal/jsonapi"
)

// Document is a response of the service, or the body of a notification.
type Document struct {
	Data     []*Resource // one resource, several or none
	Included []*Resource // what these refer to, as far as it was requested
	NextPage string      // the link to the next page of a list; "" on the last one
	Meta     Meta
}

// Meta is what a list reports of itself. A number is nil if it was not reported.
type Meta struct {
	Size  *int `json:"size"`  // rows on a page
	Total *int `json:"total"` // rows on all pages
}

// All returns the resources of the document, those in Data first.
func (d *Document) All() []*Resource {
	return append(d.Data[:len(d.Data):len(d.Data)], d.Included...)
}

// UnmarshalJSON implements json.Unmarshaler. The document keeps a copy of data, which its resources
// share. An element of Data or Included that is not an object is an error; null is left out. A next
// link must be a string, an object with href, or null.
func (d *Document) UnmarshalJSON(data []byte) (err error) {
	*d = Document{}
	from := decoding.NewDecoder(bytes.Clone(data), "", nil)
	from.Object(func(member []byte) {
		var failed error
		switch string(member) {
		case "data":
			d.Data, failed = readResources(from)
		case "included":
			d.Included, failed = readResources(from)
		case "links":
			failed = d.readLinks(from)
		case "meta":
			failed = json.Unmarshal(from.Raw(), &d.Meta)
		default:
			from.Skip()
		}
		err = errors.Join(err, failed)
	})
	return errors.Join(err, from.End())
}

func (d *Document) readLinks(from *decoding.Decoder) (err error) {
	if from.Null() {
		return nil
	}
	isObject := from.Object(func(member []byte) {
		if string(member) != "next" {
			from.Skip()
			return
		}
		next, ok := from.Link()
		if d.NextPage = string(next); !ok {
			err = errNotLink
		}
	})
	if !isObject {
		return errNotLink
	}
	return err
}

// readResources reads one resource, several or none.
func readResources(from *decoding.Decoder) (list []*Resource, err error) {
	read := func() {
		if from.Null() {
			return
		}
		one := new(Resource)
		if !one.read(from) {
			err = errNotResource
		}
		list = append(list, one)
	}
	if from.IsArray() {
		from.Elements(read)
	} else {
		read()
	}
	return list, err
}

var errNotLink = errors.New("jsonapi: links.next must be a string, an object with href, or null")

var errNotResource = errors.New("jsonapi: a document has an element that is not a resource object")
