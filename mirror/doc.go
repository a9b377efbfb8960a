// Package mirror keeps a copy of an account of Terminal49 in the user's own database, Postgres or
// SQLite: shipments, containers, milestones, holds, fees and what changed when.
package mirror
