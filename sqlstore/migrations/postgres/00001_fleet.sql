create table if not exists t49_buckets (
  ns text not null,                   -- hash of the API key, or fleet.WithNamespace
  bucket text not null,
  size integer not null,              -- number of slots created
  born timestamptz not null,          -- no slot was lost since
  paused_until timestamptz not null,
  primary key (ns, bucket)
);
create table if not exists t49_slots (
  ns text not null,
  bucket text not null,
  n integer not null,
  free_at timestamptz not null,
  owner text not null,                -- the latest one
  primary key (ns, bucket, n)
) with (fillfactor = 50);
create table if not exists t49_notifications (
  ns text not null,
  id bytea not null,                  -- SHA-256
  owner text not null,                -- of the claim
  done boolean not null,
  until timestamptz not null,         -- when the row expires
  primary key (ns, id)
);
create index if not exists t49_notifications_until on t49_notifications (until);
