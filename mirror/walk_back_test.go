package mirror

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// A page may come from a copy of the service's data that lags, and
// rows that leave a list move the rest forward. A new row that moved from one page to another must
// not wait for the next walk.
func TestWalk_ListGetsShorter(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]func(page, try int) int{
		"a copy that lags":      only(2, func(page, try int) bool { return page == 3 && try <= 3 }),
		"a copy far behind":     only(9, func(page, try int) bool { return page == 3 && try <= 3 }),
		"copies take turns":     only(2, func(page, try int) bool { return page > 1 && try%2 == 1 }),
		"rows leave for good":   only(2, func(page, try int) bool { return page >= 3 || try > 1 }),
		"each page, twice":      only(1, func(page, try int) bool { return page > 1 && try <= 2 }),
		"only while read ahead": only(1, func(page, try int) bool { return page > 1 && try == 1 }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) {
				w.runFor(w.mirrorVia(w.shortened(missing)), 10*time.Minute)
				w.requireRows("tracking_request")
			}, standing)
		})
	}
}

// only returns how many rows a response lacks: n of some responses.
func only(n int, some func(page, try int) bool) func(page, try int) int {
	return func(page, try int) int {
		if some(page, try) {
			return n
		}
		return 0
	}
}

// A list that gets shorter again and again is walked to its end, also if each page shows the same
// rows.
func TestWalk_ListGetsShorterAgainAndAgain(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]func(page, try int) int{
		"with each response": func(page, try int) int { return min(page+try, 25) },
		"every other page":   func(page, _ int) int { return page % 2 },
		"two of three times": func(_, try int) int { return try % 3 },
	} {
		for _, unpaged := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, unpaged %v", name, unpaged), func(t *testing.T) {
				t.Parallel()
				simulated(t, func(w *world) {
					s := w.shortened(missing)
					s.unpaged = unpaged
					w.runFor(w.mirrorVia(s), 10*time.Minute)
					require.Equal(w, 1, w.count("select count(*) from walks where scope = 'tracking_requests' and state = 'done'"))
				}, standing)
			})
		}
	}
}

// shortened cuts the list of tracking requests into pages of five, without some of the first rows.
type shortened struct {
	*world
	missing func(page, try int) int // how many rows a response lacks
	unpaged bool                    // each page shows the same rows

	mu    sync.Mutex
	tries map[int]int // by page
}

// shortened returns a list of tracking requests. The cursor does not read most of them.
func (w *world) shortened(missing func(page, try int) int) *shortened {
	for i := range 31 {
		w.srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU" + strconv.Itoa(100+i), SCAC: "MAEU", Status: "pending"})
		w.srv.Advance(time.Hour)
	}
	return &shortened{world: w, missing: missing, tries: map[int]int{}}
}

// RoundTrip implements http.RoundTripper.
func (s *shortened) RoundTrip(r *http.Request) (*http.Response, error) {
	query := r.URL.Query()
	page, _ := strconv.Atoi(query.Get("page[number]"))
	if r.URL.Path != "/v2/tracking_requests" || query.Has("filter[updated_at][start]") {
		return s.srv.Transport().RoundTrip(r)
	}
	r = r.Clone(r.Context())
	query.Set("page[number]", "1")
	query.Set("page[size]", "100")
	r.URL.RawQuery = query.Encode()
	resp, err := s.srv.Transport().RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var doc struct{ Data []any }
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		return nil, err
	}
	body, err := json.Marshal(s.page(doc.Data, page))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return resp, err
}

func (s *shortened) page(rows []any, page int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries[page]++
	missing := s.missing(page, s.tries[page])
	links, total := map[string]string{}, len(rows)-missing
	if page*5 < total || s.unpaged {
		links["next"] = s.srv.URL + "/tracking_requests?page[number]=" + strconv.Itoa(page+1)
	}
	if rows = rows[missing:]; s.unpaged {
		page, rows = 1, rows[len(rows)-5:]
	}
	rows = rows[min((page-1)*5, len(rows)):min(page*5, len(rows))]
	return map[string]any{"data": rows, "links": links, "meta": map[string]int{"size": 5, "total": total}}
}
