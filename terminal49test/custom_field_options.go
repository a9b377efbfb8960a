package terminal49test

import (
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// CustomFieldOption is one choice of a definition of data type "enum" or "enum_multi".
type CustomFieldOption struct {
	ID       string `json:"id,omitzero"` // "" generates one
	Label    string `json:"label,omitzero"`
	Value    string `json:"value,omitzero"`
	Position *int   `json:"position,omitzero"` // nil means null
}

// definitionAndOption finds the definition and option in the path; at is -1 if the option does not
// exist.
func (x *exchange) definitionAndOption() (d *CustomFieldDefinition, at int) {
	if d = x.w.custom.definitions.Get(x.Args["definition_id"]); d == nil {
		return nil, -1
	}
	return d, slices.IndexFunc(d.Options, func(o CustomFieldOption) bool { return o.ID == x.Args["option_id"] })
}

func (x *exchange) listOptions() service.Reply {
	d, _ := x.definitionAndOption()
	if d == nil {
		return service.NotFound()
	}
	var rows []wire.Ref
	for _, o := range d.Options {
		rows = append(rows, wire.Ref{Kind: "custom_field_option", ID: o.ID})
	}
	return x.unpagedList(rows)
}

func (x *exchange) getOption() service.Reply {
	d, at := x.definitionAndOption()
	if at < 0 {
		return service.NotFound()
	}
	return x.one(200, wire.Ref{Kind: "custom_field_option", ID: d.Options[at].ID})
}

func (x *exchange) createOption() service.Reply {
	d, _ := x.definitionAndOption()
	if d == nil {
		return service.NotFound()
	}
	var o CustomFieldOption
	x.Attribute("value", &o.Value)
	x.readOption(&o)
	switch {
	case d.DataType != "enum" && d.DataType != "enum_multi":
		return *service.Unprocessable("/data", "Only enum and enum_multi definitions have options.")
	case o.Label == "":
		return service.Refusal(service.AttributeProblem("/data/attributes/label", "blank", "Label can't be blank"))
	case o.Value == "":
		return service.Refusal(service.AttributeProblem("/data/attributes/value", "blank", "Value can't be blank"))
	case d.option(o.Value) != nil:
		return service.Refusal(service.AttributeProblem("/data/attributes/value", "duplicate", "Value has already been taken"))
	}
	o.ID = x.w.ids.Next("custom_field_option")
	d.Options = append(d.Options, o)
	return x.one(201, wire.Ref{Kind: "custom_field_option", ID: o.ID})
}

func (x *exchange) updateOption() service.Reply {
	d, at := x.definitionAndOption()
	if at < 0 {
		return service.NotFound()
	}
	x.readOption(&d.Options[at])
	return x.one(200, wire.Ref{Kind: "custom_field_option", ID: d.Options[at].ID})
}

func (x *exchange) readOption(o *CustomFieldOption) {
	x.Attribute("label", &o.Label)
	if _, there := x.Data.Attributes["position"]; there {
		var position int
		if o.Position = nil; x.Attribute("position", &position) {
			o.Position = &position
		}
	}
}

// deleteOption keeps values that were set to the option.
func (x *exchange) deleteOption() service.Reply {
	d, at := x.definitionAndOption()
	if at < 0 {
		return service.NotFound()
	}
	d.Options = slices.Delete(d.Options, at, at+1)
	return service.EmptyReply(200)
}

func (v view) renderOption(r wire.Ref) (wire.Resource, bool) {
	for _, d := range v.w.custom.definitions.All() {
		for _, o := range d.Options {
			if o.ID != r.ID {
				continue
			}
			var position any
			if o.Position != nil {
				position = *o.Position
			}
			return wire.Resource{
				Ref:        r,
				Attributes: wire.Object{{"label", o.Label}, {"value", o.Value}, {"position", position}},
			}, true
		}
	}
	return wire.Resource{}, false
}

func (d *CustomFieldDefinition) option(value string) *CustomFieldOption {
	i := slices.IndexFunc(d.Options, func(o CustomFieldOption) bool { return o.Value == value })
	if i < 0 {
		return nil
	}
	return &d.Options[i]
}

// optionLabel returns the label of an option, or the value itself if the option was deleted.
func (d *CustomFieldDefinition) optionLabel(value string) string {
	if o := d.option(value); o != nil {
		return o.Label
	}
	return value
}
