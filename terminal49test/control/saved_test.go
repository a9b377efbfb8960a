package control_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// Source: the documentation of Server.Save, Server.Load and Server.Reset.
func TestSaved_SaveLoadReset(t *testing.T) {
	s := newSimulation(t, nil)
	s.newWorld(`{"id":"a","scenario":"rail-import","options":{"speed":0,"start":"2026-03-02T15:00:00Z"}}`)
	s.newWorld(`{"id":"b","options":{"speed":0}}`)
	resources := func(world string) string { return s.send("GET", "/_simulator/worlds/"+world+"/resources", "").body }
	begun := resources("a")
	s.run("a", `{"advance":"20d"}`, `{"fault":{"operation":"shipments.get","times":3}}`)
	saved := s.send("GET", "/_simulator/worlds/a/save", "")
	require.Equal(t, 200, saved.status)
	require.Equal(t, 204, s.send("POST", "/_simulator/worlds/b/load", saved.body).status)
	require.Equal(t, resources("a"), resources("b"))
	require.Equal(t, saved.body, s.send("GET", "/_simulator/worlds/b/save", "").body)
	require.Contains(t, s.send("GET", "/_simulator/worlds/b/faults", "").body, `"times":3`)

	lines := strings.SplitAfter(saved.body, "\n")
	broken := lines[0] + `{"container":{"nubmer":"MSKU7182047"}}` + "\n"
	wrong := decode[problem](s.send("POST", "/_simulator/worlds/b/load", broken), 422).Error
	require.Equal(t, control.CommandError{Line: 2, Command: "container", Member: "nubmer", Message: wrong.Message}, wrong)
	require.Contains(t, wrong.Message, "number?")
	require.Equal(t, 422, s.send("POST", "/_simulator/worlds/b/load", saved.body[:len(saved.body)/2]).status)
	require.Equal(t, 422, s.send("POST", "/_simulator/worlds/b/load", "").status)
	require.Equal(t, saved.body, s.send("GET", "/_simulator/worlds/b/save", "").body, "a world that cannot be loaded changes nothing")

	require.Equal(t, 204, s.send("POST", "/_simulator/worlds/a/reset", "").status)
	require.Equal(t, begun, resources("a"))
	require.NotContains(t, s.send("GET", "/_simulator/worlds/a/faults", "").body, "shipments.get")
}

// Source: the documentation of Server.Save. It writes a large world in parts, and one of them must
// not look like a whole one.
func TestSaved_WhatCannotBeSavedEndsWithAnError(t *testing.T) {
	s := newSimulation(t, nil)
	s.Default().Script("MAEU240711002", terminal49test.Journey{Steps: []terminal49test.Step{{Do: terminal49test.Custom(func(*terminal49test.ActionContext) {})}}})
	require.Contains(t, decode[problem](s.send("GET", "/_simulator/save", ""), 422).Error.Message, "MAEU240711002")
	s.Default().AddDocument(terminal49test.Document{FileName: "a.pdf", Content: make([]byte, 17<<20)})
	resp, err := s.client.Get(s.url + "/_simulator/save")
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	require.Error(t, err)
}

// Source: the documentation of Options.MaxLoad.
func TestSaved_LoadIsBounded(t *testing.T) {
	s := newSimulation(t, func(o *control.Options) { o.MaxLoad = 1000 })
	saved := s.send("GET", "/_simulator/save", "").body
	require.Greater(t, len(saved), 1000)
	require.Contains(t, decode[problem](s.send("POST", "/_simulator/load", saved), http.StatusRequestEntityTooLarge).Error.Message, "1000 bytes")
}

// Source: the package's maximum of 4 worlds that are read at a time; a further one waits.
func TestSaved_LoadsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := control.New(control.Options{Default: []terminal49test.Option{terminal49test.WithSpeed(0)}})
		defer s.Close()
		load := func(body io.Reader) *httptest.ResponseRecorder {
			w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost/_simulator/load", body)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Simulator-Control", "true")
			w.Code = 0
			go s.ServeHTTP(w, r)
			synctest.Wait()
			return w
		}
		var slow []*io.PipeWriter
		for range 4 {
			body, begin := io.Pipe()
			load(body)
			slow = append(slow, begin)
		}
		var world bytes.Buffer
		require.NoError(t, s.Default().Save(&world))
		further := load(&world)
		require.Zero(t, further.Code)
		for _, begin := range slow {
			require.NoError(t, begin.Close())
		}
		synctest.Wait()
		require.Equal(t, 204, further.Code)
	})
}
