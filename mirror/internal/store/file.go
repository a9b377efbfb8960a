package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
)

// ErrReplaced means that the file of a SQLite database is not the one that this process uses.
var ErrReplaced = errors.New("mirror: the file of the SQLite database was replaced or deleted while this process used it, " +
	"so nothing more is stored; put the right file in its place and start the mirror again")

// file is the file of a SQLite database.
type file struct {
	path     string      // "" for a database in memory
	opened   os.FileInfo // the file at path when this process began to use it
	replaced atomic.Bool
}

// findFile notes which file the connections have opened.
func (d *Store) findFile(ctx context.Context) error {
	_, err := found(d.Pool.QueryRowContext(ctx, "select coalesce(file, '') from pragma_database_list where name = 'main'").Scan(&d.file.path))
	if err != nil || d.file.path == "" {
		return err
	}
	d.file.opened, err = os.Stat(d.file.path)
	if err != nil { // a name that only SQLite can read
		d.file.opened = nil
	}
	return nil
}

// InPlace returns ErrReplaced once another file, or none, has the name of the database. The system
// keeps a deleted file for the processes that have opened it, so writes to it go on without an
// error.
func (d *Store) InPlace() error {
	if d.file.opened == nil {
		return nil
	}
	now, err := os.Stat(d.file.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, d.file.opened) {
		d.file.replaced.Store(true)
	}
	if d.file.replaced.Load() {
		return ErrReplaced
	}
	return nil
}

// IsLocked reports whether another program has locked the file of a SQLite database for longer than
// its busy timeout.
func IsLocked(err error) bool {
	var sqlite interface{ Code() int }
	return errors.As(err, &sqlite) && sqlite.Code()&0xff == 5 // SQLITE_BUSY
}
