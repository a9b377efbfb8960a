// Desk answers over HTTP where the containers with a number are and what to do about them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-freight/terminal49"
)

var related = terminal49.AssessIncludes() // for Assess

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := terminal49.NewFromEnv() // one for all requests
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /containers/{number}", desk{client})
	server := &http.Server{
		Addr: os.Getenv("ADDR"), Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute,
	}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopped <- server.Shutdown(context.WithoutCancel(ctx))
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	return <-stopped
}

type desk struct{ client *terminal49.Client }

// answer is one journey of a container. What is not known is null.
type answer struct {
	Number      string               `json:"number"`
	Situation   terminal49.Situation `json:"situation"`
	LastFreeDay terminal49.Date      `json:"last_free_day"`
	DaysLeft    terminal49.Opt[int]  `json:"days_left"`
	Text        string               `json:"text"`
}

func (d desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	found, err := d.client.Containers.FindByNumber(ctx, r.PathValue("number"), &terminal49.ContainerGetParams{Include: related})
	var argument *terminal49.ArgumentError
	switch {
	case errors.As(err, &argument):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	case len(found) == 0:
		http.Error(w, "the container is not tracked", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answers(found, now()))
	}
}

func answers(found []*terminal49.Container, now time.Time) []answer {
	all := make([]answer, len(found))
	for i, container := range found {
		verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
		day, _ := verdict.LastFreeDay.At.Date() // on the terminal's calendar, not in UTC
		all[i] = answer{container.Number, verdict.Situation, day, verdict.DaysLeft, verdict.String()}
	}
	return all
}

// now is the clock, unless a test sets NOW.
func now() time.Time {
	if at, err := time.Parse(time.RFC3339, os.Getenv("NOW")); err == nil {
		return at
	}
	return time.Now()
}
