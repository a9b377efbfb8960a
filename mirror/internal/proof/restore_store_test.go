//go:build unix

package proof

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// One of several backups is restored between any two transactions of the process that writes. The
// reader may be ahead of it, behind it, or at it; changes of both lives may have the same seq.
func TestRestore_BetweenTransactions(t *testing.T) {
	t.Parallel()
	db := sqliteFile(t)
	reader := db.open(t)
	w := &storeWriter{db: store.New(db.open(t).DB, slog.New(slog.DiscardHandler)), lease: store.NewLease(), random: rand.New(rand.NewPCG(29, 2))}
	require.NoError(t, w.db.Migrate(t.Context()))
	var backups []*fileBackup
	for i := range 4 {
		backups = append(backups, &fileBackup{db: reader, file: filepath.Join(t.TempDir(), fmt.Sprint(i))})
		w.write(t, 10)
		backups[i].save(t)
	}
	f := newFollower(t, reader)
	times := amount(30, 60, 1000)
	for range times {
		if w.random.IntN(2) == 0 {
			pick(w.random, backups).save(t)
		}
		w.write(t, w.random.IntN(8))
		if w.random.IntN(3) > 0 {
			require.NoError(t, f.follow(t))
		}
		w.write(t, w.random.IntN(3))
		pick(w.random, backups).restore(t)
		w.write(t, w.random.IntN(8))
		requireNone(t, f.faults(t))
	}
	require.Positive(t, f.lost)
	require.Positive(t, w.noticed)
	t.Logf("figure: restored between transactions %d times: the reader's position was lost %d times, the writer noticed %d times; 0 of %d changes missed without an error, 0 wrong after the way back",
		times, f.lost, w.noticed, f.read)
}

// storeWriter writes readings, as the process with the lease does.
type storeWriter struct {
	db      *store.Store
	lease   *store.Lease
	random  *rand.Rand
	noticed int
	serial  int
}

// write writes n readings. If the database was restored, a reading is lost, and the next one begins
// a turn.
func (w *storeWriter) write(t testing.TB, n int) {
	t.Helper()
	for range n {
		err := w.one(t.Context())
		if !errors.Is(err, store.ErrRestored) {
			require.NoError(t, err)
		}
	}
}

// one writes a reading.
func (w *storeWriter) one(ctx context.Context) error {
	has, err := w.db.RenewLease(ctx, w.lease)
	switch {
	case err != nil:
		w.noticed++ // or it fails the test
		return err
	case !has:
		return errors.New("another process has the lease")
	}
	ticket, err := w.db.Draw(ctx)
	if err != nil {
		return err
	}
	w.serial++
	res, err := model.Parse(fmt.Appendf(nil, `{"type":"party","id":"P%d","attributes":{"company_name":"%d"}}`, w.random.IntN(6), w.serial))
	if err != nil {
		return err
	}
	r := plan.Reading{Ticket: ticket, Until: ticket, Sent: time.Now(), Source: "poll"}
	return w.db.Apply(ctx, w.lease, "test", func(tx *store.Tx) error { return tx.Write(ctx, r, []*model.Resource{res}) })
}
