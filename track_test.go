package terminal49

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

const (
	sureNumber    = "MAEU240711002" // its carrier is plain
	unsureNumber  = "SHA7781234"    // Evergreen, says the service, but is not sure
	unknownNumber = "99887766"      // a booking of nobody knows whom
)

// withDoubts scripts the numbers above.
func withDoubts(srv *terminal49test.Server) {
	srv.Script(unsureNumber, terminal49test.Journey{Infer: &terminal49test.Inference{
		SCAC: "EGLV", Confidence: 0.81, NumberType: "bill_of_lading", Others: []terminal49test.Candidate{{SCAC: "ONEY", Confidence: 0.6}},
	}})
	srv.Script(unknownNumber, terminal49test.Journey{Infer: &terminal49test.Inference{
		SCAC: "YMLU", Confidence: 0.3, NumberType: "booking",
	}})
}

func confirm(scac string, err error) func(context.Context, *Inference) (string, error) {
	return func(context.Context, *Inference) (string, error) { return scac, err }
}

func TestTrack_Decisions(t *testing.T) {
	for name, c := range map[string]struct {
		number    string
		params    *TrackParams
		wantSCAC  string
		wantType  RequestType
		wantInfer int
	}{
		"the service is sure":                    {sureNumber, nil, "MAEU", RequestBillOfLading, 1},
		"spaces around the number":               {"  " + sureNumber + "\n", nil, "MAEU", RequestBillOfLading, 1},
		"nobody is asked when it is sure":        {sureNumber, &TrackParams{Confirm: confirm("", errors.New("asked"))}, "MAEU", RequestBillOfLading, 1},
		"confirmed":                              {unsureNumber, &TrackParams{Confirm: confirm("EGLV", nil)}, "EGLV", RequestBillOfLading, 1},
		"corrected":                              {unsureNumber, &TrackParams{Confirm: confirm("ONEY", nil)}, "ONEY", RequestBillOfLading, 1},
		"chosen without a prediction":            {unknownNumber, &TrackParams{Confirm: confirm("YMLU", nil)}, "YMLU", RequestBookingNumber, 1},
		"the line is known":                      {unknownNumber, &TrackParams{SCAC: "YMLU"}, "YMLU", RequestBookingNumber, 1},
		"the kind is known":                      {sureNumber, &TrackParams{RequestType: RequestBookingNumber}, "MAEU", RequestBookingNumber, 1},
		"line and kind are known":                {unknownNumber, &TrackParams{SCAC: "HDMU", RequestType: RequestBillOfLading}, "HDMU", RequestBillOfLading, 0},
		"a container":                            {terminal49test.ContainerNumber("MSKU", 1), nil, "MAEU", RequestContainer, 1},
		"an invalid number, on the caller's own": {"MSKU0000010", &TrackParams{AcceptInvalid: true}, "MAEU", RequestContainer, 1},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				made, err := simClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				require.NoError(t, err)
				require.Equal(t, TrackingPending, made.Status)
				require.Equal(t, c.wantSCAC, made.SCAC)
				require.Equal(t, c.wantType, made.RequestType)
				require.Len(t, received(srv, "tracking_requests.infer"), c.wantInfer)
				require.Len(t, received(srv, "tracking_requests.create"), 1)
			})
		})
	}
}

func TestTrack_SendsItsParams(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		customer := srv.AddParty(terminal49test.Party{CompanyName: "Quay Hardware"})
		made, err := simClient(t, srv).TrackingRequests.Track(t.Context(), sureNumber, &TrackParams{
			ReferenceNumbers: []string{"PO-1"}, ShipmentTags: []string{"hot"}, CustomerID: customer,
			InitialCustomFields: InitialCustomFields{Shipment: []InitialCustomField{{APISlug: "owner", Value: CustomText("Ann")}}},
		})
		require.NoError(t, err)
		require.Equal(t, []string{"PO-1"}, made.ReferenceNumbers)
		require.Equal(t, []string{"hot"}, made.ShipmentTags)
		require.Equal(t, customer, made.Customer.ID())
		inside, _ := srv.TrackingRequest(made.ID)
		require.Equal(t, []terminal49test.InitialCustomField{{Entity: "shipment", APISlug: "owner", Value: "Ann"}}, inside.InitialCustomFields)
	})
}

