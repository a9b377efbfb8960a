package terminal49_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestContainers_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ContainerCalls()) }

// Names and forms are those of service-facts 14.2 to 14.5.
func TestFilters_Requests(t *testing.T) { testkit.TestCalls(t, testkit.FilterCalls()) }

// What service-facts 14.2 to 14.5 say that the service refuses, misreads or drops.
func TestFilters_RefuseWhatTheServiceMisreads(t *testing.T) {
	type containers = terminal49.ContainerFilter
	type shipments = terminal49.ShipmentFilter
	day, next := terminal49.Date{Year: 2026, Month: 3, Day: 2}, terminal49.Date{Year: 2026, Month: 3, Day: 3}
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, f := range map[string]containers{
		"comma":              {VesselName: []string{"A,B"}},
		"operator":           {VesselName: []string{"~A"}},
		"empty":              {Number: []string{" - "}},
		"presence and value": {PODCode: []string{"USLAX", terminal49.NotReported}},
		"presence refused":   {OwnerID: []string{terminal49.Reported}},
		"tag presence":       {Tags: []string{"a,b"}},
		"LOCODE":             {PODCode: []string{"uslax"}},
		"SCAC":               {ShippingLineSCAC: []string{"MAERSK"}},
		"id":                 {PODTerminalID: []string{"WBCT"}},
		"status":             {CurrentStatus: []terminal49.ContainerStatus{"gone"}},
		"role":               {Parties: map[terminal49.PartyRoleKind][]string{"owner": {testkit.PartyID}}},
		"role's id":          {Parties: map[terminal49.PartyRoleKind][]string{"customer": {"1"}}},
		"hold presence":      {HoldNames: []terminal49.HoldName{terminal49.NotReported}},
		"hold comma":         {HoldNames: []terminal49.HoldName{"customs,USDA"}},
		"no slug":            {CustomFields: map[string][]string{" ": {"a"}}},
		"dotted slug":        {CustomFields: map[string][]string{"buyer.name": {"a"}}},
		"bracket in a slug":  {CustomFields: map[string][]string{"a][b": {"a"}}},
		"control in a slug":  {CustomFields: map[string][]string{"a\n": {"a"}}},
		"field comma":        {CustomFields: map[string][]string{"buyer_name": {"Acme, Inc"}}},
		"empty field":        {CustomFields: map[string][]string{"buyer_name": {" "}}},
		"field and presence": {CustomFields: map[string][]string{"buyer_name": {"a", terminal49.Reported}}},
		"long field":         {CustomFields: map[string][]string{"buyer_name": {strings.Repeat("ü", 100), strings.Repeat("ü", 100)}}},
		"reversed":           {PickupLFD: terminal49.DateRange{From: next, To: day}},
		"no such day":        {PickupLFD: terminal49.DateRange{From: terminal49.Date{Year: 2026, Month: 2, Day: 30}}},
		"presence and bound": {PickupLFD: terminal49.DateRange{From: day, Presence: terminal49.Reported}},
		"other presence":     {PickupLFD: terminal49.DateRange{Presence: "today"}},
		"one bound":          {LastFreeDayOn: terminal49.DateRange{From: day}},
		"reversed free days": {LastFreeDayOn: terminal49.DateRange{From: next, To: day}},
	} {
		requireRefused(t, name, &terminal49.ContainerListParams{Filter: f}, nil)
	}
	for name, p := range map[string]terminal49.ContainerListParams{
		"unknown order":   {Sort: []terminal49.ContainerSort{"pickup_ldf"}},
		"four orders":     {Sort: []terminal49.ContainerSort{"arrival", "created_at", "updated_at", "ind_lfd"}},
		"attention":       {Sort: []terminal49.ContainerSort{terminal49.ContainerSortAttention, "arrival"}},
		"-attention":      {Sort: []terminal49.ContainerSort{terminal49.ContainerSortAttention.Descending()}},
		"twice":           {Number: "MSCU1234566", Filter: containers{Number: []string{"MSCU1234566"}}},
		"twice in a map":  {Filters: map[string][]string{"filter[tags][]": {"a"}}, Filter: containers{Tags: []string{"b"}}},
		"not a filter":    {Filters: map[string][]string{"page[size]": {"7"}}},
		"two values":      {Filters: map[string][]string{"filter[new]": {"a", "b"}}},
		"field in a map":  {Filters: map[string][]string{"filter[custom_fields][a]": {"b"}}, Filter: containers{CustomFields: map[string][]string{"c": {"d"}}}},
		"500":             {Filters: map[string][]string{"filter[pod_eta_at]": {"today"}}},
		"500 with bounds": {Filters: map[string][]string{"filter[pod_ata_at][]": {">=2026-01-01"}}},
	} {
		requireRefused(t, name, &p, nil)
	}
	for name, p := range map[string]terminal49.ShipmentListParams{
		"oldest first":   {Sort: "created_at"},
		"unknown order":  {Sort: "pickup_lfd"},
		"no presence":    {Filter: shipments{PODCode: []string{terminal49.Reported}}},
		"voyage":         {Filter: shipments{VoyageStatus: "sunk"}},
		"no lower bound": {Filter: shipments{PODETAChangedAt: terminal49.TimeRange{To: noon}}},
		"not later":      {Filter: shipments{PODETAChangedAt: terminal49.TimeRange{From: noon, To: noon}}},
		"reversed":       {Filter: shipments{CreatedAt: terminal49.TimeRange{From: noon, To: noon.Add(-1)}}},
		"twice":          {CustomerID: testkit.PartyID, Filter: shipments{CustomerID: []string{testkit.PartyID}}},
	} {
		requireRefused(t, name, nil, &p)
	}
}

