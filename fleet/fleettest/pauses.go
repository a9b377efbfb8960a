package fleettest

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

func (s *limiterSuite) pauses() { s.pause(0, 0) }

// pause pauses two buckets in one process: one that is idle, and one that both processes wait for.
// Then both processes pause them again for less time, which changes nothing.
func (s *limiterSuite) pause(pausing, other time.Duration) {
	f := s.fleet()
	a, b := f.process(pausing), f.process(other)
	releaseAll(a.fill(terminal49.BucketRefresh))
	waiting := []<-chan time.Time{a.acquired(terminal49.BucketRefresh), b.acquired(terminal49.BucketRefresh)}
	s.sleep(0.25)
	end := time.Now().Add(s.windows(2))
	a.limiter.Pause(terminal49.BucketRefresh, s.windows(2))
	a.limiter.Pause(terminal49.BucketDefault, s.windows(2))
	waiting = append(waiting, a.acquired(terminal49.BucketDefault))
	s.sleep(0.25)
	for _, p := range []*limitedProcess{a, b} {
		p.limiter.Pause(terminal49.BucketRefresh, s.windows(0.5))
		p.limiter.Pause(terminal49.BucketDefault, s.windows(0.5))
	}
	s.sleep(0.25)
	waiting = append(waiting, b.acquired(terminal49.BucketDefault), b.acquired(terminal49.BucketRefresh))
	f.endsAt(end, waiting...)
}

// endsAt reports a request that began before the end of a pause, or half a window after it.
func (f *limiterFleet) endsAt(end time.Time, requests ...<-chan time.Time) {
	for _, request := range requests {
		if off := (<-request).Sub(end); off < 0 || off > f.windows(0.5) {
			f.errorf("a request is sent %v after the end of a pause", off)
		}
	}
}

// acquired acquires a slot, releases it, and sends the time at which it had it.
func (p *limitedProcess) acquired(b terminal49.Bucket) <-chan time.Time {
	at := make(chan time.Time, 1)
	go func() {
		r := p.must(p.ctx, p.patience()+p.longPause(), b)
		at <- time.Now()
		r.release()
	}()
	return at
}

// longPause is an hour, or 5 windows in real time.
func (s *limiterSuite) longPause() time.Duration { return s.windows(float64(s.either(60, 5))) }

// pausedForAnHour pauses all buckets in two processes, while half of the slots of two are in
// flight. New processes ask after 10, 40, 60 and 90 % of the time, with idle time between. All
// processes send when the pause ends, and the slots in flight are still taken.
func (s *limiterSuite) pausedForAnHour() {
	f := s.fleet()
	a, b := f.two()
	for _, bucket := range buckets[1:3] {
		a.take(a.ctx, f.limit(bucket)/2, s.patience(), bucket)
	}
	start, d := time.Now(), s.longPause()
	for _, bucket := range buckets {
		a.limiter.Pause(bucket, d)
		b.limiter.Pause(bucket, d)
	}
	var waiting []<-chan time.Time
	for _, part := range []float64{0.1, 0.4, 0.6, 0.9} {
		time.Sleep(time.Until(start.Add(time.Duration(part * float64(d)))))
		fresh := f.process(0)
		f.each(func(bucket terminal49.Bucket) {
			if _, err := fresh.within(s.windows(0.1), bucket); err == nil && time.Since(start) < d {
				s.errorf("bucket %s: a request is sent during a pause of %v, after %.0f %% of it", bucket, d, 100*part)
			}
		})
		waiting = append(waiting, fresh.acquired(terminal49.BucketDefault))
	}
	waiting = append(waiting, a.acquired(terminal49.BucketDefault), b.acquired(terminal49.BucketDefault))
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	for _, bucket := range buckets[1:3] {
		for range f.limit(bucket) {
			f.workers.Go(func() { _, _ = b.send(ctx, bucket) }) // half of them get a slot
		}
	}
	f.endsAt(start.Add(d), waiting...)
	s.sleep(1)
}