// What nobody decided is not created, and the error says enough to decide.
func TestTrack_Undecided(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		params *TrackParams
		want   []string
	}{
		"to be confirmed, nobody to ask": {unsureNumber, nil, []string{"EGLV", "ONEY"}},
		"none of them":                   {unsureNumber, &TrackParams{Confirm: confirm("", nil)}, []string{"EGLV", "ONEY"}},
		"no prediction":                  {unknownNumber, &TrackParams{}, []string{"YMLU"}},
		"no candidates at all":           {"55443322", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				_, err := simClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				var undecided *CarrierUndecidedError
				require.ErrorAs(t, err, &undecided)
				var scacs []string
				for _, candidate := range undecided.Candidates() {
					scacs = append(scacs, candidate.SCAC)
					require.ErrorContains(t, err, candidate.SCAC)
					require.ErrorContains(t, err, candidate.Name)
				}
				require.Equal(t, c.want, scacs)
				require.Equal(t, c.number, undecided.Number)
				require.ErrorContains(t, err, "TrackParams.SCAC", "it says what to do")
				require.Empty(t, received(srv, "tracking_requests.create"))
			})
		})
	}
}

func TestTrack_Refuses(t *testing.T) {
	nobody := errors.New("the desk is not staffed")
	for name, c := range map[string]struct {
		number string
		params *TrackParams
		check  func(*testing.T, error)
	}{
		"an invalid number": {"MSKU0000010", nil, func(t *testing.T, err error) {
			var invalid *InvalidNumberError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, "MSKU0000010", invalid.Number)
			require.Contains(t, invalid.Reason, "check digit")
			require.Equal(t, CarrierAutoSelect, invalid.Inference.Carrier.Decision)
			require.ErrorIs(t, err, ErrInvalid)
		}},
		"garbage": {"?", nil, func(t *testing.T, err error) {
			var answer *APIError
			require.ErrorAs(t, err, &answer)
			require.Equal(t, http.StatusUnprocessableEntity, answer.Status)
			require.ErrorIs(t, err, ErrInvalid)
		}},
		"garbage that the caller insists on": {"?", &TrackParams{AcceptInvalid: true}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, ErrInvalid, "the service refused to infer at all")
		}},
		"a kind that is new": {"house77", nil, func(t *testing.T, err error) {
			var invalid *InvalidNumberError
			require.ErrorAs(t, err, &invalid)
			require.ErrorContains(t, err, `"house_bill"`)
			require.ErrorContains(t, err, "TrackParams.RequestType")
		}},
		"whoever confirms has trouble": {unsureNumber, &TrackParams{Confirm: confirm("EGLV", nobody)}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, nobody)
		}},
		"what was confirmed is no SCAC": {unsureNumber, &TrackParams{Confirm: confirm("evergreen", nil)}, func(t *testing.T, err error) {
			var argument *ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "SCAC", argument.Field)
		}},
		"the inferred name of a kind": {unknownNumber, &TrackParams{SCAC: "YMLU", RequestType: "booking"}, func(t *testing.T, err error) {
			var argument *ArgumentError
			require.ErrorAs(t, err, &argument)
			require.ErrorContains(t, err, `"booking_number"`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				srv.Script("house77", terminal49test.Journey{Infer: &terminal49test.Inference{SCAC: "MAEU", Confidence: 1, NumberType: "house_bill"}})
				made, err := simClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				require.Nil(t, made)
				c.check(t, err)
				require.Empty(t, received(srv, "tracking_requests.create"))
			})
		})
	}
}

// Confirm sees what the service said, under the caller's context.
func TestTrack_ConfirmReceivesTheInference(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		withDoubts(srv)
		type desk struct{}
		ctx := context.WithValue(t.Context(), desk{}, "import desk")
		_, err := simClient(t, srv).TrackingRequests.Track(ctx, unsureNumber, &TrackParams{
			Confirm: func(ctx context.Context, i *Inference) (string, error) {
				require.Equal(t, "import desk", ctx.Value(desk{}))
				require.Equal(t, CarrierNeedsConfirmation, i.Carrier.Decision)
				return i.Carrier.Candidates[1].SCAC, nil
			},
		})
		require.NoError(t, err)
	})
}