// A service that ignores a filter returns everything, with 200: service-facts 14.5.
func TestFilters_AnIgnoredFilterIsAnError(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"holds_at_pod_terminal":null}},
		{"id":"2","type":"container","attributes":{"holds_at_pod_terminal":[]}}]}`)
	client := testkit.NewClient(t, api)
	params := &terminal49.ContainerListParams{Filter: terminal49.ContainerFilter{HasHolds: terminal49.Some(true)}}
	page, err := client.Containers.List(t.Context(), params)
	require.Nil(t, page)
	var ignored *terminal49.FilterIgnoredError
	require.ErrorAs(t, err, &ignored)
	require.Equal(t, terminal49.FilterIgnoredError{Op: "containers.list", Filter: "filter[has_holds]", ResourceID: "2"}, *ignored)
	require.ErrorContains(t, err, "the service ignored filter[has_holds]")

	all, err := testkit.Drain(client.Containers.All(t.Context(), params, terminal49.WithoutFilterCheck()))
	require.NoError(t, err)
	require.Len(t, all, 2)
	params.Filter.HasHolds = terminal49.Some(false) // null proves nothing
	_, err = testkit.Drain(client.Containers.All(t.Context(), params))
	require.NoError(t, err)
}

// hold_names selects holds in force, in any case and by any of the names. It is not released
// everywhere, and a service without it returns everything. A list that is not reported proves
// nothing, nor does a hold whose name or status is not known.
func TestFilters_HoldNamesAreCheckedAgainstActiveHolds(t *testing.T) {
	for holds, ignored := range map[string]bool{
		`null`:                                    false,
		`[]`:                                      true,
		`[{"name":"customs","status":"hold"}]`:    false,
		`[{"name":"CUSTOMS","status":"hold"}]`:    false,
		`[{"name":"usda","status":"hold"}]`:       false,
		`[{"name":"customs","status":"pending"}]`: true,
		`[{"name":"freight","status":"hold"}]`:    true,
		`[{"name":"freight","status":"hold"},{"name":"customs","status":"hold"}]`:    false,
		`[{"name":"freight","status":"hold"},{"name":"customs","status":"pending"}]`: true,
		`[{"name":null,"status":"hold"}]`:                                            false,
		`[{"name":"customs","status":null}]`:                                         false,
		`[{"name":"customs","status":"new_status"}]`:                                 false,
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"holds_at_pod_terminal":`+holds+`}}]}`)
		filter := terminal49.ContainerFilter{HoldNames: []terminal49.HoldName{" customs ", terminal49.HoldUSDA}}
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})
		require.Equal(t, "filter[hold_names]=customs,USDA", api.Requests()[0].Query)
		var contradicted *terminal49.FilterIgnoredError
		require.Equal(t, ignored, errors.As(err, &contradicted), "%s: %v", holds, err)
		if ignored {
			require.Equal(t, "filter[hold_names]", contradicted.Filter)
		}
	}
}

