package terminal49_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// printed is a resource in the ways in which programs print it.
func printed(v any) []string {
	return []string{fmt.Sprint(v), fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%s", v)}
}

// The form of a resource object is that of JSON:API 1.1, section 7.2: a type and an id.
func TestResource_PrintsItsTypeAndID(t *testing.T) {
	for _, v := range stored() {
		of := reflect.TypeOf(v).Elem()
		text := fmt.Sprintf(`{"type":%q,"id":%q,"attributes":{"number_type":"container"}}`, wireType(of), testkit.ContainerID)
		require.NoError(t, json.Unmarshal([]byte(text), v))
		want := wireType(of) + " " + testkit.ContainerID
		for _, value := range []any{v, reflect.ValueOf(v).Elem().Interface()} {
			for _, got := range printed(value) {
				require.Equal(t, want, got, "%T", value)
			}
		}
		for _, got := range printed([]any{v}) {
			require.Equal(t, "["+want+"]", got)
		}
		require.Equal(t, "<nil>", fmt.Sprint(reflect.Zero(reflect.TypeOf(v)).Interface()))
	}
}

func TestContainer_PrintsItsNumber(t *testing.T) {
	for want, c := range map[string]terminal49.Container{
		"container MSCU1234566 (" + testkit.ContainerID + ")": {
			Resource: terminal49.Resource{ID: testkit.ContainerID, Type: "container"}, Number: "MSCU1234566"},
		"container MSCU1234566": {Number: "MSCU1234566"},
		"container c":           {Resource: terminal49.Resource{ID: "c"}},
		"container":             {},
		`container A\nB`:        {Number: "A\nB"},
	} {
		for _, got := range append(printed(c), printed(&c)...) {
			require.Equal(t, want, got)
		}
	}
	require.Equal(t, "resource", terminal49.Resource{}.String())
}

// A relationship does not lead to addresses, and the JSON that is kept, which may hold secrets, is
// not printed.
func TestResource_PrintsNoAddressesAndNoSecrets(t *testing.T) {
	const secret = "s3cr3t-of-the-webhook"
	body := `{"data":[{"id":"` + testkit.WebhookID + `","type":"webhook","attributes":{"url":"https://example.com/` + secret + `","secret":"` + secret + `"}}]}`
	client := testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithRawJSON())
	page, err := client.Webhooks.List(t.Context(), nil)
	require.NoError(t, err)
	webhook := page.Items[0]
	require.Contains(t, string(webhook.Raw()), secret)
	require.Equal(t, "[webhook "+testkit.WebhookID+"]", fmt.Sprint(page.Items))
	demoClient, ids := demo(t)
	container, err := demoClient.Containers.Get(t.Context(), ids[0], &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{"shipment", "pod_terminal", "transport_events"}})
	require.NoError(t, err)
	shipment, _ := container.Shipment.Value()
	for _, v := range []any{webhook, *webhook, container, *container, shipment} {
		for _, got := range printed(v) {
			require.NotContains(t, got, secret)
			require.NotRegexp(t, regexp.MustCompile(`0x[0-9a-f]{6,}`), got)
		}
	}
}