func TestPrepare_CreatesNothing(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		request, err := simClient(t, srv).TrackingRequests.Prepare(t.Context(), sureNumber, &TrackParams{ReferenceNumbers: []string{"PO-1"}})
		require.NoError(t, err)
		require.Equal(t, TrackingRequestCreate{
			RequestType: RequestBillOfLading, RequestNumber: sureNumber, SCAC: "MAEU", ReferenceNumbers: []string{"PO-1"},
		}, request)
		require.Len(t, srv.Requests(), 1)
	})
}

// FindOrCreate

func sureRequest() TrackingRequestCreate {
	return TrackingRequestCreate{RequestType: RequestBillOfLading, RequestNumber: sureNumber, SCAC: "MAEU"}
}

func TestFindOrCreate_CreatesOnce(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		made, created, err := client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
		require.NoError(t, err)
		require.True(t, created)
		for range 2 {
			found, created, err := client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
			require.NoError(t, err)
			require.False(t, created)
			require.Equal(t, made.ID, found.ID)
			time.Sleep(time.Minute) // the second time it has led to a shipment
		}
		require.Len(t, received(srv, "tracking_requests.create"), 1)
	})
}

// The one that counts may be behind many that do not.
func TestFindOrCreate_ReadsAllPages(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		now := time.Now()
		old := terminal49test.TrackingRequest{RequestNumber: sureNumber, SCAC: "MAEU", Status: "awaiting_manifest", CreatedAt: now.Add(-time.Hour)}
		want := srv.AddTrackingRequest(old)
		for i := range 230 {
			status := []string{"failed", "tracking_stopped"}[i%2]
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: sureNumber, SCAC: "MAEU", Status: status, CreatedAt: now})
		}
		found, created, err := simClient(t, srv).TrackingRequests.FindOrCreate(t.Context(), sureRequest())
		require.NoError(t, err)
		require.False(t, created)
		require.Equal(t, want, found.ID)
		require.Len(t, received(srv, "tracking_requests.list"), 3)
		require.Empty(t, received(srv, "tracking_requests.create"))
	})
}

// What does not stand in the way at the service does not here.
func TestFindOrCreate_IgnoresEndedAndDifferentRequests(t *testing.T) {
	for name, other := range map[string]terminal49test.TrackingRequest{
		"failed":        {RequestNumber: sureNumber, SCAC: "MAEU", Status: "failed", FailedReason: "not_found"},
		"stopped":       {RequestNumber: sureNumber, SCAC: "MAEU", Status: "tracking_stopped"},
		"another line":  {RequestNumber: sureNumber, SCAC: "MSCU", Status: "created"},
		"other numbers": {RequestNumber: sureNumber + "1", SCAC: "MAEU", Status: "created"},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := srv.AddTrackingRequest(other)
				made, created, err := simClient(t, srv).TrackingRequests.FindOrCreate(t.Context(), sureRequest())
				require.NoError(t, err)
				require.True(t, created)
				require.NotEqual(t, id, made.ID)
			})
		})
	}
}

// Somebody else creates the same request between our look and our creation.
func TestFindOrCreate_LosesARace(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var theirs string
		client := simClient(t, srv, before("tracking_requests.create", func() {
			theirs = srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: sureNumber, SCAC: "MAEU"})
		}))
		found, created, err := client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
		require.NoError(t, err)
		require.False(t, created)
		require.Equal(t, theirs, found.ID)
	})
}

// Of many at once exactly one creates, and all get the same request.
func TestFindOrCreate_ManyAtOnce(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		type outcome struct {
			id      string
			created bool
			err     error
		}
		outcomes := make(chan outcome)
		for range 8 {
			go func() {
				found, created, err := client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
				o := outcome{created: created, err: err}
				if found != nil {
					o.id = found.ID
				}
				outcomes <- o
			}()
		}
		ids, creations := map[string]bool{}, 0
		for range 8 {
			o := <-outcomes
			require.NoError(t, o.err)
			ids[o.id] = true
			if o.created {
				creations++
			}
		}
		require.Len(t, ids, 1)
		require.Equal(t, 1, creations)
	})
}

