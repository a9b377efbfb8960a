package control

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// controlPath is the path below which everything is control or storage.
const controlPath = "/_simulator"

// worldRoutes are the requests about a world, by method and the path after its own.
var worldRoutes = map[string]func(*Simulator, *world, http.ResponseWriter, *http.Request) error{
	"POST /commands":     (*Simulator).runCommands,
	"GET /clock":         (*Simulator).getClock,
	"GET /resources":     (*Simulator).listResources,
	"GET /history":       (*Simulator).listHistory,
	"GET /faults":        (*Simulator).listFaults,
	"POST /reset":        (*Simulator).reset,
	"GET /requests":      requestLog.serve,
	"GET /violations":    violationLog.serve,
	"GET /notifications": notificationLog.serve,
	"GET /deliveries":    deliveryLog.serve,
}

func (s *Simulator) routes() *http.ServeMux {
	mux := http.NewServeMux()
	handle := func(pattern string, serve func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := serve(w, r); err != nil {
				writeError(w, err)
			}
		})
	}
	handle("GET "+controlPath, s.getReady)
	handle("GET "+controlPath+"/schema", s.getSchema)
	handle("GET "+controlPath+"/worlds", s.listWorlds)
	handle("POST "+controlPath+"/worlds", s.createWorld)
	handle("DELETE "+controlPath+"/worlds/{world}", s.dropWorld)
	for route, serve := range worldRoutes {
		method, path, _ := strings.Cut(route, " ")
		of := func(w http.ResponseWriter, r *http.Request) error {
			at := s.world(cmp.Or(r.PathValue("world"), defaultWorld))
			if at == nil {
				return refused(http.StatusNotFound, fmt.Sprintf("the world %q does not exist", r.PathValue("world")))
			}
			return serve(s, at, w, r)
		}
		handle(method+" "+controlPath+path, of)
		handle(method+" "+controlPath+"/worlds/{world}"+path, of)
	}
	return mux
}

// serveControl checks a request of control and serves it.
func (s *Simulator) serveControl(w http.ResponseWriter, r *http.Request) {
	if status, problem := s.refusal(r); status != 0 {
		writeError(w, refused(status, problem))
		return
	}
	if _, pattern := s.control.Handler(r); pattern == "" {
		writeError(w, refused(http.StatusNotFound, r.Method+" "+r.URL.Path+" is not a request of the simulator's control"))
		return
	}
	s.control.ServeHTTP(w, r)
}

// failure is the body of an error.
type failure struct {
	Error   CommandError      `json:"error"`
	Results []json.RawMessage `json:"results,omitzero"` // of the commands before
	logPage
}

