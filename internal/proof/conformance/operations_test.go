package conformance_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// testedOperation is an operation of the service with a call of it.
type testedOperation struct {
	operation.Operation
	do     func(context.Context, *terminal49.Client, string) error // the string is the signed id of a file that was uploaded
	reply  string                                                  // a response to it
	unread bool                                                    // its response is not read
	single bool                                                    // its response is one resource
	named  bool                                                    // the request names that resource by its UUID
	turn   int                                                     // its number among the operations of its retry class
	step   *step                                                   // nil for an operation of the catalogue
}

// conformanceOperations returns every operation of the catalogue with the first of its calls.
func conformanceOperations(t *testing.T) []testedOperation {
	calls := map[string]testkit.Call{}
	for _, c := range testkit.EveryCall() {
		if _, ok := calls[c.Op]; !ok {
			calls[c.Op] = c
		}
	}
	var list []testedOperation
	turns := map[transport.Class]int{}
	for _, o := range operation.All() {
		c, ok := calls[o.Name]
		require.True(t, ok, "there is no call of %s", o.Name)
		verb := o.Name[strings.LastIndex(o.Name, ".")+1:]
		op := testedOperation{Operation: o, reply: c.Reply, turn: turns[o.Retry],
			do: func(ctx context.Context, client *terminal49.Client, _ string) error { return c.Do(ctx, client) }}
		op.unread = o.Method == "DELETE" || verb == "reextract" || verb == "reclassify" || verb == "relink" || verb == "rotate"
		// The OpenAPI document describes the examples of notifications as a list.
		op.single = strings.HasPrefix(c.Reply, `{"data":{"id":`) && verb != "examples"
		op.named = op.single && o.Method != http.MethodPost && (o.Name == hasTwoRoutes || isUUID(lastArgument(o.Path, c.Path)))
		if special := specialCalls[o.Name]; special != nil {
			op.do = special
		}
		list = append(list, op)
		turns[o.Retry]++
	}
	return list
}

// specialCalls replace calls that fail, or take long, against the simulator.
var specialCalls = map[string]func(context.Context, *terminal49.Client, string) error{
	"documents.create": func(ctx context.Context, c *terminal49.Client, signedID string) error {
		return testkit.First(c.Documents.Create(ctx,
			terminal49.DocumentCreate{Name: "Invoice 7", AttachedDocument: terminal49.NewSecret(signedID)}))
	},
	"vessels.future_positions_with_coordinates": func(ctx context.Context, c *terminal49.Client, _ string) error {
		return testkit.First(c.Vessels.FuturePositionsFrom(ctx, testkit.VesselID,
			terminal49.VesselLeg{PreviousPortID: testkit.PortID, NextPortID: testkit.OtherPortID},
			terminal49.Coordinates{Latitude: 37.85, Longitude: -122.35})) // close to the port
	},
}

var isUUID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString

// lastArgument returns the last element of a path that its template names.
func lastArgument(template, path string) (last string) {
	elements := strings.Split(path, "/")
	for i, element := range strings.Split(template, "/") {
		if strings.HasPrefix(element, "{") {
			last = elements[i]
		}
	}
	return last
}

// uploaded uploads a file to the storage and returns its signed id.
func uploaded(t *testing.T, srv *terminal49test.Server) string {
	t.Helper()
	stop := testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if info, _ := terminal49.CallFromContext(req.Context()); info.Op == "documents.create" {
			return testkit.Answer(http.StatusUnprocessableEntity, "")(req) // the file is stored, and the document not yet created
		}
		return next.RoundTrip(req)
	})
	_, err := testkit.SimulatedClient(t, srv, stop).Documents.Upload(t.Context(), paper())
	var stored *terminal49.DocumentNotCreatedError
	require.ErrorAs(t, err, &stored)
	return stored.SignedID().Reveal()
}

func paper() terminal49.DocumentFile {
	return terminal49.DocumentFile{FileName: "a.pdf", ContentType: "application/pdf", Content: strings.NewReader("pdf")}
}
