package board

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Tests{M: m}) }

// page is a site on a simulated account with a stopped clock, on Monday 1 July 2024.
type page struct {
	*testing.T
	*listed
	demo terminal49test.Demo
	site *site
	http.Handler
}

func newPage(t *testing.T) *page {
	t.Helper()
	server := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithSeed(49),
		terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)))
	t.Cleanup(server.Close)
	l := &listed{turning: newTurning(server, 0), client: newClient(t, server), clock: server.Now}
	site := &site{model: newModel(), source: l, loopback: true, ended: t.Context().Done(), complain: func(problem string) { t.Error(problem) }}
	site.model.news.clock = l.now
	p := &page{t, l, server.SeedDemo(), site, site.handler()}
	p.read()
	return p
}

// newClient returns a client of a simulated service.
func newClient(t *testing.T, server *terminal49test.Server, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	client, err := terminal49.New(server.Token, append(opts, terminal49.WithBaseURL(server.URL), terminal49.WithHTTPClient(server.HTTPClient()))...)
	require.NoError(t, err)
	return client
}

// read reads the whole list.
func (p *page) read() {
	p.Helper()
	var all []*terminal49.Container
	for c, err := range p.client.Containers.All(p.Context(), &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}) {
		require.NoError(p, err)
		all = append(all, c)
	}
	p.byID = map[string]*terminal49.Container{}
	p.put(all...)
	p.site.model.keepOnly(keys(p.byID))
}

// put shows containers in addition to those that were read.
func (p *page) put(all ...*terminal49.Container) {
	for _, c := range all {
		p.byID[c.ID] = c
	}
	p.site.model.put(p.now(), all...)
}

func keys(all map[string]*terminal49.Container) map[string]bool {
	ids := map[string]bool{}
	for id := range all {
		ids[id] = true
	}
	return ids
}

// listed is a source with what a test has read. Its clock is that of the simulated account, unless
// a test sets another.
type listed struct {
	*turning
	client *terminal49.Client
	clock  func() time.Time
	byID   map[string]*terminal49.Container
}

func (l *listed) now() time.Time                       { return l.clock() }
func (l *listed) tick() time.Duration                  { return time.Second }
func (l *listed) follow(context.Context, *model) error { return nil }
func (l *listed) state() state                         { return state{Age: "The whole list was read just now."} }

func (l *listed) containers(_ context.Context, ids []string) (list []*terminal49.Container, err error) {
	for _, id := range ids {
		if c := l.byID[id]; c != nil {
			list = append(list, c)
		}
	}
	return list, nil
}

func (l *listed) details(ctx context.Context, c *terminal49.Container) (d details, err error) {
	return d, d.ask(ctx, l.client, c.ID)
}

