package terminal49

import (
	"encoding/json"
	"strings"
)

// find returns the change of an attribute, be it a last free day within import_deadlines. Its sides are nil where they
// cannot be made out.
func (c Changeset) find(attribute string) (Change, bool) {
	if change, ok := c.changes[attribute]; ok {
		return change, true
	}
	all, ok := c.changes[changedDeadlines]
	if !ok || !strings.HasPrefix(attribute, ChangedPickupLFD+"_") {
		return Change{}, false
	}
	before, toldBefore := memberOf(all.Old, attribute)
	after, toldAfter := memberOf(all.New, attribute)
	return Change{Old: before, New: after, Raw: all.Raw}, toldAfter || toldBefore && before != nil
}

// memberOf returns a member of an object, null if the object has none of that name. Something that is no object tells
// of every member, but nothing that can be read.
func memberOf(object json.RawMessage, name string) (value json.RawMessage, told bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil, true
	}
	if value, told = members[name]; !told {
		value = json.RawMessage("null")
	}
	return value, told
}

// newValue reads an attribute's new value alone: what the old one is like must not hide it. An attribute that is
// mentioned with a value that cannot be read has changed to nobody knows what, so the value before must not stand
// either: the answer is unknown then.
func newValue[T any](c Changeset, attribute string, unknown T) (value T, mentioned bool) {
	change, mentioned := c.find(attribute)
	if json.Unmarshal(change.New, &value) != nil {
		value = unknown
	}
	return value, mentioned
}

// holdsName is the name under which the changeset has holds.
func (c Changeset) holdsName() string {
	if _, ok := c.changes[ChangedHolds]; !ok {
		return changedHoldsOldName
	}
	return ChangedHolds
}

// sentHolds and sentFees are lists read member by member, as those of a container are: one odd value must cost neither
// the rest of its member nor the neighbours. A member of which nothing can be read still counts, as a hold of unknown
// status or a fee that is not posted; only null is none.
type (
	sentHolds []Hold
	sentFees  []Fee
)

func (s *sentHolds) UnmarshalJSON(data []byte) (err error) {
	*s, err = membersOf(data, func(raw json.RawMessage) Hold {
		var sent struct{ Name, Status, Description sentText }
		if json.Unmarshal(raw, &sent) != nil {
			return Hold{}
		}
		return Hold{HoldName(sent.Name), HoldStatus(sent.Status), string(sent.Description)}
	})
	return err
}

func (s *sentFees) UnmarshalJSON(data []byte) (err error) {
	*s, err = membersOf(data, func(raw json.RawMessage) Fee {
		var sent struct {
			Type         sentText
			Amount       json.RawMessage
			CurrencyCode sentText `json:"currency_code"`
		}
		if json.Unmarshal(raw, &sent) != nil {
			return Fee{}
		}
		amount, err := parseAmount(sent.Amount)
		if err != nil {
			amount = Fee{}.Amount
		}
		return Fee{FeeType(sent.Type), amount, string(sent.CurrencyCode)}
	})
	return err
}

// membersOf reads a list; the result is nil for null.
func membersOf[T any](data []byte, read func(json.RawMessage) T) ([]T, error) {
	var sent []json.RawMessage
	if err := json.Unmarshal(data, &sent); err != nil || sent == nil {
		return nil, err
	}
	list := make([]T, 0, len(sent))
	for _, raw := range sent {
		if string(raw) != "null" {
			list = append(list, read(raw))
		}
	}
	return list, nil
}

// sentText is a text, a number as its digits, or nothing.
type sentText string

func (t *sentText) UnmarshalJSON(data []byte) error {
	var text string
	var number json.Number
	if json.Unmarshal(data, &text) != nil && json.Unmarshal(data, &number) == nil {
		text = string(number)
	}
	*t = sentText(text)
	return nil
}
