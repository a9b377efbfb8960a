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
create table shipping_lines (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table ports (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table terminals (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table vessels (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table parties (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table shipments (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table containers (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table tracking_requests (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table transport_events (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table estimates (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table container_events (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table documents (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
create table custom_fields (
  id text primary key,
  type text not null,
  raw text not null,
  digest text not null,
  ticket integer not null,
  until integer not null,
  seen_at text not null,
  changed_at text not null,
  missing_since text,
  deleted_at text
);
