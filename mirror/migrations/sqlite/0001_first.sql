-- +goose Up
create table tickets (n integer not null);
insert into tickets values (0);
create table inbox (
  id text primary key,                  -- of the notification
  event text not null,
  created_at text,               -- when the service says it was made
  received_at text not null,
  source text not null,                 -- webhook or audit
  state text not null,                  -- new, done, quarantined or dead (not a notification)
  attempts int not null default 0,
  error text,
  body blob                            -- as delivered, secrets taken out
);
create index inbox_state on inbox (state, received_at) where state <> 'done';
create table dirty (
  kind text not null,                   -- wire type
  id text not null,
  ticket integer not null,               -- a reading with a later one answers the mark
  not_before text not null,      -- replicas of the service may lag
  attempts int not null default 0,
  primary key (kind, id)
);
create index dirty_not_before on dirty (not_before);
create table walks (
  id integer primary key,                -- the ticket drawn before its first request
  scope text not null,                  -- such as shipments.active
  page int not null,                    -- the last one stored
  size int not null,
  seen integer not null,                 -- resources
  total integer,                         -- as the service says
  state text not null,                  -- running, done, stopped
  problem text,
  started_at text not null,
  page_at text not null
);
create index walks_scope on walks (scope, id);
create table cursors (name text primary key, value text not null);
create table leases (
  name text primary key,
  holder text not null,
  epoch integer not null,
  expires_at text not null
);
create table identity (account text not null, seen_at text not null);
create table changes (
  seq integer primary key,               -- without gaps, in the order of commits
  kind text not null,                   -- wire type
  id text not null,
  attribute text not null,              -- wire name of an attribute or relationship; id when it appears or disappears
  old text,
  new text,
  ticket integer not null,
  source text not null,
  at text not null
);
create index changes_of on changes (kind, id, seq);
create table holds (
  container_id text not null,
  name text not null,                   -- such as customs
  nth int not null,                     -- 0, or more for others of the same name at the same time
  status text,                          -- hold or pending
  description text,
  first_seen text not null,      -- the first read that showed it in this form
  last_seen text not null,
  cleared_at text,               -- the first read that no longer showed it; null while it lasts
  source text not null,                 -- of the first read: walk, poll or cursor
  primary key (container_id, name, nth, first_seen)
);
create index holds_open on holds (container_id) where cleared_at is null;
create table fees (
  container_id text not null,
  type text not null,                   -- such as demurrage
  nth int not null,                     -- 0, or more for others of the same type at the same time
  amount text,                       -- exact; 0 if it is not posted yet
  currency_code text,                   -- ISO 4217; null if not reported
  first_seen text not null,
  last_seen text not null,
  cleared_at text,
  source text not null,
  primary key (container_id, type, nth, first_seen)
);
create index fees_open on fees (container_id) where cleared_at is null;
