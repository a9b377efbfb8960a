package control_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// logged is a page of a log.
type logged struct {
	Items []struct {
		Number                        int
		Operation, Event, Body, Query string
		Status                        int
		DeliveryStatus                string `json:"delivery_status"`
		Notification                  string
		ID                            string
	}
	Seen  []struct{ Operation string }
	Next  int
	Error control.CommandError
}

// Source: the package documentation, "Logs".
func TestLogs_Requests(t *testing.T) {
	s := newSimulation(t, nil)
	token := s.Default().Token
	s.api(token, "GET", "/shipments", "")
	s.api(token, "GET", "/shipments/unknown", "")
	s.api(token, "GET", "/containers?sort=weight", "")
	all := decode[logged](s.send("GET", "/_simulator/requests", ""), 200)
	require.Len(t, all.Items, 3)
	require.Equal(t, 3, all.Next)
	after := decode[logged](s.send("GET", "/_simulator/requests?after=2", ""), 200)
	require.Len(t, after.Items, 1)
	require.Equal(t, "sort=weight", after.Items[0].Query)
	found := decode[logged](s.send("GET", "/_simulator/requests?operation=shipments.get&status=404", ""), 200)
	require.Len(t, found.Items, 1)
	require.Equal(t, 2, found.Items[0].Number)
	require.Empty(t, decode[logged](s.send("GET", "/_simulator/requests?operation=webhooks.list", ""), 200).Items)
	require.Len(t, decode[logged](s.send("GET", "/_simulator/requests?operation=shipments.get&operation=shipments.list", ""), 200).Items, 2)
	violations := decode[logged](s.send("GET", "/_simulator/violations?operation=containers.list", ""), 200)
	require.Len(t, violations.Items, 1)

	missed := decode[logged](s.send("GET", "/_simulator/requests?operation=shipments.list&count=2&wait=1ms", ""), 408)
	require.Len(t, missed.Items, 1)
	require.Equal(t, "shipments.get", missed.Seen[0].Operation)
	require.Contains(t, missed.Error.Message, "1 of 2")
	for query, want := range map[string]string{
		"after=x": "after", "count=-1": "count", "count=1001": "count", "wait=soon": "wait", "wait=61s": "wait", "operatoin=x": "operation?", "event=x": "event",
	} {
		require.Contains(t, decode[logged](s.send("GET", "/_simulator/requests?"+query, ""), 400).Error.Message, want)
	}
}

// A page has at most 1000 items, and the next one goes on after it.
func TestLogs_Pages(t *testing.T) {
	s := newSimulation(t, nil)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 300 {
				w := s.Default().HTTPClient()
				resp, err := w.Get("https://simulator.terminal49.test/v2/nothing")
				if err == nil {
					_ = resp.Body.Close()
				}
			}
		})
	}
	wait.Wait()
	first := decode[logged](s.send("GET", "/_simulator/requests", ""), 200)
	require.Len(t, first.Items, 1000)
	second := decode[logged](s.send("GET", fmt.Sprintf("/_simulator/requests?after=%d", first.Next), ""), 200)
	require.Len(t, second.Items, 200)
}

// Source: the documentation of WebhookDelivery and of POST /webhooks: the world records webhooks.
func TestLogs_WaitForADelivery(t *testing.T) {
	s := newSimulation(t, nil)
	s.run("default", `{"add_webhook":{"url":"https://receiver.example/","events":["container.created"]}}`)
	answers := make(chan response, 1)
	go func() { answers <- s.send("GET", "/_simulator/deliveries?event=container.created&wait=30s", "") }()
	s.run("default", `{"hold_webhooks":{}}`, `{"begin":{"number":"MAEU240711002","journey":"ready"}}`, `{"advance":"1h"}`)
	require.Empty(t, decode[logged](s.send("GET", "/_simulator/deliveries", ""), 200).Items)
	require.NotEmpty(t, decode[logged](s.send("GET", "/_simulator/notifications?event=container.created", ""), 200).Items)
	s.run("default", `{"release_webhooks":{}}`)
	got := decode[logged](<-answers, 200)
	require.Equal(t, 200, got.Items[0].Status)
	require.Contains(t, got.Items[0].Body, `"data":{`)
	s.run("default", `{"redeliver":{"id":"`+got.Items[0].Notification+`"}}`)
	again := decode[logged](s.send("GET", fmt.Sprintf("/_simulator/deliveries?notification=%s&attempt=0&wait=30s", got.Items[0].Notification), ""), 200)
	require.Len(t, again.Items, 1)
}

// Source: the package's maximum of 64 waits. They end when the simulator is closed.
func TestLogs_WaitsAreBounded(t *testing.T) {
	s := newSimulation(t, nil)
	statuses := make(chan int)
	for range 80 {
		go func() { statuses <- s.send("GET", "/_simulator/requests?wait=60s", "").status }()
	}
	for range 16 {
		require.Equal(t, http.StatusTooManyRequests, <-statuses)
	}
	s.Close()
	for range 64 {
		require.Equal(t, http.StatusRequestTimeout, <-statuses)
	}
}

// inProcess serves a request of control in the process.
func inProcess(s *control.Simulator, method, target, body string) *httptest.ResponseRecorder {
	r, w := httptest.NewRequest(method, "http://localhost"+target, strings.NewReader(body)), httptest.NewRecorder()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Simulator-Control", "true")
	s.ServeHTTP(w, r)
	return w
}

// Source: the package documentation, "Logs": a wait answers once there are as many as count.
func TestLogs_AWaitGoesOnUntilEnoughMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := control.New(control.Options{Default: []terminal49test.Option{terminal49test.WithSpeed(0)}})
		defer s.Close()
		answers := make(chan *httptest.ResponseRecorder, 1)
		go func() {
			answers <- inProcess(s, "GET", "/_simulator/notifications?event=container.created&count=2&wait=30s", "")
		}()
		for _, command := range []string{
			`{"pause":{}}`, `{"add_webhook_notification":{"event":"container.created"}}`, `{"add_webhook_notification":{"event":"container.updated"}}`,
		} {
			synctest.Wait()
			require.Equal(t, 200, inProcess(s, "POST", "/_simulator/commands", command).Code)
			synctest.Wait()
			require.Empty(t, answers, command)
		}
		inProcess(s, "POST", "/_simulator/commands", `{"add_webhook_notification":{"event":"container.created"}}`)
		answer := <-answers
		require.Equal(t, 200, answer.Code)
		require.Equal(t, 2, strings.Count(answer.Body.String(), `"event":"container.created"`))

		inProcess(s, "POST", "/_simulator/commands", `{"add_webhook":{"url":"https://receiver.example/","events":["tracking_request.succeeded"]}}
			{"begin":{"number":"MAEU240711002","journey":"ready"}} {"speed":3600}`)
		answer = inProcess(s, "GET", "/_simulator/notifications?event=tracking_request.succeeded&wait=60s", "")
		require.Equal(t, 200, answer.Code, "the running clock changes the world")
		inProcess(s, "POST", "/_simulator/commands", `{"pause":{}}`)

		for range 70 { // more than can wait at a time
			require.Equal(t, http.StatusRequestTimeout, inProcess(s, "GET", "/_simulator/requests?wait=1s", "").Code)
		}
		go func() { answers <- inProcess(s, "GET", "/_simulator/requests?wait=60s", "") }()
		synctest.Wait()
		closed := time.Now()
		s.Close()
		<-answers
		require.Zero(t, time.Since(closed))
	})
}
