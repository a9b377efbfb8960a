package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// A bucket is one hash, so that Redis keeps or loses all of it at once, on one node of a Cluster.
// It has the fields of [fleet.State]: format, born, last, offset, paused, line, and for every entry
//
//	slot:<owner>  "<until> <top> <place>"
//
// Times are microseconds of the clock of Redis plus the offset, so they never go backwards.

// forgetAfter is how long Redis keeps a bucket that is not used.
const forgetAfter = 30 * 24 * time.Hour

// serveScript does what [fleet.State.Serve] does, in the same order. ARGV is format, forgetAfter in
// milliseconds, limit, window, born, seen, settle and pause, how many slots follow, owner and time
// of each slot, and owner and top of each place. It returns now, born, lost, the slots in use, how
// long the bucket is paused, and then for each place whether it is taken, and its wait. If the
// bucket has another format, it returns that alone: 0 if it is not known.
var serveScript = redis.NewScript(`
local key, limit, window = KEYS[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local known_born, seen, settle, pause = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local state, slots, other = {}, {}, false
local flat = redis.call('HGETALL', key)
for i = 1, #flat, 2 do
  local owner = string.match(flat[i], '^slot:(.*)$')
  if owner then
    local till, top, place = string.match(flat[i + 1], '^(%d+) (%d+) (%d+)$')
    slots[owner] = {till = tonumber(till), top = tonumber(top), place = tonumber(place)}
    other = other or not place
  else
    state[flat[i]] = tonumber(string.match(flat[i + 1], '^%d+$'))
  end
end
if #flat > 0 then
  if state.format ~= tonumber(ARGV[1]) then return {state.format or 0} end
  if other or not (state.born and state.last and state.offset and state.paused and state.line) then return {0} end
end

local function int(n) return string.format('%.0f', n) end
local function put(owner, slot)
  slots[owner] = slot
  redis.call('HSET', key, 'slot:' .. owner, int(slot.till) .. ' ' .. int(slot.top) .. ' ' .. int(slot.place))
end
local function drop(owner)
  slots[owner] = nil
  redis.call('HDEL', key, 'slot:' .. owner)
end

local last, offset, line = state.last or 0, state.offset or 0, state.line or 0
local lost_state = last < seen or not state.born
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + offset
last = math.max(last, seen)
if now <= last then
  if last - now > 1000000 then offset = offset + last - now end
  now = last + 1
end
local born, paused = state.born or now, state.paused or 0
if lost_state then born = now end
for owner, slot in pairs(slots) do
  if slot.till <= now then drop(owner) end
end
if pause > 0 then paused = math.max(paused, now + pause) end

local places, lost = 10 + 2 * tonumber(ARGV[9]), 0
for i = 10, places - 1, 2 do
  local owner, hold, slot = ARGV[i], tonumber(ARGV[i + 1]), slots[ARGV[i]]
  if hold <= 0 then
    drop(owner)
  else
    if not slot then lost = lost + 1 end
    put(owner, {till = now + hold, top = slot and slot.top or 0, place = 0})
  end
end

local function free_within(bound, mine)
  local taken = {}
  for _, slot in pairs(slots) do
    local till = slot.till
    if slot.place ~= 0 then
      local ahead = slot.top > mine.top or slot.top == mine.top and slot.place < mine.place
      till = ahead and till - math.floor(window / 20) or 0
    end
    if till > now and (slot.top <= bound or bound >= limit) then taken[#taken + 1] = till end
  end
  table.sort(taken)
  return taken[#taken - math.max(bound, 1) + 1] or now
end

local function free(mine)
  local bounds, at = {[limit] = true, [mine.top] = true}, 0
  for _, slot in pairs(slots) do
    if slot.top >= mine.top and slot.top < limit then bounds[slot.top] = true end
  end
  for bound in pairs(bounds) do at = math.max(at, free_within(bound, mine)) end
  return at
end

local grants = {}
if known_born == 0 or known_born == born then
  for i = places, #ARGV, 2 do
    if not slots[ARGV[i]] then
      line = line + 1
      slots[ARGV[i]] = {till = now + math.floor(window / 12), top = tonumber(ARGV[i + 1]), place = line}
    end
  end
  for i = places, #ARGV, 2 do
    local slot = slots[ARGV[i]]
    local start = math.max(now, slot.till - math.floor(window * 3 / 2))
    if slot.place ~= 0 then start = math.max(now, paused, born + settle, free(slot)) end
    if slot.place == 0 or start <= now + math.floor(window / 60) then
      slot.till, slot.place = start + math.floor(window * 3 / 2), 0
      grants[#grants + 1] = 1
    else
      start = math.min(start, math.max(now + window, paused))
      slot.till = start + math.floor(window / 12)
      grants[#grants + 1] = 0
    end
    grants[#grants + 1] = start - now
    put(ARGV[i], slot)
  end
end

redis.call('HSET', key, 'format', ARGV[1], 'born', int(born), 'last', int(now), 'offset', int(offset),
  'paused', int(paused), 'line', int(line))
redis.call('PEXPIRE', key, ARGV[2])
local in_use = 0
for _, slot in pairs(slots) do
  if slot.place == 0 then in_use = in_use + 1 end
end
return {now, born, lost, in_use, math.max(0, paused - now), unpack(grants)}
`)
