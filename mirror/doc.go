// Package mirror keeps a copy of a Terminal49 account in your own database, Postgres or
// SQLite: shipments, containers, milestones, holds, fees and what changed when.
//
// [New] returns a [Mirror], [Mirror.Run] keeps the copy equal to the service, and [Mirror.Receiver]
// serves the webhook. What follows is the protocol, for those who work on it.
//
// # Words
//
// A ticket is a number that the database issues, in order. A reading is a response of the service,
// with the ticket that was drawn before its request was sent. Two readings overlap if one was sent
// before the response to the other had arrived. A mark is a note that a resource may have changed;
// it has a ticket, too. A fact is a resource that stays true: a transport event, an estimate, a
// changeset. A period is the time for which a container has a hold or a fee. A walk reads all pages
// of a list; a poll reads one resource. An audit compares the inbox with the service's own log of
// notifications. The lease is the right to write, which one process has at a time; its turn lasts
// until another process has the lease.
//
// # The rule
//
// A notification never changes the state of a resource, because it may be late: it is stored in the
// inbox, its facts are merged, and what it names is marked. State is written from readings alone.
// A row has the ticket of its reading:
//
//	reading later than the row     the row is replaced
//	reading earlier than the row   the row stays
//	reading equal to the row       the row stays; if a page of a list showed it, only the page is
//	                               written, and the process remembers the reading
//	overlapping, and different     the resource is marked: which of the two is newer is unknown
//	reading later than a mark      the mark is removed; if the reading was sent before the mark was
//	                               due, it may come from a replica that lags, and the mark stays
//	404                            the row is missing; after another 404, a whole walk later,
//	                               deleted, if the list and reads by id work; otherwise it waits
//
// A mark is made after the change that it is about. So a reading that removes it was sent after the
// change, and so was every reading that replaces the row later.
//
// # The feed
//
// The table changes is a feed for readers, with a seq that follows the order of commits. After a
// restore a seq is given again, to another change. So the position of a reader is a seq with random
// digits, which belong to the transaction that gave it. A reader may go on only if the feed still
// has its position. What is forgotten is emptied, and keeps its position. So does the last change
// that was deleted by age.
//
// # Notices
//
// A change whose Kind is [KindSituation] is a [Notice]: a container became ready, a hold was
// placed, the ETA slipped, the last free day is near. [Change.Notice] reads it, with the facts
// before and after. Each is in the feed once, and again only after a fact has changed: what was
// reported of a container is stored in the transaction that stores the notice. The calendar of the
// place makes some of them due without any report. [WithSituationRules] sets the numbers of days
// and hours.
//
// # A notification
//
//	receiver -> store: inbox | worker: takes the new ones -> model: parsed, secrets removed
//	  -> plan: what it means for rows -> store: facts, provisional rows, marks
//
//	         +--> done
//	new -----+--> unresolved (names nothing that can be read) --> read from the log --> done
//	  ^      |
//	  +------+ failed, tried again later; after the fifth time: quarantined
//
// # The lease
//
//	waiting --(it is free, unchanged for 12 seconds, or its holder has ended)--> writing --> free
//	   ^                                                                            |
//	   +-------(another process has taken it)---------------------------------------+
//
// Each transaction locks the lease, compares its epoch, renews it and counts itself in it first. So
// a process that was suspended cannot write when it wakes up, and one with a long transaction keeps
// the lease. On Linux, a process sees at once that a holder on the same machine has ended. If the
// database has counted fewer transactions, or issued fewer tickets, than the process knows, it was
// restored to an earlier state: the turn ends, and with it all readings under way. The next turn
// draws tickets that nobody had, and reads everything again. Each step, such as a page of a walk,
// is one transaction together with how far it is; a crash costs at most a repeated read.
//
// # Clocks
//
// Order is that of tickets, and waits are measured with the clock that never jumps. A stored time
// is compared with the wall clock only to find out, after a start or a jump, what is due. One that
// is in the future comes from a clock that was ahead: what it belongs to is due. Rows and walks are
// not deleted by age; the bodies of old notifications are, once two audits of the whole log agree.
//
// # Packages
//
// Package model has the resources, package schema has the tables, package plan has the rule, and
// package notice has the rules of notices; these are pure. Package store has the SQL. Package
// worker does the work of a turn. Each imports only those before it.
package mirror
