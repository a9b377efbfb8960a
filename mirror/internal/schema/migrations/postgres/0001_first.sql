create sequence if not exists t49.ticket;
create table if not exists t49.inbox (
  id text primary key,                  -- of the notification
  event text not null,
  created_at timestamptz,               -- when the service says it was made
  received_at timestamptz not null,
  source text not null,                 -- webhook or audit
  state text not null,                  -- new, unresolved (what it is about has to be read), done, quarantined, or dead (not a notification)
  attempts int not null default 0,
  error text,
  body bytea                            -- as delivered, secrets taken out; null 30 days after it was applied
);
create index if not exists inbox_state on t49.inbox (state, received_at) where state <> 'done';
create index if not exists inbox_received on t49.inbox (source, received_at);
create table if not exists t49.dirty (
  kind text not null,                   -- wire type
  id text not null,
  ticket bigint not null,               -- a reading with a later one answers the mark
  due_at timestamptz not null,         -- when it is read
  not_before timestamptz not null,     -- a reading that was sent before may come from a replica that lags
  attempts int not null default 0,
  primary key (kind, id)
);
create index if not exists dirty_due on t49.dirty (due_at);
create table if not exists t49.walks (
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
create index if not exists walks_scope on t49.walks (scope, id);
create table if not exists t49.pages (
  scope text not null,                  -- such as shipments.active
  number int not null,                  -- from 1
  refs jsonb not null,                  -- the ids of what it showed, without facts, by wire type
  digest text not null,                 -- of refs
  ticket bigint not null,               -- of the reading
  seen_at timestamptz not null,
  primary key (scope, number)
);
create table if not exists t49.cursors (name text primary key, value text not null);
create table if not exists t49.leases (
  name text primary key,
  holder text not null,
  epoch bigint not null,
  writes bigint not null,                -- transactions of all holders; a restored database has fewer than before
  expires_at timestamptz not null
);
create table if not exists t49.identity (account text not null, seen_at timestamptz not null);
create table if not exists t49.changes (
  seq bigint primary key,               -- without gaps, in the order of commits
  position text not null,               -- seq and random digits, such as 31543-9f3c2a7be01d44aa: another one if seq is given again after a restore
  kind text not null,                   -- wire type; empty, like all that follows, in a change of what was forgotten, and in the last one that was pruned
  id text not null,                     -- of the resource
  attribute text not null,              -- wire name of an attribute or relationship; id when it appears or disappears
  old jsonb,                           -- null if it was not reported
  new jsonb,                           -- null if it is no longer reported
  ticket bigint not null,               -- of the read; 0 for a notification
  source text not null,                 -- walk, poll, cursor, notification, verdict (of a notice), forget or pruned
  at timestamptz not null                -- when it was noticed
);
create index if not exists changes_of on t49.changes (kind, id, seq);
create index if not exists changes_at on t49.changes (at);
create index if not exists changes_attribute on t49.changes (attribute, at);
-- Returns the changes after a position, up to a number, for a worker in this database. It fails if
-- they cannot be complete. It reads before it checks, so that nothing is pruned in between.
create or replace function t49.changes_after(after text, most int) returns setof t49.changes language plpgsql as $$
declare
  last bigint := case when after = '' then 0 when after ~ '^[1-9][0-9]{0,17}-[0-9a-f]{16}$' then cast(split_part(after, '-', 1) as bigint) end;
begin
  if last is null then
    raise exception 'the position % is invalid: it must be empty, for the beginning, or that of a change, such as 31543-9f3c2a7be01d44aa',
      coalesce(after, 'null') using errcode = 'T4901';
  end if;
  return query select * from t49.changes c where c.seq > last and c.kind <> '' order by c.seq limit most;
  if last = 0 and (select c.source from t49.changes c order by c.seq limit 1) = 'pruned'
    or last > 0 and not exists (select 1 from t49.changes c where c.seq = last and c.position = after) then
    raise exception 'changes after the position % are missing: the database was restored, or is another one, or they were deleted by age', after
      using errcode = 'T4901', hint = 'Take the position of the last change, then read the tables again, and continue from that position.';
  end if;
end $$;
create table if not exists t49.holds (
  n bigint primary key,                  -- in the order of beginnings
  container_id text not null,
  name text not null,                   -- such as customs
  status text not null,                 -- hold or pending; a new status begins a new period
  description text,                     -- as last read
  first_seen timestamptz not null,      -- the first read that showed it
  last_seen timestamptz not null,
  cleared_at timestamptz,               -- the first read that no longer showed it; null while it lasts
  source text not null                  -- of the first read: walk, poll or cursor
);
create index if not exists holds_of on t49.holds (container_id, n);
create index if not exists holds_open on t49.holds (container_id) where cleared_at is null;
create table if not exists t49.fees (
  n bigint primary key,                  -- in the order of beginnings
  container_id text not null,
  type text not null,                   -- such as demurrage
  amount numeric not null,             -- exact; 0 if it is not posted yet; a new amount begins a new period
  currency_code text,                   -- ISO 4217; null if not reported
  counted boolean not null,            -- whether it adds to what is owed; not for a total beside other fees
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  cleared_at timestamptz,
  source text not null
);
create index if not exists fees_of on t49.fees (container_id, n);
create index if not exists fees_open on t49.fees (container_id) where cleared_at is null;
create table if not exists t49.missing (               -- rows that a whole walk did not show, until one shows them or they are deleted
  kind text not null,                   -- wire type
  id text not null,
  ticket bigint not null,               -- of the first 404 that counts; 0 for none
  read_ticket bigint not null,          -- of the latest read by id; 0 for none
  answer text not null,                 -- of that read: 404, nothing, another resource, refused, failed, or fails for twice; '' for none
  reason text not null,                 -- why the row waits for a confirmation: none listed, none readable or no 404; '' if it does not
  primary key (kind, id)
);
create table if not exists t49.forgotten (             -- resources that are not to be stored again
  kind text not null,                   -- wire type
  id text not null,
  at timestamptz not null,
  primary key (kind, id)
);
create table if not exists t49.situations (            -- of each container, what does not depend on the clock; see Reader.Worklist
  container_id text primary key,
  situation text not null,              -- while the terminal's data is recent, such as ready
  old_situation text not null,          -- once it is old, such as stale; the same in most situations
  checked_at timestamptz,               -- when the terminal was last checked
  place_id text,                        -- terminal where it is
  place text,                           -- its name, or that of the port or city
  since timestamptz,                    -- first recorded fact of the place or leg; the beginning of its day if the instant is unknown
  eta timestamptz,                      -- expected where it goes next; likewise
  last_free_day text,                   -- that binds, on the calendar of its place, such as 2026-03-08
  urgency_reason text not null,         -- why the urgency of that day is unknown at any time, such as no_deadline; '' if it depends on the clock
  standing jsonb not null,              -- all of it, as a terminal49.Standing
  rules int not null,                   -- terminal49.RulesVersion that made it
  holds int not null,                   -- how many are in force
  owes boolean not null,                -- whether fees are owed
  brief text not null,                  -- what Reader.Worklist needs to select and sort it; '' for a few that it reads as a whole
  facts jsonb not null,                 -- what filters and counts need of the container and its shipment in addition; see Overview
  reported jsonb,                       -- what the feed has reported of the container
  due_at timestamptz,                   -- when the clock alone may make a notice due; null for never
  assessed_at timestamptz not null,     -- when it last differed
  seq bigint not null                   -- grows in the order of commits; of the transaction in which it last differed
);
create index if not exists situations_work on t49.situations -- has all that Reader.Worklist reads, so that it reads no rows
  (situation, old_situation, urgency_reason, last_free_day, checked_at, eta, since, holds, owes, container_id, brief);
create index if not exists situations_due on t49.situations (due_at) where due_at is not null;
create index if not exists situations_seq on t49.situations (seq);
create table if not exists t49.unassessed (            -- resources that were written, and whose containers are to be assessed again
  kind text not null,                   -- wire type
  id text not null,
  primary key (kind, id)
);
create table if not exists t49.pushes (
  name text primary key,
  receiver text not null,               -- scheme and host of its address
  filter text not null,                 -- kinds and attributes that it receives; empty for all
  position text not null,               -- every change up to it was accepted, or is in deliveries; empty for the beginning
  version bigint not null,              -- grows with each write of the sender; a restored database has an earlier one
  replays bigint not null,              -- how often parked deliveries were sent again
  sent bigint not null,                 -- deliveries that the receiver accepted
  sent_at timestamptz,                  -- when it accepted the latest one
  problem text,                         -- of the latest failure
  problem_at timestamptz,
  away_since timestamptz,               -- since when the receiver accepts nothing; null if it accepts
  stopped text                          -- why the sender ended by itself, such as a response 410; null if it did not
);
create table if not exists t49.deliveries (              -- changes that a receiver has not accepted yet
  push text not null,                   -- name of the push
  seq bigint not null,                  -- of the change, which is copied, so that it is not pruned
  position text not null,               -- of the change: the id of the event
  kind text not null,
  id text not null,
  attribute text not null,
  old jsonb,
  new jsonb,
  source text not null,
  at timestamptz not null,
  attempts int not null,                -- failed ones that count: the receiver accepted something else in between
  problem text,                         -- of the latest attempt
  parked_at timestamptz,                -- when it failed for the last time; null while it is sent again
  primary key (push, seq)
);
create index if not exists deliveries_of on t49.deliveries (kind, id);
