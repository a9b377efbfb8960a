// Package jsonapi reads and writes the JSON:API grammar of the service: documents, resources,
// relationships, the included index, error bodies and request envelopes. It is independent of HTTP
// and of the service's resources.
//
// A resource type ([Type]) is described by functions of a [Model] that name its members and the
// addresses of their Go fields. A document is read in a single pass: each attribute name is looked
// up in the table of its resource, and the value is read from the bytes into the Go field. There is
// no intermediate tree, and reflection is for lists of value objects and named types only. Once the
// document is read, relationships are resolved against its resources, by type and id.
//
// Reading is tolerant: an unknown member is skipped, and a value of the wrong JSON kind leaves its
// field empty and is reported as a [Warning]. Only bytes that are not JSON, or not a document, are
// an error. Strict reading reports every unknown member too. encoding/json reads the responses that
// are not documents, and [UnknownMembers] compares those with their Go types.
package jsonapi
