-- +goose Up
create schema if not exists t49;
create sequence t49.ticket;
create table t49.inbox (
  id text primary key,                  -- of the notification
  event text not null,
  created_at timestamptz,               -- when the service says it was made
  received_at timestamptz not null,
  source text not null,                 -- webhook or audit
  state text not null,                  -- new, done, quarantined or dead (not a notification)
  attempts int not null default 0,
  error text,
  body bytea                            -- as delivered, secrets taken out
);
create index inbox_state on t49.inbox (state, received_at) where state <> 'done';
create table t49.dirty (
  kind text not null,                   -- wire type
  id text not null,
  ticket bigint not null,               -- a reading with a later one answers the mark
  not_before timestamptz not null,      -- replicas of the service may lag
  attempts int not null default 0,
  primary key (kind, id)
);
create index dirty_not_before on t49.dirty (not_before);
create table t49.walks (
  id bigint primary key,                -- the ticket drawn before its first request
  scope text not null,                  -- such as shipments.active
  page int not null,                    -- the last one stored
  size int not null,
  seen bigint not null,                 -- resources
  total bigint,                         -- as the service says
  state text not null,                  -- running, done, stopped
  problem text,
  started_at timestamptz not null,
  page_at timestamptz not null
);
create index walks_scope on t49.walks (scope, id);
create table t49.cursors (name text primary key, value text not null);
create table t49.leases (
  name text primary key,
  holder text not null,
  epoch bigint not null,
  expires_at timestamptz not null
);
create table t49.identity (account text not null, seen_at timestamptz not null);
create table t49.changes (
  seq bigint primary key,               -- without gaps, in the order of commits
  kind text not null,                   -- wire type
  id text not null,
  attribute text not null,              -- wire name of an attribute or relationship; id when it appears or disappears
  old jsonb,
  new jsonb,
  ticket bigint not null,
  source text not null,
  at timestamptz not null
);
create index changes_of on t49.changes (kind, id, seq);
create table t49.holds (
  container_id text not null,
  name text not null,                   -- such as customs
  nth int not null,                     -- 0, or more for others of the same name at the same time
  status text,                          -- hold or pending
  description text,
  first_seen timestamptz not null,      -- the first read that showed it in this form
  last_seen timestamptz not null,
  cleared_at timestamptz,               -- the first read that no longer showed it; null while it lasts
  source text not null,                 -- of the first read: walk, poll or cursor
  primary key (container_id, name, nth, first_seen)
);
create index holds_open on t49.holds (container_id) where cleared_at is null;
create table t49.fees (
  container_id text not null,
  type text not null,                   -- such as demurrage
  nth int not null,                     -- 0, or more for others of the same type at the same time
  amount numeric,                       -- exact; 0 if it is not posted yet
  currency_code text,                   -- ISO 4217; null if not reported
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  cleared_at timestamptz,
  source text not null,
  primary key (container_id, type, nth, first_seen)
);
create index fees_open on t49.fees (container_id) where cleared_at is null;
