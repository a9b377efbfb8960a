package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The server responds at the printed URL and stops when its context ends.
func TestRun_ServesUntilInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"-addr", "127.0.0.1:0", "-speed", "60", "-traffic", "20", "-containers", "10", "-webhooks"}, in)
		_ = in.Close() // of a pipe it returns nil
		done <- err
	}()
	lines := bufio.NewScanner(out)
	printed := map[string]string{}
	for len(printed) < 2 && lines.Scan() {
		for _, name := range []string{"base URL", "token"} {
			if value, ok := strings.CutPrefix(lines.Text(), name); ok {
				printed[name] = strings.TrimSpace(value)
			}
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, printed["base URL"]+"/search?query=PO-10231", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Token "+printed["token"])
	client := &http.Client{Timeout: time.Minute}
	rest := make(chan string, 1)
	go func() {
		var left strings.Builder
		for lines.Scan() {
			left.WriteString(lines.Text() + "\n")
		}
		rest <- left.String()
	}()
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "MAEU240711002") {
		t.Errorf("%s %s", resp.Status, body)
	}
	client.CloseIdleConnections()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if left := <-rest; !strings.Contains(left, "1 requests received, 1 violations") || !strings.Contains(left, "header Accept is missing") {
		t.Errorf("it ended with %q", left)
	}
}

func TestRun_InvalidArguments(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, c := range [][]string{
		{"choose another -addr", "-addr", taken.Addr().String()}, {"no arguments", "8049"},
		{"-speed must be 0 to 1000000", "-speed", "-1"}, {"-speed must be 0 to 1000000", "-speed", "NaN"},
		{"-traffic must be 0 to 2000", "-traffic", "-1"}, {"-containers 0 to 1000000", "-containers", "1000001"},
		{"-speed must be 0 to 1000000", "-speed", "Inf"}, {"-speed must be 0 to 1000000", "-speed", "1000001"},
	} {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, c[1:]...), io.Discard); err == nil || !strings.Contains(err.Error(), c[0]) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
