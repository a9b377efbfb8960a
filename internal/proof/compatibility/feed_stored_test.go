package compatibility_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// slip moves the arrival of a container that the database had already. The mirror compares it with
// what an earlier version noted.
func (c copied) slip(file, last string) {
	c.t.Helper()
	c.srv.UpdateShipment(c.demo.Shipments[4], func(s *terminal49test.Shipment) { s.PODETA = s.PODETA.Add(30 * 24 * time.Hour) })
	c.must("terminal49-mirror", "reconcile")
	if rest := c.must("terminal49-mirror", "tail", "--after", last); !strings.Contains(rest, `"eta_slipped"`) {
		c.t.Errorf("surface stored-data: %s: an arrival that moved by 30 days after the migration is not noticed", file)
	}
}

// requirePruned deletes the first changes as their age does, and checks what a reader of them gets.
func (c copied) requirePruned(file string, db database, positions []string) {
	c.t.Helper()
	table := "changes"
	if db.dialect == sqlstore.Postgres {
		table = "t49.changes"
	}
	db.exec(c.t, "delete from "+table+" where seq < 3")
	db.exec(c.t, "update "+table+" set kind = '', source = 'pruned' where seq = 3")
	if status, _, _ := c.run("terminal49-mirror", "tail", "--after", positions[0]); status != 4 {
		c.t.Errorf("surface stored-data: %s: tail after a position that was pruned exits with %d", file, status)
	}
	client, err := terminal49.New("none")
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := mirror.New(client, db.DB)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, after := range []mirror.Position{"", mirror.Position(positions[0])} {
		if err := firstError(c.t, m, after); !errors.Is(err, mirror.ErrPositionPruned) || !errors.Is(err, mirror.ErrPositionLost) {
			c.t.Errorf("surface errors: %s: after %q, which was pruned: %v", file, after, err)
		}
	}
}

func firstError(t *testing.T, m *mirror.Mirror, after mirror.Position) error {
	for _, err := range m.Changes(t.Context(), after) {
		return err
	}
	return nil
}
