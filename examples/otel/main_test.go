package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The dashboard asks only for metrics and labels that the program exports.
func TestDashboard_NamesExist(t *testing.T) {
	text, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	require.True(t, json.Valid(text))
	names := regexp.MustCompile(`\b(?:terminal49|http|error)_\w+`).FindAllString(string(text), -1)
	require.NotEmpty(t, names)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out lines
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-traces"}, &out) }()
	require.Eventually(t, func() bool { return address(out.String()) != "" }, time.Minute, 10*time.Millisecond)
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		exported := get(c, address(out.String()))
		for _, name := range names {
			assert.Contains(c, exported, name)
		}
	}, time.Minute, 200*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
	require.Contains(t, out.String(), `"terminal49.shipments.list"`)
}

// lines is a buffer for several goroutines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// address returns the URL of the metrics; "" if it was not printed yet.
func address(out string) string {
	first, _, ok := strings.Cut(out, "\n")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(first, "metrics on ")
}

func get(t require.TestingT, url string) string {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	resp, err := client.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}
