// Package demurrage estimates what a container costs that stays too long, day by day: demurrage in
// the terminal, detention (per diem) outside of it, storage, and tariffs that combine them.
//
// The [Tariff] is yours, as data: this package has no tariff, no holidays and no opinion on which
// contract applies. A [Stay] has the times of one container, from [StayOf] or from your own
// records. [Tariff.Estimate] counts the days on the calendar of the place:
//
//	tariff, err := demurrage.ParseTariff(data)
//	...
//	estimate, err := tariff.Estimate(demurrage.StayOf(container), friday)
//	...
//	fmt.Println(estimate)
//
// Amounts are exact decimals. A time that was not reported makes an amount a range, from the least
// to the most that it can be, or unknown; it never makes it zero. [Compare] compares an estimate
// with the fees that a terminal has posted, and [Check] with the lines of an invoice.
package demurrage
