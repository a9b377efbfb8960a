package catalogue_test

import (
	"go/ast"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
	"github.com/stretchr/testify/require"
)

// The tests of the catalogue compare the library with what the service has, in both directions.

// serviceMethods returns the doc comments of the exported methods of all services, by
// "ShipmentsService.List".
func serviceMethods(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, file := range gosource.Files(t, ".") {
		for _, decl := range file.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || method.Recv == nil || !method.Name.IsExported() {
				continue
			}
			pointer, ok := method.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if of, ok := pointer.X.(*ast.Ident); ok && of.IsExported() && (strings.HasSuffix(of.Name, "Service") ||
				of.Name+"."+method.Name.Name == "Client.Me") {
				docs[of.Name+"."+method.Name.Name] = method.Doc.Text()
			}
		}
	}
	return docs
}

var (
	apiLine    = regexp.MustCompile(`(?s)\nAPI: (.+)$`) // the last paragraph
	apiRoute   = regexp.MustCompile(`(GET|POST|PATCH|PUT|DELETE) (/[a-z_/{}]*)`)
	bucketName = regexp.MustCompile(`Rate buckets?: ([a-z, ]+(?: and [a-z]+)?)\.`)
)

func TestCatalogue_EveryMethodNamesItsOperation(t *testing.T) {
	operations := map[string]operation.Operation{}
	for _, o := range operation.All() {
		operations[o.Method+" "+o.Path] = o
	}
	called := map[string]bool{}
	methods := serviceMethods(t)
	require.Greater(t, len(methods), 20)
	for method, doc := range methods {
		line := apiLine.FindStringSubmatch(doc)
		require.NotNil(t, line, "%s has no API: line", method)
		routes := apiRoute.FindAllString(line[1], -1)
		require.NotEmpty(t, routes, "%s: %s", method, line[1])
		var buckets []string
		for _, route := range routes {
			o, ok := operations[route]
			require.True(t, ok, "%s: %s is not in the catalogue", method, route)
			called[route] = true
			buckets = append(buckets, string(o.Bucket))
		}
		if len(routes) == 1 {
			said := operation.BucketDefault // unless another is named
			if named := bucketName.FindStringSubmatch(line[1]); named != nil {
				said = named[1]
			}
			require.Equal(t, buckets[0], said, method)
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(operations)), slices.Collect(maps.Keys(called)),
		"operations without a method")
}

func TestCatalogue_Calls(t *testing.T) {
	sentBy := map[string][]testkit.Sent{}
	for _, c := range testkit.EveryCall() {
		api := testkit.NewFakeAPI()
		api.On(c.Method, c.Path, http.StatusOK, c.Reply)
		require.NoError(t, c.Do(t.Context(), testkit.NewClient(t, api)))
		for _, s := range api.Requests() {
			sentBy[s.Info.Op] = append(sentBy[s.Info.Op], s)
		}
	}
	for _, o := range operation.All() {
		t.Run(o.Name, func(t *testing.T) {
			require.NotEmpty(t, sentBy[o.Name], "no call in these tests sends it")
			routes := map[string]bool{}
			for _, s := range sentBy[o.Name] {
				require.Equal(t, o.Method, s.Method)
				require.Equal(t, string(o.Bucket), s.Info.Bucket)
				require.Equal(t, o.Retry, s.Info.Class)
				routes[s.Info.Route] = true
			}
			require.Equal(t, []string{o.Path}, slices.Collect(maps.Keys(routes)))
		})
	}
}

// AllContainerFilters and AllShipmentFilters set every field, so that TestCatalogue_Calls sees
// every filter.
func TestCatalogue_CallsSetEveryFilter(t *testing.T) {
	for _, filter := range []any{testkit.AllContainerFilters(), testkit.AllShipmentFilters()} {
		v := reflect.ValueOf(filter)
		for i := range v.NumField() {
			require.False(t, v.Field(i).IsZero(), "%s.%s is not set", v.Type(), v.Type().Field(i).Name)
		}
	}
}

func TestCatalogue_Includes(t *testing.T) {
	types := map[string]string{
		"shipments.list": "ShipmentInclude", "shipments.get": "ShipmentInclude",
		"containers.list": "ContainerInclude", "containers.get": "ContainerInclude",
		"tracking_requests.list": "TrackingRequestInclude", "tracking_requests.get": "TrackingRequestInclude",
		"containers.transport_events": "TransportEventInclude",
		"documents.list":              "DocumentInclude", "documents.get": "DocumentInclude",
		"email_submissions.list": "EmailSubmissionInclude", "email_submissions.get": "EmailSubmissionInclude",
		"webhook_notifications.list": "WebhookNotificationInclude",
		"webhook_notifications.get":  "WebhookNotificationInclude",
	}
	inSource := gosource.Constants(t, ".")
	for _, o := range operation.All() {
		if len(o.Includes) == 0 {
			continue
		}
		t.Run(o.Name, func(t *testing.T) {
			// Dotted paths may have constants or not.
			dotted := func(s string) bool { return strings.Contains(s, ".") }
			plain := slices.DeleteFunc(slices.Clone(o.Includes), dotted)
			require.NotEmpty(t, types[o.Name])
			require.ElementsMatch(t, plain, slices.DeleteFunc(slices.Clone(inSource[types[o.Name]]), dotted))
		})
	}
}