// The values of custom fields are not in the list, so nothing is checked; presence is a value of
// its own, and up to 200 characters are allowed.
func TestFilters_CustomFields(t *testing.T) {
	for want, fields := range map[string]map[string][]string{
		"filter[custom_fields][buyer_name]=Acme,Harbor Street": {"buyer_name": {" Acme", "Harbor Street"}},
		"filter[custom_fields][a b]=@not_exists":               {"a b": {terminal49.NotReported}},
		"filter[custom_fields][a]=" + strings.Repeat("ü", 200): {"a": {strings.Repeat("ü", 200)}},
		"": {"a": nil},
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, testkit.SomeContainer)
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{
			Filter: terminal49.ContainerFilter{CustomFields: fields}})
		require.NoError(t, err)
		require.Equal(t, want, api.Requests()[0].Query)
	}
}

// The service compares the stored day, without conversion to the zone of a port (service-facts
// 14.2), and the documents do not say in which zone that is. So a time contradicts a range only if
// it is outside in UTC and at the place.
func TestFilters_ADayMayBeThatOfUTCOrOfThePlace(t *testing.T) {
	const zone = `,"pod_timezone":"America/Los_Angeles"`
	day := terminal49.Date{Year: 2026, Month: 3, Day: 2}
	for attributes, ignored := range map[string]bool{
		`"pickup_lfd":"2026-03-02T08:00:00Z"` + zone: false,
		`"pickup_lfd":"2026-03-03T07:00:00Z"` + zone: false, // the 2nd in Los Angeles
		`"pickup_lfd":"2026-03-02T02:00:00Z"` + zone: false, // the 2nd in UTC
		`"pickup_lfd":"2026-03-03T08:00:00Z"` + zone: true,
		`"pickup_lfd":"2026-03-02T00:00:00Z"`:        false,
		`"pickup_lfd":"2026-03-02"`:                  false,
		`"pickup_lfd":"2026-03-03"`:                  true,
		`"pickup_lfd":"2026-03-01"`:                  true,
		`"pickup_lfd":null`:                          false,
		`"empty_out_at":"2026-03-03T00:00:00Z"`:      false, // in an unknown zone
		`"empty_out_at":"2026-03-04T00:00:00Z"`:      true,
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{`+attributes+`}}]}`)
		filter := terminal49.ContainerFilter{PickupLFD: terminal49.DateRange{From: day, To: day}}
		filter.EmptyOutAt = filter.PickupLFD
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})
		require.Equal(t, ignored, err != nil, "%s: %v", attributes, err)
	}
}

func requireRefused(t *testing.T, name string, c *terminal49.ContainerListParams, s *terminal49.ShipmentListParams) {
	t.Helper()
	api := testkit.NewFakeAPI()
	client := testkit.NewClient(t, api)
	var err error
	if c != nil {
		_, err = client.Containers.List(t.Context(), c)
	} else {
		_, err = client.Shipments.List(t.Context(), s)
	}
	var refused *terminal49.ArgumentError
	require.ErrorAs(t, err, &refused, name)
	require.Empty(t, api.Requests(), name)
}

func TestContainers_RefreshReturnsTheMessage(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(200, `{"message":"Started refresh for Shipping line, Terminal, Rail"}`))
	message, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Equal(t, "Started refresh for Shipping line, Terminal, Rail", message)
}

func TestContainers_RefreshWithAnEmptyResponseIsADecodeError(t *testing.T) {
	_, err := testkit.NewClient(t, testkit.Answer(200, ``)).Containers.Refresh(t.Context(), testkit.ContainerID)
	var decode *terminal49.DecodeError
	require.ErrorAs(t, err, &decode)
	require.ErrorContains(t, err, "it is empty")
}

func TestContainers_EventListsAreComplete(t *testing.T) {
	const page = `{"data":[{"id":"a","type":"transport_event","attributes":{"event":"container.transport.full_in"}}],
		"links":{"next":"https://api.example.test/proxy/v2/x?page%5Bnumber%5D=2"}}`
	api := testkit.NewFakeAPI()
	api.OnPages("/containers/"+testkit.ContainerID+"/transport_events", map[string]string{
		"": page, "page[number]=2": `{"data":[{"id":"b","type":"transport_event"}]}`,
	})
	api.OnPages("/containers/"+testkit.ContainerID+"/raw_events", map[string]string{"": page})
	client := testkit.NewClient(t, api)

	events, err := client.Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, terminal49.EventFullIn, events[0].Event)

	raw, err := client.Containers.RawEvents(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Len(t, raw, 1, "the next link of an unpaged list is not followed")
}

// A part of a list must never be mistaken for the whole.
func TestContainers_AnInterruptedEventListReturnsNothing(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/containers/"+testkit.ContainerID+"/transport_events", map[string]string{
		"":               `{"data":[{"id":"a","type":"transport_event"}],"links":{"next":"/x?page%5Bnumber%5D=2"}}`,
		"page[number]=2": `!{"errors":[{"title":"Not Found"}]}`,
	})
	events, err := testkit.NewClient(t, api).Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Nil(t, events)
}

func TestContainers_FindByNumberComparesNumbersItself(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"number":"MSCU1234566"}},
		{"id":"2","type":"container","attributes":{"number":"TCLU0000001"}}]}`) // as if the filter were ignored
	found, err := testkit.NewClient(t, api).Containers.FindByNumber(t.Context(), " mscu 123456-6", nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "1", found[0].ID)
	require.Contains(t, api.Requests()[0].Query, "MSCU1234566")

	_, err = testkit.NewClient(t, api).Containers.FindByNumber(t.Context(), " - ", nil)
	var bad *terminal49.ArgumentError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "number", bad.Field)
	require.Len(t, api.Requests(), 1)
}

