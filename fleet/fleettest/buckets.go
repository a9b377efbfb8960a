package fleettest

import (
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// bucketsAreApart takes all slots of one bucket and pauses it. The whole limits of the others are
// usable. This is repeated for each bucket.
func (s *limiterSuite) bucketsAreApart() {
	for _, full := range buckets {
		a, b := s.fleet().two()
		s.areApart(a, b, full, slices.DeleteFunc(slices.Clone(buckets), func(b terminal49.Bucket) bool { return b == full }))
	}
}

// areApart takes all slots of a bucket in one process, and pauses it. Another process can use the
// whole limits of others.
func (s *limiterSuite) areApart(a, b *limitedProcess, full terminal49.Bucket, others []terminal49.Bucket) {
	together(len(others), func(i int) { b.must(b.ctx, s.patience(), others[i]) })
	a.fill(full)
	a.limiter.Pause(full, time.Hour)
	s.sleep(0.1)
	together(len(others), func(i int) { b.take(b.ctx, b.limit(others[i])-1, s.windows(0.9), others[i]) })
}

// otherLimits gives the buckets different limits and another window. Each bucket uses its own
// limit, and no more. One fleet has a limit of 1 in each.
func (s *limiterSuite) otherLimits() {
	if s.fakeTime {
		s.window = 7 * time.Second
	}
	for _, l := range []terminal49.RateLimits{
		{Default: 3, Create: 7, Infer: 2, Refresh: 5},
		{Default: 6, Create: 2, Infer: 5, Refresh: 9},
		{Default: 1, Create: 1, Infer: 1, Refresh: 1},
	} {
		f := s.fleetOf(l)
		a, b := f.two()
		f.each(func(bucket terminal49.Bucket) { releaseAll(a.take(a.ctx, f.limit(bucket), s.windows(0.9), bucket)) })
		b.usable()
	}
}

// unknownBucket takes slots of the default bucket and of a bucket that the service does not have,
// which it counts as the default.
func (s *limiterSuite) unknownBucket() {
	const unknown terminal49.Bucket = "unknown"
	a, b := s.fleet().two()
	n := a.setup.Limits.Default
	a.take(a.ctx, n/2, s.windows(0.9), unknown)
	b.take(b.ctx, n-n/2, s.windows(0.9), terminal49.BucketDefault)
	for _, bucket := range []terminal49.Bucket{unknown, "other", terminal49.BucketDefault} {
		if r, err := b.within(s.windows(0.3), bucket); err == nil {
			r.release()
			s.errorf("a request is sent in bucket %q although the default limit is used", bucket)
		}
	}
}

// namespaces takes all slots of a namespace and pauses it. Others are usable whose names differ in
// the case of a letter, in their end, or in one character. N is a new name.
func (s *limiterSuite) namespaces() {
	for _, names := range [][2]string{
		{"N", "N2"}, {"N", "N:default"}, {"N", "0N"}, {"N", "N-"}, {"Nx", "NX"}, {"Nab", "Na.b"}, {"Na.b", "Na-b"}, {"Na_b", "Na:b"},
		{"N" + strings.Repeat("x", 27) + "1", "N" + strings.Repeat("x", 27) + "2"}, // of 64 characters
	} {
		f, other, name := s.fleet(), s.fleet(), suite.NewNamespace()
		f.setup.Namespace = strings.Replace(names[0], "N", name, 1)
		other.setup.Namespace = strings.Replace(names[1], "N", name, 1)
		a, b := f.process(0), other.process(0)
		s.areApart(a, b, terminal49.BucketDefault, buckets[:1])
	}
}
