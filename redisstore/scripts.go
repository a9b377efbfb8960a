package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// A bucket is one hash, so that Redis keeps or loses all of it at once, on one node of a Cluster:
//
//	slot:<owner>  "<free at> <top>" of every slot that is taken
//	born          since when no slot of this bucket was lost
//	last          when the bucket was last written
//	offset        by how much the clock of Redis has gone backwards so far
//	pause         until when nothing is granted
//
// Times are microseconds of the clock of Redis plus the offset, so they never go backwards. A
// process sends the time of the latest write that it has seen. If Redis has only an earlier one, it
// lost writes, in a failover or when a backup was restored, and born is set to the present. If its
// clock went back as well, this is repeated until the process that saw the latest write has asked.

// forgetAfter is how long Redis keeps a bucket that is not used.
const forgetAfter = 30 * 24 * time.Hour

// loadBucket begins every script. ARGV[1] is the latest write that was seen, ARGV[2] forgetAfter.
const loadBucket = `
local key, seen = KEYS[1], tonumber(ARGV[1])
local state, slots = {}, {}
local flat = redis.call('HGETALL', key)
for i = 1, #flat, 2 do
  local owner = string.match(flat[i], '^slot:(.*)$')
  if owner then
    local free, top = string.match(flat[i + 1], '^(%d+) (%d+)$')
    slots[owner] = {free = tonumber(free), top = tonumber(top)}
  else
    state[flat[i]] = tonumber(flat[i + 1])
  end
end

local function int(n) return string.format('%.0f', n) end

local last, offset, born = state.last or 0, state.offset or 0, state.born
local lost = last < seen
last = math.max(last, seen)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + offset

local function save()
  last = now
  redis.call('HSET', key, 'born', int(born), 'last', int(last), 'offset', int(offset))
  redis.call('PEXPIRE', key, ARGV[2])
end

local back = now <= last
if back then
  offset = offset + last + 1 - now
  now = last + 1
end
if lost or not born then born = now end
if back or born == now then save() end

for owner, slot in pairs(slots) do
  if slot.free <= now then
    redis.call('HDEL', key, 'slot:' .. owner)
    slots[owner] = nil
  end
end

local function take(owner, hold, top)
  slots[owner] = {free = now + hold, top = top}
  redis.call('HSET', key, 'slot:' .. owner, int(now + hold) .. ' ' .. int(top))
end
`

// takeScript returns whether a slot was taken, how long to wait otherwise, and born. If the owner
// has a slot already, it succeeds: the client repeats a command whose reply was lost.
var takeScript = redis.NewScript(loadBucket + `
local owner, limit, top, hold = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local known, settle = tonumber(ARGV[7]), tonumber(ARGV[8])
if known ~= 0 and known ~= born then return {0, 0, born, last} end

local free_at = math.max(state.pause or 0, born + settle)
local levels = {[limit] = true, [top] = true}
for _, slot in pairs(slots) do
  if slot.top >= top and slot.top < limit then levels[slot.top] = true end
end
for level in pairs(levels) do
  local frees = {}
  for _, slot in pairs(slots) do
    if slot.top <= level or level == limit then frees[#frees + 1] = slot.free end
  end
  if #frees >= level then
    table.sort(frees)
    free_at = math.max(free_at, frees[#frees - level + 1] or now + hold)
  end
end

if slots[owner] then
  top = slots[owner].top
elseif free_at > now then
  return {0, free_at - now, born, last}
end
take(owner, hold, top)
save()
return {1, 0, born, last}
`)

// keepScript returns how many slots were forgotten. A forgotten slot counts in every share, because
// its own is not known.
var keepScript = redis.NewScript(loadBucket + `
local forgotten = 0
for i = 3, #ARGV, 2 do
  local owner, hold = ARGV[i], tonumber(ARGV[i + 1])
  local slot = slots[owner]
  if hold <= 0 then
    redis.call('HDEL', key, 'slot:' .. owner)
    slots[owner] = nil
  else
    if not slot then forgotten = forgotten + 1 end
    take(owner, hold, slot and slot.top or 0)
  end
end
save()
return {forgotten, last}
`)

var pauseScript = redis.NewScript(loadBucket + `
redis.call('HSET', key, 'pause', int(math.max(state.pause or 0, now + tonumber(ARGV[3]))))
save()
return {last}
`)