func TestShipments_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ShipmentCalls()) }

func TestShipments_ParamsAreNotChanged(t *testing.T) {
	params, before := testkit.AllShipmentParams(), testkit.AllShipmentParams()
	params.PageSize, before.PageSize = 0, 0 // All chooses its own size
	client := testkit.NewClient(t, testkit.Answer(200, testkit.SomeShipment))

	_, err := testkit.Drain(client.Shipments.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.Shipments.List(t.Context(), params)
	require.NoError(t, err)
	require.Equal(t, before, params)
}

func TestContainerNumber_Parse(t *testing.T) {
	for _, number := range []string{"CSQU3054383", "MSCU1234566", "csqu 305438-3", "CSQU\u00a0305438\u20113",
		"\ufeffCSQU 305438 \u2212 3\r\n", "ＭＳＣＵ１２３４５６６", "ｃｓｑｕ　３０５４３８－３"} {
		n, err := terminal49.ParseContainerNumber(number)
		require.NoError(t, err, number)
		assert.Equal(t, terminal49.NormalizeContainerNumber(number), n.String())
	}
	n, err := terminal49.ParseContainerNumber("CSQU3054383")
	require.NoError(t, err)
	assert.Equal(t, terminal49.ContainerNumber{Owner: "CSQ", Category: terminal49.CategoryFreight, Serial: "305438", CheckDigit: 3}, n)
}

// Unicode, chapter 23.5: each full-width form stands for one character of ASCII, in the same order.
func TestContainerNumber_FullWidth(t *testing.T) {
	const wide, ascii = "０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ",
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ"
	assert.Equal(t, ascii, terminal49.NormalizeContainerNumber(wide))
	assert.Equal(t, "：＠［｀｛／", terminal49.NormalizeContainerNumber("：＠［｀｛／"), "what is next to them")
}

func TestContainerNumber_CheckDigitTenBecomesZero(t *testing.T) {
	n, err := terminal49.ParseContainerNumber(numberWithRemainderTen(t))
	require.NoError(t, err)
	assert.Zero(t, n.CheckDigit)
}

// numberWithRemainderTen finds one with the textbook table of letter values.
func numberWithRemainderTen(t *testing.T) string {
	for serial := range 1000 {
		text := "TRIU" + strings.Repeat("0", 3) +
			string([]byte{byte('0' + serial/100), byte('0' + serial/10%10), byte('0' + serial%10)})
		if textbookRemainder(text) == 10 {
			return text + "0"
		}
	}
	t.Fatal("no number has a remainder of 10")
	return ""
}

func textbookRemainder(text string) int {
	values := map[rune]int{
		'A': 10, 'B': 12, 'C': 13, 'D': 14, 'E': 15, 'F': 16, 'G': 17, 'H': 18, 'I': 19, 'J': 20, 'K': 21, 'L': 23, 'M': 24,
		'N': 25, 'O': 26, 'P': 27, 'Q': 28, 'R': 29, 'S': 30, 'T': 31, 'U': 32, 'V': 34, 'W': 35, 'X': 36, 'Y': 37, 'Z': 38,
	}
	sum, weight := 0, 1
	for _, r := range text {
		value, isLetter := values[r]
		if !isLetter {
			value = int(r - '0')
		}
		sum += value * weight
		weight *= 2
	}
	return sum % 11
}

func TestContainerNumber_ErrorsNameTheProblem(t *testing.T) {
	for input, want := range map[string]string{
		"":              "is empty: want four letters and seven digits",
		" - ":           "is empty: want four letters and seven digits",
		"CSQU305438":    "the check digit is missing: it would be 3",
		"CSQU30543":     "has 9 characters: want 11, four letters and seven digits",
		"CSQU30543833":  "has 12 characters: want 11, four letters and seven digits",
		"CSQX3054383":   `position 4 is "X": want U, J or Z`,
		"CS0U3054383":   `position 3 is "0": want a letter of the owner code (zero for letter O?)`,
		"1SQU3054383":   `position 1 is "1": want a letter of the owner code (one for letter I?)`,
		"CSQUO054383":   `position 5 is "O": want a digit (letter O for zero?)`,
		"CSQU305438I":   `position 11 is "I": want a digit (letter for one?)`,
		"CSQU30543é3":   `position 10 is "é": want a digit`,
		"CSQÜ3054383":   `position 4 is "Ü": want U, J or Z`,
		"CSQU305438٣":   `position 11 is "٣": want a digit`,
		"ＣＳＱＵ３０５４３８４":   "the check digit is 4 and should be 3: look for a mistyped or swapped character",
		"СSQU3054383":   `position 1 is "С": want a letter of the owner code`, // Cyrillic
		"CSQU305438③":   `position 11 is "③": want a digit`,
		"𝐂SQU3054383":   `position 1 is "𝐂": want a letter of the owner code`,
		"CSQU30543８！":   `position 11 is "！": want a digit`,
		"CSQU3054384":   "the check digit is 4 and should be 3: look for a mistyped or swapped character",
		"CSQU 3054383.": "has 12 characters: want 11, four letters and seven digits",
	} {
		n, err := terminal49.ParseContainerNumber(input)
		var bad *terminal49.ContainerNumberError
		require.True(t, errors.As(err, &bad), input)
		assert.Equal(t, want, bad.Problem, input)
		assert.Equal(t, strings.Contains(want, "should be"), bad.CheckDigitOnly)
		assert.Equal(t, bad.CheckDigitOnly, n != terminal49.ContainerNumber{}, "the parts are there only if the form is right")
		assert.Contains(t, err.Error(), `container number "`+terminal49.NormalizeContainerNumber(input)+`": `)
	}
}

func TestContainerNumber_ExpectedCheckDigit(t *testing.T) {
	n, err := terminal49.ParseContainerNumber("CSQU3054380")
	require.Error(t, err)
	want, ok := n.ExpectedCheckDigit()
	require.True(t, ok)
	assert.Equal(t, 3, want)
	for _, bad := range []terminal49.ContainerNumber{{}, {Owner: "CSQU", Serial: "305438"},
		{Owner: "CSQ", Category: "U", Serial: "30543"}, {Owner: "cs ", Category: "U", Serial: "305438"}} {
		_, ok := bad.ExpectedCheckDigit()
		assert.False(t, ok, "%+v", bad)
	}
}

func TestContainerNumber_CheckDigitOfEveryLetter(t *testing.T) {
	for letter := 'A'; letter <= 'Z'; letter++ {
		for _, text := range []string{string(letter) + "BCU123456", "AB" + string(letter) + "Z987654"} {
			n, err := terminal49.ParseContainerNumber(text + string(rune('0'+textbookRemainder(text)%10)))
			assert.NoError(t, err)
			assert.Equal(t, text, n.String()[:10])
		}
	}
}

// Every single typing error in a serial number is detected if the remainder is not 10.
func TestContainerNumber_CheckDigitFindsTypingErrors(t *testing.T) {
	const right = "CSQU3054383"
	for i := 4; i < 11; i++ {
		for digit := byte('0'); digit <= '9'; digit++ {
			wrong := []byte(right)
			wrong[i] = digit
			if string(wrong) == right || textbookRemainder(string(wrong[:10])) == 10 {
				continue
			}
			_, err := terminal49.ParseContainerNumber(string(wrong))
			assert.Error(t, err, string(wrong))
		}
	}
}

var iso6346 = regexp.MustCompile(`^[A-Z]{3}[UJZ][0-9]{7}$`)

// FuzzParseContainerNumber compares the parser with the standard, written as a pattern and a table.
func FuzzParseContainerNumber(f *testing.F) {
	for _, seed := range []string{
		"CSQU3054383", "mscu 123456-6", "CSQU305438", "", "ÀÀÀU0000000", "TRIU0000000", "\xff\xfe", "CSQU3054384",
		"MSCJ1234566", "MSCZ123456\u20116",
		"MSCX1234566", "MSCU12345678", "MSCU\u200b1234566", "ＭＳＣＵ１２３４５６６", "0SCU1234566", "MSCUI234566",
		"\ufeffMSCU1234566\u00a0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		normal := terminal49.NormalizeContainerNumber(s)
		if terminal49.NormalizeContainerNumber(normal) != normal {
			t.Fatalf("normalising %q twice differs", s)
		}
		if plain := strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(s)); isASCII(s) &&
			!strings.ContainsAny(s, "\t\n\v\f\r") && normal != plain {
			t.Fatalf("%q was normalised to %q, want %q", s, normal, plain)
		}
		n, err := terminal49.ParseContainerNumber(s)
		var bad *terminal49.ContainerNumberError
		if err != nil && (!errors.As(err, &bad) || bad.Problem == "") {
			t.Fatalf("%q: %v says nothing", s, err)
		}
		wellFormed := iso6346.MatchString(normal)
		if wellFormed != (err == nil || bad.CheckDigitOnly) {
			t.Fatalf("%q is well formed: %v, but: %v", s, wellFormed, err)
		}
		if !wellFormed {
			if n != (terminal49.ContainerNumber{}) {
				t.Fatalf("%q became %v along with an error", s, n)
			}
			return
		}
		if n.String() != normal {
			t.Fatalf("%q became %q", s, n)
		}
		want := textbookRemainder(normal[:10]) % 10
		if (want == n.CheckDigit) != (err == nil) {
			t.Fatalf("%q: %v, but the textbook says %d", s, err, want)
		}
		if digit, ok := n.ExpectedCheckDigit(); !ok || digit != want {
			t.Fatalf("%q should end in %d, not %d", s, want, digit)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}
