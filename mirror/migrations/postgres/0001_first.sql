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
create table t49.shipping_lines (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.ports (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.terminals (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.vessels (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.parties (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.shipments (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.containers (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.tracking_requests (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.transport_events (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.estimates (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.container_events (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.documents (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
create table t49.custom_fields (
  id text primary key,
  type text not null,
  raw jsonb not null,
  digest text not null,
  ticket bigint not null,
  until bigint not null,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_since timestamptz,
  deleted_at timestamptz
);
