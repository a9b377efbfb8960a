// Package worklist answers which containers, in which order and how many: it filters, sorts, pages
// and counts compact records of containers by the verdicts of [terminal49.Assess]. A [Set] holds a
// [Record] of each container, about 1.3 KB. [Set.Ask] asks it a [Question], which
// [Question.List] and [Question.Count] answer. [Compare] returns what has changed between two
// readings of a container. Nothing here reads from the service or a database.
//
// Filters and keys have one name wherever they are typed: [ParseFilter], [Key] and [Order].
package worklist
