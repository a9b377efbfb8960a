package fleettest_test

import "time"

func (l *slotLimiter) release(lease *slotLease) {
	if lease.noSlot {
		return
	}
	first := false
	lease.once.Do(func() { first = true; lease.endedAt = l.now(); close(lease.ended) })
	if l.releaseBlocks {
		for l.call(func() {}) != nil && l.setup.Context.Err() == nil {
			select {
			case <-l.setup.Context.Done():
			case <-time.After(l.windows(10)):
			}
		}
	}
	l.eventually(l.releaseLost, func() { l.released(lease, first) })
}

// released frees the slot one window after the release.
func (l *slotLimiter) released(lease *slotLease, first bool) {
	s := l.bucket(lease.bucket)
	switch {
	case l.anyoneReleases && !first: // by the number of the slot
		s.owner[lease.slot], s.free[lease.slot] = nil, l.now().Add(l.setup.Window)
	case l.releasedTwice && !first: // by count: another slot
		for i := range s.free {
			if s.owner[i] != nil {
				s.owner[i], s.free[i] = nil, l.now().Add(l.setup.Window)
				break
			}
		}
	}
	if !first || !l.owns(s, lease) {
		return
	}
	s.owner[lease.slot] = nil
	s.free[lease.slot] = l.freeAfter(lease)
}

func (l *slotLimiter) freeAfter(lease *slotLease) time.Time {
	switch {
	case l.freeAtRelease:
		return l.now()
	case l.fromAcquire:
		return lease.since.Add(l.setup.Window)
	case l.truncated:
		return lease.endedAt.Truncate(time.Second).Add(l.setup.Window)
	case l.afterRelease > 0:
		return lease.endedAt.Add(l.windows(l.afterRelease))
	}
	return lease.endedAt.Add(l.setup.Window)
}
