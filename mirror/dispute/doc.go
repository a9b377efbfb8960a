// Package dispute makes one page about the stay of a container from the history of a mirror, for
// those who check or contest an invoice of demurrage, detention or storage: when the container
// was available and when that was known, which holds there were, how the last free day moved, when
// it went out and came back empty, what was charged, and what an estimate by a tariff comes to.
//
// Every line has its source, and when it was read. The page states facts and gives no legal
// opinion. Its checklist has what [46 CFR 541.6] asks an invoice to state, next to what the mirror
// knows of it.
//
// [46 CFR 541.6]: https://www.ecfr.gov/current/title-46/section-541.6
package dispute
