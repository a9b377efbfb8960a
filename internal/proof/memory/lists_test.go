package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A list is walked page by page, so that an account may have any number of shipments. A walk keeps
// a few pages and, to detect links that go in circles, the query of each page.

const walkMargin = 1 << 20 // bytes that the live heap may be above its first measurement

// walkedShipments is the length of the list.
func walkedShipments() int { return testkit.Scale(20_000, 100_000) }

// endlessShipments generates the pages of a long list on request, and keeps none.
type endlessShipments struct {
	page []byte // a page whose ids and next link are rows of x
	ids  []int  // where the ids are in it
	next int    // where the number of the next page is

	served int
}

const xs = "xxxxxxxx" // as long as an id

func newEndlessShipments() *endlessShipments {
	const item = `{"id":"` + xs + `","type":"shipment","attributes":{"bill_of_lading_number":"MAEU` + xs +
		`","ref_numbers":["PO-20240617"],
		"shipping_line_scac":"MAEU","port_of_discharge_locode":"USLAX","pod_vessel_name":"EVER GIVEN","pod_timezone":"America/Los_Angeles",
		"pod_eta_at":"2024-07-22T15:00:00Z"}}`
	items := strings.TrimSuffix(strings.Repeat(item+",", terminal49.MaxPageSize), ",")
	const next = "https://api.example.test/shipments?page[size]=100&page[number]="
	e := &endlessShipments{page: []byte(`{"data":[` + items + `],"links":{"next":"` + next + xs + `"}}`)}
	for from := 0; ; from += len(xs) {
		i := bytes.Index(e.page[from:], []byte(xs))
		if i < 0 {
			break
		}
		from += i
		e.ids = append(e.ids, from)
	}
	e.next = e.ids[len(e.ids)-1]
	return e
}

func (e *endlessShipments) RoundTrip(r *http.Request) (*http.Response, error) {
	e.served++
	page := bytes.Clone(e.page)
	for i, at := range e.ids { // both ids of an item, then the link
		copy(page[at:], fmt.Appendf(nil, "%08d", (e.served-1)*terminal49.MaxPageSize+i/2))
	}
	copy(page[e.next:], fmt.Appendf(nil, "%08d", e.served+1))
	if e.served == walkedShipments()/terminal49.MaxPageSize {
		page = bytes.Replace(page, []byte(`"next"`), []byte(`"last"`), 1)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(page)),
		ContentLength: -1, Request: r}, nil
}

// liveHeap returns the size of the heap after a collection.
func liveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestMemory_LongListsKeepTheHeapFlat(t *testing.T) {
	type numbers = iter.Seq2[int, error]
	for name, walk := range map[string]func(ctx context.Context, c *terminal49.Client) numbers{
		"Shipments.All": func(ctx context.Context, c *terminal49.Client) numbers {
			return lengths(c.Shipments.All(ctx, nil), func(*terminal49.Shipment) int { return 1 })
		},
		"Shipments.Pages": func(ctx context.Context, c *terminal49.Client) numbers {
			return lengths(c.Shipments.Pages(ctx, nil),
				func(p *terminal49.Page[terminal49.Shipment]) int { return len(p.Items) })
		},
		"Shipments.All, 3 pages ahead": func(ctx context.Context, c *terminal49.Client) numbers {
			return lengths(c.Shipments.All(ctx, nil, terminal49.WithPrefetch(3)),
				func(*terminal49.Shipment) int { return 1 })
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			var live []int64
			seen := 0
			for n, err := range walk(t.Context(), testkit.NewClient(t, newEndlessShipments())) {
				require.NoError(t, err)
				if seen += n; seen%(walkedShipments()/10) == 0 && seen < walkedShipments() { // at the end nothing is kept
					synctest.Wait() // until the maximum is fetched ahead
					live = append(live, liveHeap())
				}
			}
			require.Equal(t, walkedShipments(), seen)
			for _, l := range live {
				require.LessOrEqual(t, l, live[0]+walkMargin, "%s: %v", name, live)
			}
			t.Logf("figure: memory: %d shipments by %s: live heap %d -> %d KiB", seen, name, live[0]>>10,
				live[len(live)-1]>>10)
		})
	}
}

// lengths maps each value of a sequence to a number.
func lengths[V any](seq iter.Seq2[V, error], length func(V) int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for v, err := range seq {
			n := 0
			if err == nil {
				n = length(v)
			}
			if !yield(n, err) {
				return
			}
		}
	}
}
