package redisstore

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// The source of the expected values in this file is the documentation of fleet.Call: an
// engine that has lost slots grants nothing to a process with an earlier Born.

// lose lets two processes take slots, then causes a loss, and then lets both write their slots
// back. forgotten is how many of these slots the engine lost.
func lose(t *testing.T, a, b *process, loss func(), forgotten int) {
	t.Helper()
	a.Born = a.takeAll("a", 2).Born
	b.Born = b.takeAll("b", 2).Born
	if a.Born != b.Born {
		t.Fatalf("Born is %d and %d", a.Born, b.Born)
	}
	before := a.Born
	loss()
	for _, p := range []*process{b, a} {
		_, r := p.take("refused")
		if len(r.Grants) > 0 || r.Born <= before {
			t.Errorf("after the loss: got %+v, want no slot and a later Born", r)
		}
		p.Born = r.Born
	}
	if a.Born != b.Born {
		t.Errorf("Born is %d and %d", a.Born, b.Born)
	}
	kept := a.keep(fleet.Slot{Owner: "a0", For: hold}, fleet.Slot{Owner: "a1", For: hold}) +
		b.keep(fleet.Slot{Owner: "b0", For: hold}, fleet.Slot{Owner: "b1", For: hold})
	if kept != forgotten {
		t.Errorf("%d slots were forgotten, want %d", kept, forgotten)
	}
	b.takeAll("last", 1)
	a.denied(hold)
}

func TestEngine_DetectsFlushall(t *testing.T) {
	server := engines.StartRedis(t)
	rdb := connect(t, server)
	lose(t, newProcess(t, rdb), newProcess(t, rdb), func() {
		if _, err := server.Do("FLUSHALL"); err != nil {
			t.Fatal(err)
		}
	}, 4)
}

// A restart also loses the scripts.
func TestEngine_DetectsARestart(t *testing.T) {
	server := engines.StartRedis(t)
	lose(t, newProcess(t, connect(t, server)), newProcess(t, connect(t, server)), server.Restart, 4)
}

func TestEngine_DetectsARestartInThePast(t *testing.T) {
	server := engines.StartRedis(t)
	lose(t, newProcess(t, connect(t, server)), newProcess(t, connect(t, server)), func() {
		server.SetClock(-time.Hour)
	}, 4)
}

// The process that has seen the latest write asks last. If the clock went back as well, Born is
// final only then.
func TestEngine_BornIsFinalOnceTheLatestWriteIsKnown(t *testing.T) {
	server := engines.StartRedis(t)
	early, late := newProcess(t, connect(t, server)), newProcess(t, connect(t, server))
	early.takeAll("early", 1)
	late.takeAll("late", 1)
	server.SetClock(-time.Hour)
	first := early.takeAll("early", 1).Born
	early.Born, late.Born = first, first
	_, r := late.take("refused")
	if len(r.Grants) > 0 || r.Born <= first {
		t.Errorf("got %+v, want a Born after %d", r, first)
	}
	if _, again := early.take("refused"); len(again.Grants) > 0 || again.Born != r.Born {
		t.Errorf("got %+v, want Born %d", again, r.Born)
	}
	early.Born = r.Born
	early.takeAll("next", 1)
}

// A replica is promoted that has the slots of one process only.
func TestEngine_DetectsALaggingReplica(t *testing.T) {
	primary := engines.StartRedis(t)
	replica := primary.Replica()
	var current atomic.Pointer[engines.Redis]
	current.Store(primary)
	a, b := newProcess(t, connectTo(t, &current)), newProcess(t, connectTo(t, &current))
	a.takeAll("a", 2)
	until(t, "replication", func() bool {
		fields, err := replica.Do("HLEN", a.engine.key(a.Bucket))
		return err == nil && fields == "8" // two slots and six fields of the bucket
	})
	replica.Promote()
	lose(t, a, b, func() {
		current.Store(replica)
		primary.Kill()
	}, 2)
}

// A server that keeps everything on disk is restarted.
func TestEngine_LosesNothingWithPersistence(t *testing.T) {
	for name, shift := range map[string]time.Duration{"same clock": 0, "clock an hour back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			server := engines.StartRedis(t, "--appendonly", "yes", "--appendfsync", "always")
			p := newProcess(t, connect(t, server))
			p.Born = p.takeAll("a", limit).Born
			p.keep(fleet.Slot{Owner: "a0", For: 30 * time.Minute})
			server.SetClock(shift)
			if g, r := p.denied(30 * time.Minute); r.Born != p.Born || g.Wait < 10*time.Minute {
				t.Errorf("got %+v, want Born %d and a wait of up to 30 minutes", r, p.Born)
			}
			p.keep(fleet.Slot{Owner: "a1", For: 50 * time.Millisecond})
			until(t, "a slot after the restart", func() bool { g, _ := p.take("next"); return g.Taken })
		})
	}
}

// The clock of the server differs from that of the processes by an hour.
func TestEngine_WorksWithAWrongClock(t *testing.T) {
	for name, shift := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			server := engines.StartRedis(t)
			server.SetClock(shift)
			p := newProcess(t, connect(t, server))
			p.takeAll("a", limit)
			p.denied(hold)
			p.keep(fleet.Slot{Owner: "a1", For: 50 * time.Millisecond})
			until(t, "a slot", func() bool { g, _ := p.take("next"); return g.Taken })
		})
	}
}
