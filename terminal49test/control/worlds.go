package control

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/go-freight/terminal49/terminal49test"
)

// world is a simulated account.
type world struct {
	id string
	runner
	fill    func() error // puts in what the world begins with
	changed signal
}

// newWorld returns a world that is not served yet. Its webhooks are recorded unless opts say
// otherwise.
func (s *Simulator) newWorld(id string, opts []terminal49test.Option) *world {
	all := append([]terminal49test.Option{recordWebhooks}, opts...)
	all = append(all, terminal49test.WithoutSocket(), terminal49test.WithStorageURL(controlPath+"/storage/"+id))
	return &world{id: id, runner: runner{server: terminal49test.NewServer(all...)}, fill: func() error { return nil }}
}

// recordWebhooks answers each delivery with status 200.
var recordWebhooks = terminal49test.WithWebhookHandler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))

// serve serves a request of the service.
func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	defer w.changed.send()
	w.server.ServeHTTP(rw, r)
}

// worldForm is the body of a request that makes a world.
type worldForm struct {
	ID       string       `json:"id,omitzero"`
	Scenario string       `json:"scenario,omitzero"`
	Options  worldOptions `json:"options,omitzero"`
}

var worldID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// add makes a world and serves it. Worlds are made one after the other.
func (s *Simulator) add(form worldForm) (*world, error) {
	s.making.Lock()
	defer s.making.Unlock()
	token := cmp.Or(form.Options.Token, "t49-simulated-"+rand.Text())
	id := cmp.Or(form.ID, s.freeID())
	if err := s.checkNew(id, token); err != nil {
		return nil, err
	}
	opts, err := form.Options.list()
	if err != nil {
		return nil, err
	}
	w := s.newWorld(id, append(opts, terminal49test.WithToken(token)))
	if form.Scenario != "" {
		w.fill = func() error { return w.play(form.Scenario) }
	}
	if err := w.fill(); err != nil {
		w.server.Close()
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.worlds[id], s.byToken[token] = w, w
	return w, nil
}

// freeID returns the id of a world that was given none.
func (s *Simulator) freeID() string {
	for {
		s.made++
		if id := "w" + strconv.Itoa(s.made); s.world(id) == nil {
			return id
		}
	}
}

func (s *Simulator) checkNew(id, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !worldID.MatchString(id):
		return refused(http.StatusUnprocessableEntity, "id must have 1 to 64 letters, digits, - and _")
	case s.worlds[id] != nil:
		return refused(http.StatusConflict, fmt.Sprintf("the world %q exists: choose another id, or drop it", id))
	case s.byToken[token] != nil && s.byToken[token] != s.nobody:
		return refused(http.StatusConflict, "another world has this token")
	case len(s.worlds) >= maxWorlds:
		return refused(http.StatusConflict, fmt.Sprintf("there are %d worlds, which is the maximum: drop one", maxWorlds))
	}
	return nil
}

// reset makes the world again as it began.
func (s *Simulator) reset(at *world, w http.ResponseWriter, _ *http.Request) error {
	at.server.Reset()
	if err := at.fill(); err != nil {
		return err
	}
	at.changed.send()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// drop stops a world. Its token is refused from then on.
func (s *Simulator) drop(w *world) {
	s.mu.Lock()
	delete(s.worlds, w.id)
	s.refuse(w.server.Token)
	s.mu.Unlock()
	w.server.Close()
	w.changed.send()
}

// refuse has a token refused, and forgets those that were dropped long ago. Another world can have
// one of them by now.
func (s *Simulator) refuse(token string) {
	s.byToken[token] = s.nobody
	for _, old := range s.dropped.Add(token) {
		if s.byToken[old] == s.nobody {
			delete(s.byToken, old)
		}
	}
}
