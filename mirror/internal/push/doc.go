// Package push sends the feed of changes to a receiver, by HTTP.
//
// A sender reads the feed, and has a lane for each resource: a lane has the changes of the resource
// in order, and only the first is under way. Lanes are independent of each other. The stored
// position of the push is the latest one before which everything was accepted, or is stored as a
// delivery. So a sender that is killed repeats at most what it had sent since it last saved.
//
//	feed --> lane --> sent --+--> accepted
//	           ^             |
//	           +-- waits <---+ failed; stored, so that the position can move on
//	                         |
//	                         +--> parked, after the last attempt that counts; the lane goes on
//
// If the receiver as a whole is away, one change at a time is tried, later and later. Nothing more
// is read from the feed or stored meanwhile, and no attempt counts.
package push
