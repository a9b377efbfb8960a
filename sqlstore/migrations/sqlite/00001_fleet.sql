-- Times are microseconds since 1970.
create table if not exists t49_buckets (
  ns text not null,                   -- hash of the API key, or fleet.WithNamespace
  bucket text not null,
  state text not null,                -- fleet.State in JSON
  primary key (ns, bucket)
) without rowid;
create table if not exists t49_notifications (
  ns text not null,
  id blob not null,                   -- SHA-256
  owner text not null,                -- of the claim
  done integer not null,
  until integer not null,             -- when the row expires
  format integer not null check (format = 1),
  primary key (ns, id)
);
create index if not exists t49_notifications_until on t49_notifications (until);
