package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// settings are those of a Postgres session that change what the bytes of a value mean, with the
// values that drivers expect: they send UTF-8, and read ISO dates, whole numbers and hex. DateStyle
// has the order of day and month behind a comma. A server in SQL_ASCII stores bytes as they are.
var settings = []struct {
	name   string
	values []string
	remedy string
}{
	{"server_encoding", []string{"UTF8", "SQL_ASCII"}, "create the database with: create database NAME encoding 'UTF8' template template0"},
	{"client_encoding", []string{"UTF8", "SQL_ASCII"}, "add client_encoding=UTF8 to the connection string"},
	{"DateStyle", []string{"ISO"}, "add DateStyle=ISO to the connection string"},
	{"bytea_output", []string{"hex"}, "alter role NAME set bytea_output = hex"},
	{"extra_float_digits", []string{"1", "2", "3"}, "alter role NAME set extra_float_digits = 1"},
	{"standard_conforming_strings", []string{"on"}, "alter role NAME set standard_conforming_strings = on"},
}

// refuseSettings returns an error if a setting of the sessions would change values on their way.
func (d *Store) refuseSettings(ctx context.Context) error {
	for _, s := range settings {
		var value string
		if err := d.Pool.QueryRowContext(ctx, "select current_setting('"+s.name+"')").Scan(&value); err != nil {
			return err
		}
		if value, _, _ = strings.Cut(value, ","); !slices.Contains(s.values, value) {
			return &terminal49.ArgumentError{Op: "mirror.New", Field: "db", Problem: fmt.Sprintf(
				"must use a Postgres database whose sessions have %s = %s, not %s, which would change texts, times or numbers: %s",
				s.name, s.values[0], value, s.remedy)}
		}
	}
	return nil
}
