package control

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// Options configures a [Simulator]. The zero value is a simulator that is reached over loopback
// addresses.
type Options struct {
	// Default are the options of the world "default".
	Default []terminal49test.Option
	// Fill fills the world "default" when it is made and after each reset; nil leaves it empty.
	Fill func(*terminal49test.Server)
	// ControlToken is what requests of control must have in the header Simulator-Control. Without
	// it, control is only for requests over loopback addresses.
	ControlToken string
}

// Simulator serves simulated accounts and their control. It is safe for concurrent use.
type Simulator struct {
	options Options
	control *http.ServeMux
	waits   chan struct{} // has an item for each wait
	closed  chan struct{}
	once    sync.Once

	making sync.Mutex // held while a world is made
	made   int        // worlds that were given no id

	mu      sync.Mutex
	worlds  map[string]*world
	byToken map[string]*world
	nobody  *world               // refuses the tokens of dropped worlds, so that no other one counts them
	dropped state.Newest[string] // their tokens
}

const (
	// Version is the version of the control's forms.
	Version      = 1
	defaultWorld = "default"
	maxWorlds    = 64
	maxWaits     = 64
	maxDropped   = 10_000
)

// New returns a simulator with the world "default". The caller closes it.
func New(o Options) *Simulator {
	s := &Simulator{
		options: o, worlds: map[string]*world{}, byToken: map[string]*world{}, dropped: state.Newest[string]{Limit: maxDropped},
		waits: make(chan struct{}, maxWaits), closed: make(chan struct{}),
	}
	s.control = s.routes()
	s.nobody = s.newWorld("nobody", []terminal49test.Option{
		terminal49test.WithToken(rand.Text()), terminal49test.WithoutReferenceData(), terminal49test.WithoutRateLimits(),
		terminal49test.WithSpeed(0), terminal49test.WithLog(0),
	})
	w := s.newWorld(defaultWorld, o.Default)
	if o.Fill != nil {
		w.fill = func() error { o.Fill(w.server); return nil }
		_ = w.fill() // does not fail
	}
	s.worlds[w.id], s.byToken[w.server.Token] = w, w
	return s
}

// Default returns the server of the world "default".
func (s *Simulator) Default() *terminal49test.Server { return s.world(defaultWorld).server }

// Close ends waits and stalled responses, and stops all worlds. It can be called twice.
func (s *Simulator) Close() {
	s.once.Do(func() {
		close(s.closed)
		for _, w := range append(s.all(), s.nobody) {
			w.server.Close()
		}
	})
}

// ServeHTTP serves a request of control, of the storage of a world, or of the service.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	under, isControl := strings.CutPrefix(r.URL.Path, controlPath)
	switch id, isStorage := strings.CutPrefix(under, "/storage/"); {
	case !isControl || under != "" && under[0] != '/':
		s.worldOf(r).serve(w, r)
	case isStorage:
		id, _, _ = strings.Cut(id, "/")
		if at := s.world(id); at != nil {
			at.serve(w, r)
			return
		}
		http.Error(w, "the world does not exist", http.StatusNotFound)
	default:
		s.serveControl(w, r)
	}
}

// worldOf returns the world of a request's token, or else the default one, which refuses it, unless
// it is the token of a dropped world.
func (s *Simulator) worldOf(r *http.Request) *world {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.byToken[token], s.worlds[defaultWorld])
}

// world returns nil if the id does not exist.
func (s *Simulator) world(id string) *world {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worlds[id]
}

// all returns the worlds by id.
func (s *Simulator) all() []*world {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*world, 0, len(s.worlds))
	for _, w := range s.worlds {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b *world) int { return cmp.Compare(a.id, b.id) })
	return list
}
