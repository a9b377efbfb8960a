package secrets_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/gosource"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Every exported type that can be reached from a client, a handler, an error, a hook or an argument
// is printed in every way, with secrets wherever it can hold them.

// The number of values printed per type: those within others, and those of a journey.
const (
	perType    = 4
	perJourney = 12
)

// secretWalk walks values by reflection, including unexported fields.
type secretWalk struct {
	detector *detector
	seen     map[visitedAt]bool
	shown    map[string]int // by type
	leaks    []string
	values   int
}

type visitedAt struct {
	at  unsafe.Pointer
	typ reflect.Type
}

const thisModule = "github.com/go-freight/terminal49"

// packages are the directories of the packages whose exported types are printed, by import path.
var packages = map[string]string{
	thisModule: ".", thisModule + "/webhook": "webhook", thisModule + "/documentschema": "documentschema",
}

// show prints a value.
func (w *secretWalk) show(v any) {
	w.values++
	w.shown[reflect.TypeOf(v).String()]++
	if leak := w.detector.leak(v); leak != "" {
		w.leaks = append(w.leaks, leak)
	}
}

// walk prints everything reachable from v, which is addressable and not read-only.
func (w *secretWalk) walk(v reflect.Value) {
	typ := v.Type()
	if w.shown[typ.String()] < perType &&
		(ours(typ) || typ.Kind() == reflect.Struct && typ.Implements(reflect.TypeFor[error]())) {
		w.show(v.Interface())
	}
	switch v.Kind() {
	case reflect.Pointer:
		at := visitedAt{v.UnsafePointer(), typ}
		if !v.IsNil() && !w.seen[at] {
			w.seen[at] = true
			w.walk(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.walk(addressable(v.Elem()))
		}
	case reflect.Struct:
		if !strings.HasPrefix(typ.PkgPath(), thisModule) && typ.PkgPath() != "" ||
			strings.HasSuffix(typ.PkgPath(), "terminal49test") {
			return // of other packages, such as the given transport
		}
		for i := range v.NumField() {
			field := v.Field(i)
			w.walk(reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if v.Index(i).Kind() == reflect.Uint8 {
				return
			}
			w.walk(v.Index(i))
		}
	case reflect.Map:
		for entry := v.MapRange(); entry.Next(); {
			w.walk(addressable(entry.Key()))
			w.walk(addressable(entry.Value()))
		}
	}
}

func addressable(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	return to
}

// ours reports whether t is an exported type of the packages and has values.
func ours(t reflect.Type) bool {
	return packages[t.PkgPath()] != "" && ast.IsExported(t.Name()) && t.Kind() != reflect.Interface
}

// typeWalk collects the exported types that are reachable from a type by its fields, methods and
// elements.
func typeWalk(t reflect.Type, found map[reflect.Type]bool) {
	if found[t] || t.PkgPath() != "" && !strings.HasPrefix(t.PkgPath(), thisModule) {
		return
	}
	found[t] = true
	for i := range t.NumMethod() {
		typeWalk(t.Method(i).Type, found)
	}
	switch t.Kind() {
	case reflect.Struct:
		if ours(t) {
			typeWalk(reflect.PointerTo(t), found)
		}
		for i := range t.NumField() {
			typeWalk(t.Field(i).Type, found)
		}
	case reflect.Map:
		typeWalk(t.Key(), found)
		fallthrough
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		typeWalk(t.Elem(), found)
	case reflect.Func:
		for i := range t.NumIn() {
			typeWalk(t.In(i), found)
		}
		for i := range t.NumOut() {
			typeWalk(t.Out(i), found)
		}
	}
}

// filled returns a value with a secret in every possible place, including unexported fields.
func filled(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t {
	case reflect.TypeFor[terminal49.Secret]():
		v.Set(reflect.ValueOf(terminal49.NewSecret(testkit.WebhookSecret)))
		return v
	case reflect.TypeFor[**json.RawMessage]():
		raw := new(json.RawMessage)
		*raw = json.RawMessage(`{"secret":"` + testkit.WebhookSecret + `"}`)
		v.Set(reflect.ValueOf(&raw))
		return v
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{}`))
		return v
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1e9, 0)))
		return v
	case reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New("why")))
		return v
	case reflect.TypeFor[any](), reflect.TypeFor[terminal49.Place](), reflect.TypeFor[terminal49.ReferenceObject](), reflect.TypeFor[webhook.Payload]():
		for _, value := range []any{&terminal49.Webhook{Secret: terminal49.NewSecret(testkit.WebhookSecret)},
			&terminal49.Port{}, &terminal49.TransportEvent{}, &webhook.UnknownPayload{}} {
			if v.IsNil() && reflect.TypeOf(value).AssignableTo(t) {
				v.Set(reflect.ValueOf(value))
			}
		}
		return v
	}
	switch t.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(2)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		if depth < 8 {
			v.Set(filled(t.Elem(), depth+1).Addr())
		}
	case reflect.Slice:
		if depth < 8 {
			v.Set(reflect.Append(v, filled(t.Elem(), depth+1)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(filled(t.Key(), depth+1), filled(t.Elem(), depth+1))
	case reflect.Struct:
		if t.PkgPath() != "" && !strings.HasPrefix(t.PkgPath(), thisModule) {
			return v
		}
		for i := range t.NumField() {
			field := v.Field(i)
			reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(filled(field.Type(), depth+1))
		}
	}
	return v
}

// entrances returns the sources of values other than the methods of a client and a handler.
func entrances() []any {
	return []any{
		terminal49.New, webhook.NewHandler, webhook.OnlyFrom, webhook.ParseNotification, webhook.Resolve, webhook.Recover,
		terminal49.ParseContainerNumber, terminal49.Journey, terminal49.Assess, terminal49.PickupReadiness,
		terminal49.DiffContainers, terminal49.DiffShipments, terminal49.DiffHolds, terminal49.SearchShippingLines,
		terminal49.DiffFees, terminal49.SumFees, terminal49.LastFreeDays, terminal49.NewTime, terminal49.CustomText,
		terminal49.CustomFieldValue.MarshalJSON, terminal49.WithRetryPolicy, terminal49.WithUnstable, terminal49.WithHooks, terminal49.WithRateLimits,
		webhook.OnDelivery,
		webhook.OnDeadLetter, webhook.OnTrackingSucceeded, webhook.OnMilestone, webhook.OnEstimateChanged,
		webhook.OnContainerCreated, webhook.OnContainerUpdated, webhook.OnTerminalChanged,
		webhook.OnLastFreeDayChanged, webhook.OnAppointmentChanged, webhook.OnDocumentExtracted, webhook.OnLinkCreated, webhook.OnUnknown,
		webhook.NewMemoryDedupe, terminal49.CallFromContext, terminal49.WithResponse,
		terminal49.ChangeOf[terminal49.Secret], terminal49.IncludedAll[terminal49.Webhook],
		terminal49.Included[terminal49.Webhook], terminal49.Some[terminal49.Secret],
		terminal49.Some[[]terminal49.WebhookHeader],
		(*terminal49.APIError)(nil), (*terminal49.TransportError)(nil), (*terminal49.DecodeError)(nil),
		(*terminal49.ArgumentError)(nil), (*terminal49.StorageError)(nil), (*terminal49.FilterIgnoredError)(nil),
		(*terminal49.DocumentNotCreatedError)(nil), (*terminal49.DuplicateDocumentError)(nil),
		(*webhook.CallbackPanicError)(nil), (*documentschema.Error)(nil), (*terminal49.UnknownResource)(nil),
		(*terminal49.CarrierUndecidedError)(nil), (*terminal49.ContainerNumberError)(nil),
		(*terminal49.InvalidNumberError)(nil), (*terminal49.TrackingFailedError)(nil),
		terminal49.TrackOutcome{}, terminal49.WaitOutcome{}, terminal49.SumVerdicts, terminal49.FindOperation, terminal49.VerdictOptions{}, terminal49.WatchedChange{},
	}
}

// exportedTypes returns the exported types of the packages, such as "webhook.Delivery", except
// interfaces, whose values have other types.
func exportedTypes(t *testing.T) map[string]bool {
	names := map[string]bool{}
	for _, dir := range packages {
		for _, file := range gosource.Files(t, dir) {
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
					_, isInterface := spec.Type.(*ast.InterfaceType)
					names[file.Name.Name+"."+spec.Name.Name] = !isInterface
				}
				_, function := n.(*ast.FuncDecl)
				return !function
			})
		}
	}
	maps.DeleteFunc(names, func(_ string, values bool) bool { return !values })
	require.Greater(t, len(names), 230)
	return names
}

func TestSecrets_EveryValue(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithToken(testkit.Token), terminal49test.WithoutRateLimits(),
		terminal49test.WithoutSocket())
	defer srv.Close()
	run := newSecretRun(t, srv, srv.Transport(), false)
	run.travel()
	w := &secretWalk{detector: run.detector, seen: map[visitedAt]bool{}, shown: map[string]int{}}

	// Values of a journey, evenly of each type, and those reachable from them.
	byType := map[reflect.Type][]any{}
	for _, v := range run.values {
		byType[reflect.TypeOf(v)] = append(byType[reflect.TypeOf(v)], v)
	}
	for _, values := range byType {
		for i := 0; i < len(values); i += 1 + len(values)/perJourney {
			w.show(values[i])
			w.walk(addressable(reflect.ValueOf(values[i])))
		}
	}
	// A client and a handler with every option.
	behind, err := url.Parse("http://user:" + proxySecret + "@proxy.test")
	require.NoError(t, err)
	proxied := &http.Transport{Proxy: http.ProxyURL(behind),
		ProxyConnectHeader: http.Header{"Proxy-Authorization": {proxySecret}}}
	limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
	require.NoError(t, err)
	client := run.client(proxied, terminal49.WithLimiter(limiter),
		terminal49.WithStorageHTTPClient(&http.Client{Transport: proxied}), terminal49.WithPrefetch(2))
	option := terminal49.WithAccountID(testkit.Account)
	for _, v := range []any{client, *client, client.Webhooks, *client.Webhooks, limiter, option} {
		w.show(v)
		w.walk(addressable(reflect.ValueOf(v)))
	}
	// All other values that a program can receive or pass, filled by type.
	types := map[reflect.Type]bool{}
	for _, v := range append(entrances(), client, &webhook.Handler{}) {
		typeWalk(reflect.TypeOf(v), types)
	}
	for typ := range types {
		if ours(typ) {
			v := filled(typ, 0)
			w.show(v.Interface())
			w.walk(v)
		}
	}
	slices.Sort(w.leaks)
	require.Empty(t, slices.Compact(w.leaks))

	reached := map[string]bool{}
	for name := range w.shown {
		name, _, _ := strings.Cut(strings.TrimLeft(name, "*"), "[")
		reached[name] = true
	}
	exported := exportedTypes(t)
	for name := range exported {
		if !reached[name] {
			t.Errorf("no value of %s was printed: let the journey or entrances lead to it", name)
		}
	}
	t.Logf("figure: secrets: %d values of %d exported types (of %d) printed in %d ways, and %d bytes logged by %d calls, 0 hits",
		w.values, len(exported), len(exported), ways(), run.written.Len(), run.calls)
}
