// Package mirror keeps a copy of a Terminal49 account in your own database, Postgres or
// SQLite: shipments, containers, milestones, holds, fees and what changed when.
package mirror
