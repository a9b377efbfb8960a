package board

import (
	"bytes"
	"compress/gzip"
	"embed"
	"html/template"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"unicode"
)

//go:embed static templates
var files embed.FS

// pages are the templates. They escape what the service sends.
var pages = template.Must(template.New("").Funcs(template.FuncMap{"words": words, "value": value, "grouped": grouped, "utc": utc, "unbroken": unbroken}).ParseFS(files, "templates/*.html"))

// site is the web site.
type site struct {
	model    *model
	source   source
	loopback bool            // it listens on this machine only
	ended    <-chan struct{} // closed when the program ends
	complain func(string)    // writes to the log
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /containers.csv", s.table)
	mux.HandleFunc("GET /changes", s.changes)
	mux.HandleFunc("GET /containers/{id}", s.container)
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("POST /clock", s.turnClock)
	mux.HandleFunc("POST /form", s.chooseForm)
	mux.Handle("GET /static/", http.FileServerFS(files))
	return s.guard(http.NewCrossOriginProtection().Handler(mux))
}

// guard sets the headers of every response. On the loopback interface it refuses the names of other
// hosts, with which a page elsewhere could read this one.
func (s *site) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if s.loopback && !isLocalHost(r.Host) {
			http.Error(w, "this host name is not served here; a proxy must send the name 127.0.0.1", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isLocalHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(host, ".")
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// head is what every page has.
type head struct {
	Title   string
	Now     string
	Version string // of the model
	Clock   *clock // nil for the real service
	Here    string // address of the page
	Roomy   bool   // the visitor wants rows of several lines
	IsShort bool   // the rows are few that were looked for, so they have several lines, too
	HasRows bool   // the page is a list
	state
}

// clock is the simulated clock, and how fast it runs.
type clock struct {
	Speed  float64
	Speeds []speed
}

// Name returns the name of the speed; the number if it has none.
func (c *clock) Name() string {
	for _, s := range c.Speeds {
		if s.Factor == c.Speed {
			return s.Name
		}
	}
	return strconv.FormatFloat(c.Speed, 'g', -1, 64)
}

type speed struct {
	Factor float64
	Name   string
}

var speeds = []speed{{0, "stop"}, {1, "real time"}, {600, "10 min/s"}, {3600, "1 h/s"}, {86_400, "1 day/s"}}

func (s *site) head(title, version string) head {
	h := head{Title: title, Now: utc(s.source.now()), Version: version, state: s.source.state()}
	if simulated, ok := s.source.(turnable); ok {
		h.Clock = &clock{simulated.speed(), speeds}
	}
	return h
}

// headFor returns the head of the page that a request asks for.
func (s *site) headFor(r *http.Request, title, version string) head {
	h := s.head(title, version)
	h.Here, h.Roomy = r.URL.RequestURI(), isRoomy(r)
	return h
}

func (s *site) write(w http.ResponseWriter, r *http.Request, page string, data any) {
	s.writeStatus(w, r, http.StatusOK, page, data)
}

func (s *site) writeStatus(w http.ResponseWriter, r *http.Request, status int, page string, data any) {
	var text bytes.Buffer
	if err := pages.ExecuteTemplate(&text, page, data); err != nil {
		s.complain("making a page: " + err.Error())
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	to, end := compressed(w, r)
	w.WriteHeader(status)
	_, _ = to.Write(visible(text.Bytes())) // the reader went away
	end()
}

// fail writes that a page could not be made, and why.
func (s *site) fail(w http.ResponseWriter, err error) {
	s.complain("making a page: " + err.Error())
	http.Error(w, "the page could not be made: the containers cannot be read now", http.StatusServiceUnavailable)
}

// compressed returns the writer of a response's body, which is compressed if the browser reads
// that. end must be called after the last write.
func compressed(w http.ResponseWriter, r *http.Request) (to io.Writer, end func()) {
	w.Header().Set("Vary", "Accept-Encoding")
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		return w, func() {}
	}
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	return packed, func() { _ = packed.Close() } // the reader went away
}

// visible replaces what a browser would not show but obey, such as characters that reverse the
// direction of the text after them. Templates escape only what HTML interprets.
func visible(page []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && isObeyed(r) {
			return '?'
		}
		return r
	}, page)
}

// isObeyed reports whether a program would not show r but obey it.
func isObeyed(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }

// turnClock sets the speed of the simulated clock, or moves it ahead.
func (s *site) turnClock(w http.ResponseWriter, r *http.Request) {
	simulated, ok := s.source.(turnable)
	if !ok {
		http.Error(w, "the real service has no clock to turn", http.StatusNotFound)
		return
	}
	if !readForm(w, r) {
		return
	}
	if err := simulated.turn(r.PostForm.Get("speed"), r.PostForm.Get("ahead")); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, ownPath(r.PostForm.Get("back")), http.StatusSeeOther)
}

// readForm reads a small form, or answers that it is too long or invalid.
func readForm(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil { // which reads no multipart form
		http.Error(w, "the form is too long or invalid", http.StatusBadRequest)
		return false
	}
	return true
}

// maxForm is how many bytes of a form are read.
const maxForm = 4 << 10

// ownPath returns a path of this site, "/" for anything else. Browsers drop tabs and line breaks
// from an address and read a backslash as a slash, so that "/\t/host" leads to another host.
func ownPath(path string) string {
	refused := func(r rune) bool { return r < 0x21 || r == '\\' }
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, refused) {
		return "/"
	}
	return path
}