// get returns a page.
func (p *page) get(path string) string {
	p.Helper()
	w := p.do(http.MethodGet, path, nil)
	require.Equal(p, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String()
}

func (p *page) do(method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8049"+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

// The demurrage example's last free day was June 28, so on July 1 it is three days over.
func TestList_SortsByUrgency(t *testing.T) {
	text := newPage(t).get("/")
	var at []int
	for _, number := range []string{"CMAU4716554", "MSKU7182047", "MEDU3309188", "EGHU9023530"} {
		require.Contains(t, text, number)
		at = append(at, strings.Index(text, number))
	}
	require.IsIncreasing(t, at)
	require.Contains(t, text, "3 days over")
	require.Contains(t, text, "USD 555.00")
	require.Contains(t, text, "At LBCT (USLGB), held by a customs hold (customs broker). Have it cleared before you send a truck.")
}

func TestList_Filters(t *testing.T) {
	p := newPage(t)
	for path, want := range map[string]int{
		"/": 8, "/?situation=held": 1, "/?q=msku+718": 2, "/?q=MSCU240988417": 1, "/?q=po-7702": 1, "/?terminal=LBCT+%28USLGB%29": 1,
		"/?customer=Lakeside+Home+Goods": 3, "/?situation=ready&terminal=LBCT+%28USLGB%29": 0, "/?situation=nothing": 0,
		"/?situation=at_sea": 3, "/?terminal=WBCT+%28USLAX%29": 5, // two are there, and three on their way
		"/?urgency=overdue": 1, "/?urgency=overdue&situation=held": 0, "/?customer=lakeside": 3, "/?days_left_to=-1": 1, "/?last_free_day_from=2024-06-28&last_free_day_to=2024-06-28": 1,
		"/?q=msku7182047,medu3309188": 2, "/?q=MSKU7182047+medu3309188%0AEGHU9023165": 3, "/?q=,": 8,
		"/?work=dwelling&days=3": 1, "/?work=soon": 0,
		"/?days_left_to=0": 1, "/?days_left_to=3": 3, "/?holds=customs": 1, "/?fees=any": 2, "/?fees=exam": 1, "/?vessel=x": 0,
		"/?last_free_day_to=yesterday": 0, "/?last_free_day_unknown=some": 0, "/?page=7": 8,
	} {
		require.Equal(t, want, strings.Count(p.get(path), `<tr id="c-`), path)
	}
}

// Of several numbers, those that are not found are named.
func TestList_NamesWhatIsNotFound(t *testing.T) {
	p := newPage(t)
	require.Contains(t, p.get("/?q=MSKU7182047+NOPE1234567%3Bnope+123"), "Not on the board: NOPE1234567, NOPE123<")
	require.NotContains(t, p.get("/?q=NOPE1234567"), "Not on the board", "the list is empty")
	var numbers []string
	for i := range mostTerms + 1 {
		numbers = append(numbers, fmt.Sprint("NOPE", i))
	}
	require.Contains(t, p.get("/?q="+strings.Join(numbers, ",")), "At most 200 numbers can be looked for at once")
}

// The demo has one container that is over its last free day, and one with a customs hold.
func TestList_Counts(t *testing.T) {
	text := newPage(t).get("/?urgency=overdue")
	require.Contains(t, text, `<a class="overdue" href="/" aria-current="true"><strong>1</strong> over the last free day</a>`)
	require.Contains(t, text, `<a href="/?situation=held"><strong>1</strong> held</a>`)
	require.Contains(t, text, `<a href="/?situation=at_sea"><strong>3</strong> at sea</a>`)
	require.NotContains(t, text, `href="/?situation=returned"`, "none is")
}

// The age is on every page. A real account has no webhook, so its page shows how often it is read.
func TestPages_SayHowOldTheyAre(t *testing.T) {
	a := newAccount(Own{})
	require.Equal(t, "The list is being read: 0 containers so far.", a.state().Age)
	a.all = true
	require.Equal(t, "The whole list was read just now, and is read every 30 minutes, what is tracked every 5.", a.state().Age)
	p := newPage(t)
	for _, path := range []string{"/", "/containers/" + p.server.ContainerIDs(p.demo.Shipments[1])[0]} {
		require.Contains(t, p.get(path), "The whole list was read just now.")
	}
}

// What the service sends is text, not markup.
func TestPages_Escape(t *testing.T) {
	p := newPage(t)
	const hostile = `"><script>alert(1)</script>`
	p.server.UpdateShipment(p.demo.Shipments[1], func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"customer_name": hostile, "bill_of_lading_number": hostile}
	})
	p.read()
	id := p.server.ContainerIDs(p.demo.Shipments[1])[0]
	for _, path := range []string{"/", "/containers/" + id, "/?q=" + url.QueryEscape(hostile)} {
		text := p.get(path)
		require.NotContains(t, text, "<script>alert")
		require.Contains(t, text, "&lt;script&gt;alert")
	}
}

// An id of the service is one segment of the path, whatever is in it.
func TestList_LinksEscapeIDs(t *testing.T) {
	p := newPage(t)
	const id = "../a/b?c#d%2e e"
	c := &terminal49.Container{Number: "MSKU7182047"}
	c.ID = id
	p.put(c)
	link := "/containers/..%2Fa%2Fb%3Fc%23d%252e%20e"
	require.Contains(t, p.get("/"), `<a href="`+link+`"`)
	require.Contains(t, p.get(link), "MSKU7182047")
}

// Names of hosts have no case, and may end with a dot.
func TestSite_AcceptsLocalHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:8049": true, "LocalHost.:8049": true, "127.0.0.1:8049": true, "[::1]:8049": true, "[::1]": true,
		"localhost.e.example": false, "elocalhost": false, "localhost..": false, "10.0.0.1": false, "": false,
	} {
		require.Equal(t, want, isLocalHost(host), host)
	}
}

func TestSite_RefusesStrangers(t *testing.T) {
	p := newPage(t)
	r := httptest.NewRequest(http.MethodGet, "http://board.example/", nil)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	require.Equal(t, http.StatusMisdirectedRequest, w.Code)

	r = httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8049/clock", strings.NewReader("ahead=6"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w = httptest.NewRecorder()
	p.ServeHTTP(w, r)
	require.Equal(t, http.StatusForbidden, w.Code)
	require.Contains(t, p.do(http.MethodGet, "/", nil).Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, http.StatusNotFound, p.do(http.MethodGet, "/containers/none", nil).Code)
}

