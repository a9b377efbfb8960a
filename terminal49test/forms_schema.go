package terminal49test

import (
	"reflect"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// The texts of enumerations, and how forms are read and described that do not follow from fields.
func init() {
	forms.Enumerate(OutcomeAwaitingManifest, OutcomeFailed)
	forms.Enumerate(DocumentExtractionFailed, DocumentUnclassified)
	forms.Enumerate(DuplicatesReplace, DuplicatesAccepted)
	forms.Enumerate(ShapeTitleOnly, ShapeNoTitle, ShapeDetailOnly, ShapeNullDetail, ShapeNullSource, ShapeSingularKey,
		ShapeErrorText, ShapeErrorsText, ShapeMessage, ShapeDetailText, ShapeHTML, ShapeEmpty, ShapeMalformedJSON)
	forms.Enumerate(faultKinds()...)
	forms.Enumerate[deadlineSource]("terminal", "line", "rail")

	forms.ReadWith(func(value any, a *Action) error { return a.read(value) })
	forms.ReadWith(func(value any, s *Step) error { return s.Do.read(value, s) })
	forms.ReadWith(readJourney)
	forms.ReadWith(readFault)
	forms.ReadWith(readRetryAfter)

	forms.Describe[Action](func(s *forms.Schemas) forms.Object { return actionSchema(s) })
	forms.Describe[Step](func(s *forms.Schemas) forms.Object { return actionSchema(s, reflect.TypeFor[Step]()) })
	forms.Describe[Journey](func(s *forms.Schemas) forms.Object {
		return forms.Object{"anyOf": []forms.Object{{"enum": state.SortedKeys(namedJourneys)}, s.Struct(reflect.TypeFor[Journey]())}}
	})
	forms.Describe[RetryAfter](func(s *forms.Schemas) forms.Object {
		layout := s.Struct(reflect.TypeFor[retryForm]())
		layout["properties"].(forms.Object)["layout"] = forms.Object{"enum": state.SortedKeys(retryLayouts)}
		return forms.Object{"anyOf": []forms.Object{s.Of(reflect.TypeFor[time.Duration]()), layout}}
	})
}

// faultKinds returns the kinds of faults that have a text.
func faultKinds() (kinds []FaultKind) {
	for kind := range faultRules {
		if kind != FaultStatus {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// actionSchema returns the schema of an action with the members of more structs.
func actionSchema(s *forms.Schemas, more ...reflect.Type) forms.Object {
	var each []forms.Object
	for _, name := range state.SortedKeys(effects) {
		each = append(each, forms.WithConstant(s.Struct(append(more, reflect.TypeOf(effects[name]))...), "do", name))
	}
	return forms.Object{"oneOf": each}
}
