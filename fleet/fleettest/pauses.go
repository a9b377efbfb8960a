package fleettest

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

func (s *limiterSuite) pauseStopsAllProcesses() { s.pause(0, 0) }

// pause pauses two buckets in one process: one that is idle, and one that both processes wait for.
func (s *limiterSuite) pause(pausing, other time.Duration) {
	f := s.fleet()
	a, b := f.process(pausing), f.process(other)
	releaseAll(a.fill(terminal49.BucketRefresh))
	waiting := []<-chan time.Time{a.acquired(terminal49.BucketRefresh), b.acquired(terminal49.BucketRefresh)}
	time.Sleep(s.windows(0.25))
	end := time.Now().Add(s.windows(2))
	a.limiter.Pause(terminal49.BucketRefresh, s.windows(2))
	a.limiter.Pause(terminal49.BucketDefault, s.windows(2))
	waiting = append(waiting, a.acquired(terminal49.BucketDefault))
	time.Sleep(s.windows(0.25))
	waiting = append(waiting, b.acquired(terminal49.BucketDefault), b.acquired(terminal49.BucketRefresh))
	f.notBefore(end, waiting...)
}

// notBefore reports a request that began before the end of a pause, or half a window after it.
func (f *limiterFleet) notBefore(end time.Time, requests ...<-chan time.Time) {
	for _, request := range requests {
		switch off := (<-request).Sub(end); {
		case off < 0:
			f.errorf("a request is sent %v before the end of a pause", -off)
		case off > f.windows(0.5):
			f.errorf("a request is sent %v after the end of a pause", off)
		}
	}
	f.audit()
}

// acquired acquires a slot, releases it, and sends the time at which it had it.
func (p *limitedProcess) acquired(b terminal49.Bucket) <-chan time.Time {
	at := make(chan time.Time, 1)
	go func() {
		r := p.mustIn(p.ctx, p.patience()+p.longPause(), b)
		at <- time.Now()
		releaseAll([]*limitedRequest{r})
	}()
	return at
}

// pauseIsNotShortened pauses a bucket again, for less time. The two pauses are not added either.
func (s *limiterSuite) pauseIsNotShortened() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	end := time.Now().Add(s.windows(2))
	a.limiter.Pause(terminal49.BucketDefault, s.windows(2))
	time.Sleep(s.windows(0.25))
	a.limiter.Pause(terminal49.BucketDefault, s.windows(0.5))
	b.limiter.Pause(terminal49.BucketDefault, s.windows(0.5))
	time.Sleep(s.windows(0.25))
	f.notBefore(end, a.acquired(terminal49.BucketDefault), b.acquired(terminal49.BucketDefault))
}

// longPause is an hour, or 5 windows in real time.
func (s *limiterSuite) longPause() time.Duration { return s.windows(float64(s.either(60, 5))) }

// pauseLastsAnHour pauses all buckets in two processes, while half of the slots of two are in
// flight. New processes ask after 10, 40, 60 and 90 % of the time, with idle time between. All
// processes send when the pause ends, and the slots in flight are still taken.
func (s *limiterSuite) pauseLastsAnHour() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	for _, bucket := range buckets[1:3] {
		a.take(a.ctx, limitOf(f.setup.Limits, bucket)/2, s.patience(), bucket)
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
		f.each(func(bucket terminal49.Bucket) { _, _ = fresh.within(s.windows(0.1), bucket) })
		if time.Now().Before(start.Add(d)) && len(f.usedAfter(start)) > 0 {
			s.errorf("a request is sent during a pause of %v, after %.0f %% of it", d, 100*part)
		}
		waiting = append(waiting, fresh.acquired(terminal49.BucketDefault))
	}
	waiting = append(waiting, a.acquired(terminal49.BucketDefault), b.acquired(terminal49.BucketDefault))
	ctx, cancel := context.WithCancel(s.ctx)
	for _, bucket := range buckets[1:3] {
		for range limitOf(f.setup.Limits, bucket) {
			f.workers.Go(func() { _, _ = b.send(ctx, bucket) }) // half of them get a slot
		}
	}
	f.notBefore(start.Add(d), waiting...)
	time.Sleep(s.windows(1))
	cancel()
	f.workers.Wait()
	f.audit()
}

// usedAfter returns the requests that were sent after a time.
func (f *limiterFleet) usedAfter(at time.Time) (after []*limitedRequest) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, requests := range f.sent {
		for _, r := range requests {
			if r.from.After(at) {
				after = append(after, r)
			}
		}
	}
	return after
}
