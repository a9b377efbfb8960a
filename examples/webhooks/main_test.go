package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

func TestSimulate(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "")
	var out bytes.Buffer
	if err := run(t.Context(), nil, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"bill_of_lading=MAEU123456789", "event=container.transport.vessel_arrived", "situation=held",
		`do="Ready for pickup. Send a truck to WBCT (USLAX).`, "situation=pay_first", "situation=out",
		"last free day", "event=container.transport.empty_in", "19 notifications, 23 deliveries",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the output does not have %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "level=WARN") || strings.Contains(text, "level=ERROR") {
		t.Errorf("something went wrong:\n%s", text)
	}
	if n := strings.Count(text, "vessel_discharged"); n != 1 {
		t.Errorf("a milestone was handled %d times", n)
	}
}

func TestSimulate_ReportsAnInterrupt(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if err := run(ctx, nil, &out); err == nil {
		t.Error("an interrupted simulation must return an error")
	}
}

func TestRun_RefusesBadArguments(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "a-token")
	t.Setenv("T49_WEBHOOK_URL", "")
	for _, args := range [][]string{nil, {"-proxy", "everybody"}, {"-since", "yesterday"}, {"-unheard-of"}} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := run(ctx, args, &bytes.Buffer{})
		if err == nil {
			t.Errorf("%q is accepted", args)
		} else if args == nil && !strings.Contains(err.Error(), "or unset T49_API_TOKEN for a simulated service") {
			t.Errorf("without a URL: %v", err)
		}
		cancel()
	}
}