// The creation went through and its answer did not come back.
func TestFindOrCreate_AfterALostResponse(t *testing.T) {
	for _, f := range []terminal49test.Fault{
		{Kind: terminal49test.FaultDrop, Acted: true},
		{Kind: terminal49test.FaultTruncate},
		{Kind: terminal49test.FaultStallHeaders, Acted: true},
		{Status: http.StatusBadGateway, Shape: terminal49test.ShapeHTML, Acted: true},
	} {
		t.Run(fmt.Sprint(f.Kind, f.Status), func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				f.Operation = "tracking_requests.create"
				srv.Fault(f)
				found, created, err := simClient(t, srv).TrackingRequests.FindOrCreate(t.Context(), sureRequest())
				require.NoError(t, err)
				require.True(t, created, "it was this call")
				require.Equal(t, sureNumber, found.RequestNumber)
				require.Len(t, received(srv, "tracking_requests.create"), 1, "sent once")
			})
		})
	}
}

// The creation was lost before the service acted: nothing can be found, and it is not sent again behind the caller's back.
func TestFindOrCreate_AfterALostRequest(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop})
		client := simClient(t, srv)
		found, created, err := client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
		require.True(t, IsOutcomeUnknown(err), "%v", err)
		require.False(t, created)
		require.Nil(t, found)

		_, created, err = client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
		require.NoError(t, err)
		require.True(t, created, "repeating it is safe, and how it is mended")
	})
}

func TestFindOrCreate_ReturnsErrors(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		_, _, err := client.TrackingRequests.FindOrCreate(t.Context(), TrackingRequestCreate{RequestType: RequestBillOfLading, RequestNumber: sureNumber})
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Empty(t, srv.Requests(), "not even looked for")

		request := sureRequest()
		request.SCAC = "QQQQ"
		_, created, err := client.TrackingRequests.FindOrCreate(t.Context(), request)
		require.ErrorIs(t, err, ErrInvalid)
		require.False(t, created)

		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.list", Status: http.StatusForbidden})
		_, _, err = client.TrackingRequests.FindOrCreate(t.Context(), sureRequest())
		require.ErrorIs(t, err, ErrForbidden)
		require.Len(t, received(srv, "tracking_requests.create"), 1, "what cannot be looked for is not created")
	})
}

// The service takes a number for the same one in another writing, or as another kind of number, and so must the look.
func TestFindOrCreate_OfTheSameNumberInAnotherForm(t *testing.T) {
	for name, change := range map[string]func(*TrackingRequestCreate){
		"spaces around it": func(r *TrackingRequestCreate) { r.RequestNumber = " " + sureNumber + " " },
		"small letters":    func(r *TrackingRequestCreate) { r.RequestNumber = "maeu240711002" },
		"another kind":     func(r *TrackingRequestCreate) { r.RequestType = RequestBookingNumber },
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				want := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: sureNumber, SCAC: "MAEU", Status: "created"})
				request := sureRequest()
				change(&request)
				found, created, err := simClient(t, srv).TrackingRequests.FindOrCreate(t.Context(), request)
				require.NoError(t, err)
				require.False(t, created)
				require.Equal(t, want, found.ID)
			})
		})
	}
}

func TestFindOrTrack_InfersOnlyIfNecessary(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		demo := srv.SeedDemo()
		client := simClient(t, srv)
		first, created, err := client.TrackingRequests.FindOrTrack(t.Context(), " "+demo.Untracked+" ", nil)
		require.NoError(t, err)
		require.True(t, created)
		again, created, err := client.TrackingRequests.FindOrTrack(t.Context(), demo.Untracked, nil)
		require.NoError(t, err)
		require.False(t, created)
		require.Equal(t, first.ID, again.ID)
		require.Len(t, received(srv, "tracking_requests.infer"), 1)
		require.Len(t, received(srv, "tracking_requests.create"), 1)

		_, _, err = client.TrackingRequests.FindOrTrack(t.Context(), " ", nil)
		var bad *ArgumentError
		require.ErrorAs(t, err, &bad)
		require.Len(t, received(srv, "tracking_requests.infer"), 1)
	})
}

func TestPrepare_NormalizesContainerNumbers(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.SeedDemo()
		request, err := simClient(t, srv).TrackingRequests.Prepare(t.Context(), " msku 718204-7 ", &TrackParams{SCAC: "MAEU"})
		require.NoError(t, err)
		require.Equal(t, "MSKU7182047", request.RequestNumber)
		require.Equal(t, RequestContainer, request.RequestType)
	})
}