func TestClock_Turns(t *testing.T) {
	p := newPage(t)
	before := p.server.Now()
	w := p.do(http.MethodPost, "/clock", url.Values{"ahead": {"6"}, "back": {"/?situation=held"}})
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, "/?situation=held", w.Header().Get("Location"))
	require.Equal(t, 6*time.Hour, p.server.Now().Sub(before))
	w = p.do(http.MethodPost, "/clock", url.Values{"speed": {"0"}, "back": {"//evil.example"}})
	require.Equal(t, "/", w.Header().Get("Location"))
	for _, form := range []url.Values{{"ahead": {"25"}}, {"ahead": {"x"}}, {"speed": {"-1"}}, {"speed": {"NaN"}}, {}} {
		require.Equal(t, http.StatusBadRequest, p.do(http.MethodPost, "/clock", form).Code, form)
	}
}

// Browsers drop tabs and line breaks from an address, and read a backslash as a slash.
func TestClock_LeadsBackToThisSite(t *testing.T) {
	p := newPage(t)
	for _, back := range []string{"//e.example", "/\\e.example", "/\t/e.example", "/\n\\e.example", "/\r/e.example", "/a\\b", "e.example", " /", ""} {
		w := p.do(http.MethodPost, "/clock", url.Values{"speed": {"0"}, "back": {back}})
		require.Equal(t, "/", w.Header().Get("Location"), "%q", back)
	}
	w := p.do(http.MethodPost, "/clock", url.Values{"speed": {"0"}, "back": {"/?q=a%20b&port=\u00e9"}})
	require.Equal(t, "/?q=a%20b&port=%c3%a9", w.Header().Get("Location"))
}

// A form is small, and is sent as browsers send it.
func TestClock_BoundsTheForm(t *testing.T) {
	p := newPage(t)
	w := p.do(http.MethodPost, "/clock", url.Values{"speed": {"0"}, "more": {strings.Repeat("x", 5<<10)}})
	require.Equal(t, http.StatusBadRequest, w.Code)
	body := &readCounter{Reader: strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"speed\"\r\n\r\n0\r\n--b--" + strings.Repeat("x", 1<<20))}
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8049/clock", body)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	w = httptest.NewRecorder()
	p.ServeHTTP(w, r)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.LessOrEqual(t, body.n, 8<<10)
}

// readCounter counts the bytes that are read.
type readCounter struct {
	io.Reader
	n int
}

func (c *readCounter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// The id of a container that changes is in the next beat, with another version.
func TestEvents_NameWhatChanges(t *testing.T) {
	p := newPage(t)
	server := httptest.NewServer(p)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/events", nil)
	require.NoError(t, err)
	resp, err := server.Client().Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	require.Contains(t, until(t, resp.Body, "data: ", "\n\n"), p.site.model.version())

	id := p.server.ContainerIDs(p.demo.Shipments[1])[0]
	p.server.UpdateContainer(id, func(c *terminal49test.Container) {
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})
	p.read()
	until(t, resp.Body, p.site.model.version()+`","ids":["`+id, "\n\n")
	cancel()
	require.Eventually(t, func() bool { return p.site.model.streams() == 0 }, time.Minute, time.Millisecond)
}

// until reads to the end of the event that begins with a text.
func until(t *testing.T, from io.Reader, begin, end string) string {
	t.Helper()
	var text strings.Builder
	chunk := make([]byte, 4096)
	for {
		n, err := from.Read(chunk)
		text.Write(chunk[:n])
		if _, event, ok := strings.Cut(text.String(), begin); ok && strings.Contains(event, end) {
			return event
		}
		require.NoError(t, err, text.String())
	}
}

// A voyage across the Pacific is one line, and its ports are on it.
func TestDraw_CrossesTheAntimeridian(t *testing.T) {
	p := newPage(t)
	id := p.server.ContainerIDs(p.demo.Shipments[4])[0] // on the vessel, Shanghai to Los Angeles
	m, err := p.client.Containers.Map(t.Context(), id)
	require.NoError(t, err)
	svg := string(draw(t.Context(), m))
	require.Contains(t, svg, `aria-label="Route: `)
	require.NotContains(t, svg, "NaN")
	require.NotContains(t, svg, "Inf")
	require.Contains(t, svg, `class="vessel"`)
	require.Regexp(t, `translate\(121\.\d+ -3[01]\.\d+\)`, svg, "Shanghai, UN/LOCODE CNSHA: 31 N 121 E")
	require.Regexp(t, `translate\(241\.\d+ -33\.\d+\)`, svg, "Los Angeles: 33 N 118 W, one turn further east")
	require.Empty(t, draw(t.Context(), &terminal49.ContainerMap{}))
}

// A wrong id is a page with a way back, which says so if the container may still come.
func TestContainer_WrongID(t *testing.T) {
	p := newPage(t)
	w := p.do(http.MethodGet, "/containers/none", nil)
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "<p>No container on the board has this id.</p>")
	require.Contains(t, w.Body.String(), `<a class="button" href="/">All containers</a>`)
	require.Contains(t, w.Header().Get("Content-Type"), "text/html")
	p.site.source = newAccount(Own{})
	require.Contains(t, p.do(http.MethodGet, "/containers/none", nil).Body.String(), "Not everything has been read yet")
}

