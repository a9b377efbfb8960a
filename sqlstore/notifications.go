package sqlstore

// notifications are the statements on t49_notifications. Each locks the row of its notification, so
// that owners are compared atomically. claim returns a [webhook.DedupeState]. complete returns
// whether the owner had the claim; otherwise it leaves the row without an owner. A row has the
// format 1. A later version changes the constraint on it, and this one then fails at once.
type notifications struct{ claim, complete, release, sweep string }

var notificationsOf = map[Dialect]notifications{
	Postgres: {
		claim: `
insert into t49_notifications as d (ns, id, owner, done, until, format)
values ($1::text, $2::bytea, $3::text, false, clock_timestamp() + $4::bigint * interval '1 microsecond', 1)
on conflict (ns, id) do update set (owner, done, until) = (
  select case when free then excluded.owner else d.owner end, d.done and not free,
    case when free then excluded.until else d.until end
  from (select d.until <= clock_timestamp() or d.owner = excluded.owner and not d.done as free) f)
returning case when done then 2 when owner = $3::text then 1 else 0 end`,
		complete: `
insert into t49_notifications as d (ns, id, owner, done, until, format)
values ($1::text, $2::bytea, '', true, clock_timestamp() + $4::bigint * interval '1 microsecond', 1)
on conflict (ns, id) do update set done = true, until = excluded.until,
  owner = case when d.owner = $3::text and d.until > clock_timestamp() then d.owner else '' end
returning owner = $3::text`,
		release: `
delete from t49_notifications where ns = $1::text and id = $2::bytea and owner = $3::text and not done`,
		sweep: `
delete from t49_notifications where (ns, id) in (
  select ns, id from t49_notifications where until <= clock_timestamp()
  order by until limit $1::int for update skip locked)`,
	},
	SQLite: {
		claim: now(`
insert into t49_notifications as d (ns, id, owner, done, until, format)
values (?1, ?2, ?3, false, NOW + (?4 + 999) / 1000 * 1000, 1)
on conflict (ns, id) do update set (owner, done, until) = (
  select case when free then excluded.owner else d.owner end, d.done and not free,
    case when free then excluded.until else d.until end
  from (select d.until < NOW or d.owner = excluded.owner and not d.done as free) f)
returning case when done then 2 when owner = ?3 then 1 else 0 end`),
		complete: now(`
insert into t49_notifications as d (ns, id, owner, done, until, format)
values (?1, ?2, '', true, NOW + (?4 + 999) / 1000 * 1000, 1)
on conflict (ns, id) do update set done = true, until = excluded.until,
  owner = case when d.owner = ?3 and d.until >= NOW then d.owner else '' end
returning owner = ?3`),
		release: `
delete from t49_notifications where ns = ?1 and id = ?2 and owner = ?3 and not done`,
		sweep: now(`
delete from t49_notifications where (ns, id) in (
  select ns, id from t49_notifications where until < NOW order by until limit ?1)`),
	},
}
