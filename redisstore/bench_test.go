package redisstore

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// BenchmarkEngine compares one call with a bare round trip to the same server. The bucket has the
// service's default limit of 100 requests.
func BenchmarkEngine(b *testing.B) {
	rdb := connect(b, engines.StartRedis(b))
	b.Run("Ping", func(b *testing.B) {
		for b.Loop() {
			if err := rdb.Ping(b.Context()).Err(); err != nil {
				b.Fatal(err)
			}
		}
	})
	p := newProcess(b, rdb)
	p.Limit = 100
	p.takeAll("taken", 99)
	b.Run("TakeAndFree", func(b *testing.B) {
		c := p.Call
		for i := 0; b.Loop(); i++ {
			owner := fmt.Sprint(i)
			c.Places = []fleet.Place{{Owner: owner, Top: 100}}
			if r := p.serve(c); !r.Grants[0].Taken {
				b.Fatal("no slot is free")
			}
			c.Slots = []fleet.Slot{{Owner: owner}}
		}
		p.serve(fleet.Call{Bucket: c.Bucket, Limit: 100, Window: c.Window, Slots: c.Slots})
	})
	p.takeAll("last", 1)
	b.Run("TakeOfAFullBucket", func(b *testing.B) {
		for b.Loop() {
			p.take("denied")
		}
	})
}

func BenchmarkDedupe(b *testing.B) {
	d, err := NewDedupe(connect(b, engines.StartRedis(b)), "bench")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ClaimAndComplete", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			id := fmt.Sprint(i)
			if _, err := d.Claim(b.Context(), id, "owner", time.Minute); err != nil {
				b.Fatal(err)
			}
			if err := d.Complete(b.Context(), id, "owner", time.Hour); err != nil {
				b.Fatal(err)
			}
		}
	})
}