// Until everything has been read once, the page says how much of how many.
func TestList_SaysHowMuchHasBeenRead(t *testing.T) {
	p := newPage(t)
	require.Contains(t, p.get("/"), `<div id="reading"></div>`)
	a := newAccount(Own{})
	p.site.source, a.total = a, 5000
	require.Contains(t, p.get("/"), `Not all containers are here yet. <span class="progress">The list is being read: 0 of 5,000 containers so far.</span>`)
	require.Equal(t, "4,855", soFar(4855, 0))
	require.Equal(t, "5,001", soFar(5001, 5000), "some came meanwhile")
	p.site.model = newModel()
	require.Contains(t, p.get("/"), "No container has been read yet.")
}

// What a dispatcher asks most is one click from the first page; a customer's spreadsheet is two.
func TestTasks_AreAClickAway(t *testing.T) {
	p := newPage(t)
	first := p.get("/")
	for _, link := range []string{`href="/?days_left_to=0"`, `href="/?days_left_to=0&amp;situation=held"`, `href="/changes?since=24"`} {
		require.Contains(t, first, link)
	}
	customer := regexp.MustCompile(`href="(/\?customer=[^"]+)"`).FindStringSubmatch(first)
	require.NotNil(t, customer)
	require.Regexp(t, `href="/containers\.csv\?customer=[^"]+" download>CSV`, p.get(customer[1]))
	// A number that was looked for is shown with the whole sentence, without a click on its row.
	for path, whole := range map[string]bool{"/": false, "/?q=MSKU7182047": true, "/?q=msku+718": true, "/?q=2": false, "/?situation=held": false} {
		require.Equal(t, whole, strings.Contains(p.get(path), `<html lang="en" class="roomy">`), path)
	}
}

// The form of the rows is remembered, and its button leads back to this site.
func TestForm_IsRemembered(t *testing.T) {
	p := newPage(t)
	w := p.do(http.MethodPost, "/form", url.Values{"form": {"roomy"}, "back": {"/?situation=held"}})
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, "/?situation=held", w.Header().Get("Location"))
	require.Equal(t, "form=roomy; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict", w.Header().Get("Set-Cookie"))
	for cookie, want := range map[string]string{"roomy": `<html lang="en" class="roomy">`, "x": `<html lang="en">`, "": `<html lang="en">`} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8049/", nil)
		r.AddCookie(&http.Cookie{Name: "form", Value: cookie})
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		require.Contains(t, w.Body.String(), want)
	}
	w = p.do(http.MethodPost, "/form", url.Values{"form": {"compact"}, "back": {"//evil.example"}})
	require.Equal(t, "/", w.Header().Get("Location"))
	require.Contains(t, w.Header().Get("Set-Cookie"), "Max-Age=0")
	w = p.do(http.MethodPost, "/form", url.Values{"more": {strings.Repeat("x", 5<<10)}})
	require.Equal(t, http.StatusBadRequest, w.Code)
}

// A dispatcher begins with what must get out today, and with what of that is held.
func TestList_CountsWhatIsDue(t *testing.T) {
	text := newPage(t).get("/?days_left_to=0")
	require.Contains(t, text, `<a href="/"><strong>8</strong> all</a>`)
	require.Contains(t, text, `<a href="/?days_left_to=0" aria-current="true"><strong>1</strong> due by today</a>`)
	require.Contains(t, text, `<a href="/?days_left_to=0&amp;situation=held"><strong>0</strong> held and due</a>`)
}
