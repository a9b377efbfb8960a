-- Times are microseconds since 1970.
create table if not exists t49_buckets (
  ns text not null,                   -- hash of the API key, or fleet.WithNamespace
  bucket text not null,
  size integer not null,              -- number of slots created
  born integer not null,              -- no slot was lost since
  paused_until integer not null,
  primary key (ns, bucket)
);
create table if not exists t49_slots (
  ns text not null,
  bucket text not null,
  n integer not null,
  free_at integer not null,
  owner text not null,                -- the latest one
  primary key (ns, bucket, n)
) without rowid;
create table if not exists t49_notifications (
  ns text not null,
  id blob not null,                   -- SHA-256
  owner text not null,                -- of the claim
  done integer not null,
  until integer not null,             -- when the row expires
  primary key (ns, id)
);
create index if not exists t49_notifications_until on t49_notifications (until);
