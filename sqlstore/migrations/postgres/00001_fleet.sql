-- Times are microseconds since 1970.
create table if not exists t49_buckets (
  ns text not null,                   -- hash of the API key, or fleet.WithNamespace
  bucket text not null,
  format integer not null,            -- fleet.Format
  born bigint not null,               -- no slot was lost since
  last bigint not null,               -- when the bucket was last used
  behind bigint not null,             -- by how much the clock has gone backwards so far
  paused bigint not null,             -- until when no slot is granted
  line bigint not null,               -- how many places were given
  primary key (ns, bucket)
) with (fillfactor = 50);
create table if not exists t49_slots (
  ns text not null,
  bucket text not null,
  owner text not null,
  until bigint not null,              -- when the slot is free, or the place is lost
  top bigint not null,                -- how many slots requests of its share may hold; 0 if unknown
  place bigint not null,              -- the number in line; 0 for a slot
  primary key (ns, bucket, owner)
) with (fillfactor = 50);
-- t49_serve does what the method Serve of fleet.State does, in the same order. clock_timestamp() is
-- read after the bucket is locked; now() would be the time at which the transaction began.
create or replace function t49_serve(call jsonb) returns jsonb language plpgsql as $$
declare
  a text := call->>'ns'; -- of the bucket
  z text := call->>'bucket';
  most bigint := call->'limit';
  w bigint := call->'window';
  seen bigint := call->'seen';
  b t49_buckets;
  s t49_slots;
  p record;
  bound bigint;
  start bigint;
  t bigint; -- the present
  lost bigint := 0;
  grants bigint[] := '{}';
begin
  insert into t49_buckets values (a, z, (call->'format')::integer, 0, 0, 0, 0, 0) on conflict do nothing;
  select * into b from t49_buckets where ns = a and bucket = z for update;
  if b.format <> (call->'format')::integer then
    return jsonb_build_object('format', b.format);
  end if;
  t := (extract(epoch from clock_timestamp()) * 1000000)::bigint + b.behind;
  if b.last < seen or b.born = 0 then
    b.born := 0;
  end if;
  if t <= greatest(b.last, seen) then
    if greatest(b.last, seen) - t > 1000000 then
      b.behind := b.behind + greatest(b.last, seen) - t;
    end if;
    t := greatest(b.last, seen) + 1;
  end if;
  b.last := t;
  if b.born = 0 then
    b.born := t;
  end if;
  delete from t49_slots where ns = a and bucket = z and until <= t;
  if (call->'pause')::bigint > 0 then
    b.paused := greatest(b.paused, t + (call->'pause')::bigint);
  end if;
  for p in select * from jsonb_to_recordset(call->'slots') as k(owner text, hold bigint) loop
    if p.hold <= 0 then
      delete from t49_slots k where k.ns = a and k.bucket = z and k.owner = p.owner;
    else
      update t49_slots k set until = t + p.hold, place = 0 where k.ns = a and k.bucket = z and k.owner = p.owner;
      if not found then
        insert into t49_slots values (a, z, p.owner, t + p.hold, 0, 0);
        lost := lost + 1;
      end if;
    end if;
  end loop;
  if (call->'born')::bigint in (0, b.born) then
    for p in select * from jsonb_to_recordset(call->'places') as k(owner text, top bigint) loop
      insert into t49_slots values (a, z, p.owner, t + w / 12, p.top, b.line + 1) on conflict do nothing;
      if found then
        b.line := b.line + 1;
      end if;
    end loop;
    for p in select * from jsonb_to_recordset(call->'places') as k(owner text) loop
      select * into s from t49_slots k where k.ns = a and k.bucket = z and k.owner = p.owner;
      start := greatest(t, s.until - w * 3 / 2);
      if s.place <> 0 then
        start := greatest(t, b.paused, b.born + (call->'settle')::bigint);
        for bound in
          select most union select s.top union
          select k.top from t49_slots k where k.ns = a and k.bucket = z and k.top >= s.top and k.top < most
        loop
          start := greatest(start, (
            select case when k.place = 0 then k.until else k.until - w / 20 end as taken
            from t49_slots k where k.ns = a and k.bucket = z and (k.top <= bound or bound >= most)
              and (k.place = 0 or k.until - w / 20 > t and (k.top > s.top or k.top = s.top and k.place < s.place))
            order by taken desc offset greatest(bound, 1) - 1 limit 1));
        end loop;
      end if;
      if s.place = 0 or start <= t + w / 60 then
        update t49_slots k set until = start + w * 3 / 2, place = 0 where k.ns = a and k.bucket = z and k.owner = p.owner;
        grants := grants || 1::bigint || start - t;
      else
        start := least(start, greatest(t + w, b.paused));
        update t49_slots k set until = start + w / 12 where k.ns = a and k.bucket = z and k.owner = p.owner;
        grants := grants || 0::bigint || start - t;
      end if;
    end loop;
  end if;
  update t49_buckets k set born = b.born, last = b.last, behind = b.behind, paused = b.paused, line = b.line
  where k.ns = a and k.bucket = z;
  return jsonb_build_object('now', t, 'born', b.born, 'lost', lost, 'paused', greatest(0, b.paused - t), 'grants', grants,
    'inUse', (select count(*) from t49_slots k where k.ns = a and k.bucket = z and k.place = 0));
end
$$;
-- t49_call calls t49_serve in a transaction of level READ COMMITTED, whatever the default is: with
-- another one, Postgres would refuse a call that has waited for the bucket.
create or replace procedure t49_call(inout call text) language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    commit;
    set transaction isolation level read committed;
  end if;
  call := t49_serve(call::jsonb);
end
$$;
create table if not exists t49_notifications (
  ns text not null,
  id bytea not null,                  -- SHA-256
  owner text not null,                -- of the claim
  done boolean not null,
  until timestamptz not null,         -- when the row expires
  format smallint not null check (format = 1),
  primary key (ns, id)
);
create index if not exists t49_notifications_until on t49_notifications (until);