func writeError(w http.ResponseWriter, err error) {
	status, e := explain(err)
	writeJSON(w, status, failure{Error: e})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		status = http.StatusInternalServerError
		body.Reset()
		body.WriteString(`{"error":{"message":"the response has no JSON"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the client may have disconnected
}

func (s *Simulator) getReady(w http.ResponseWriter, r *http.Request) error {
	ready := struct {
		Simulator string   `json:"simulator"`
		Version   int      `json:"version"`
		Worlds    []string `json:"worlds,omitzero"` // for those who may control them
	}{"terminal49", Version, nil}
	if s.mayListWorlds(r) {
		for _, at := range s.all() {
			ready.Worlds = append(ready.Worlds, at.id)
		}
	}
	writeJSON(w, http.StatusOK, ready)
	return nil
}

func (s *Simulator) getSchema(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/schema+json")
	_, err := w.Write(Schema())
	return err
}

// worldAddress is a world as a list of worlds has it; the token is only in the response to its
// creation.
type worldAddress struct {
	ID         string `json:"id"`
	Token      string `json:"token,omitzero"`
	APIBaseURL string `json:"api_base_url"`
	URL        string `json:"url"` // of its control
}

func addressOf(w *world, r *http.Request) worldAddress {
	base := "http://" + r.Host // by which the client reached the simulator
	return worldAddress{ID: w.id, APIBaseURL: base + "/v2", URL: base + controlPath + "/worlds/" + w.id}
}

func (s *Simulator) listWorlds(w http.ResponseWriter, r *http.Request) error {
	list := struct {
		Worlds []worldAddress `json:"worlds"`
	}{}
	for _, at := range s.all() {
		list.Worlds = append(list.Worlds, addressOf(at, r))
	}
	writeJSON(w, http.StatusOK, list)
	return nil
}

func (s *Simulator) createWorld(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCommand))
	if err != nil {
		return err
	}
	var form worldForm
	if len(bytes.TrimSpace(body)) > 0 {
		value, err := forms.Parse(body)
		if err != nil {
			return err
		}
		if err := forms.Fields(value, &form); err != nil {
			return err
		}
	}
	at, err := s.add(form)
	if err != nil {
		return err
	}
	address := addressOf(at, r)
	address.Token = at.server.Token
	writeJSON(w, http.StatusCreated, address)
	return nil
}

func (s *Simulator) dropWorld(w http.ResponseWriter, r *http.Request) error {
	at := s.world(r.PathValue("world"))
	switch {
	case at == nil:
		return refused(http.StatusNotFound, fmt.Sprintf("the world %q does not exist", r.PathValue("world")))
	case at.id == defaultWorld:
		return refused(http.StatusForbidden, "the world default cannot be dropped; reset it instead")
	}
	s.drop(at)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Simulator) runCommands(at *world, w http.ResponseWriter, r *http.Request) error {
	results, err := at.run(http.MaxBytesReader(w, r.Body, maxBody))
	at.changed.send()
	results = slices.Concat([]json.RawMessage{}, results) // [] rather than null
	if err != nil {
		status, e := explain(err)
		writeJSON(w, status, failure{Error: e, Results: results})
		return nil
	}
	writeJSON(w, http.StatusOK, struct {
		Results []json.RawMessage `json:"results"`
	}{results})
	return nil
}

func (s *Simulator) getClock(at *world, w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, at.clock())
	return nil
}

// listResources writes the resource objects of a snapshot, one a line.
func (s *Simulator) listResources(at *world, w http.ResponseWriter, r *http.Request) error {
	extendDeadlines(w)
	w.Header().Set("Content-Type", linesType)
	query := r.URL.Query()
	for resource := range at.server.Snapshot(query["type"]...) {
		if ids := query["id"]; len(ids) > 0 && !slices.Contains(ids, resource.ID) {
			continue
		}
		if _, err := w.Write(append(resource.JSON, '\n')); err != nil {
			return nil // the client disconnected
		}
	}
	return nil
}

// listHistory writes the states of resources, one a line.
func (s *Simulator) listHistory(at *world, w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	extendDeadlines(w)
	w.Header().Set("Content-Type", linesType)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, state := range at.server.History(query.Get("type"), query.Get("id")) {
		line := struct {
			At       time.Time       `json:"at"`
			Type     string          `json:"type"`
			ID       string          `json:"id"`
			Removed  bool            `json:"removed,omitzero"`
			Resource json.RawMessage `json:"resource,omitzero"`
		}{state.At, state.Type, state.ID, state.Removed, state.JSON}
		if err := encoder.Encode(line); err != nil {
			return nil // the client disconnected
		}
	}
	return nil
}

func (s *Simulator) listFaults(at *world, w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, struct {
		Items []terminal49test.Fault `json:"items"`
	}{append([]terminal49test.Fault{}, at.server.Faults()...)})
	return nil
}

const linesType = "application/x-ndjson"

// extendDeadlines lets a request take as long as it needs. A server closes other connections that
// are slow.
func extendDeadlines(w http.ResponseWriter) {
	deadlines := http.NewResponseController(w)
	_ = errors.Join(deadlines.SetReadDeadline(time.Time{}), deadlines.SetWriteDeadline(time.Time{})) // a recorder has none
}
