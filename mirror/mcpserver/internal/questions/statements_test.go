package questions

// What several statements have in common. Today is the day at the place: it is still the day before
// in the west. A zone may have several names, so it follows from what a time is there.
const (
	atPort = `coalesce(julianday(c.pod_discharged_at_local) - julianday(c.pod_discharged_at), julianday(c.pod_arrived_at_local) - julianday(c.pod_arrived_at),
		julianday(c.pod_eta_at_local) - julianday(c.pod_eta_at))`
	atPickup = `coalesce(julianday(c.ind_ata_at_local) - julianday(c.ind_ata_at), julianday(c.ind_eta_at_local) - julianday(c.ind_eta_at), ` + atPort + `)`

	todayAtPort   = `date(julianday('2000-01-27T05:30:00Z') + ` + atPort + `)`
	todayAtPickup = `date(julianday('2000-01-27T05:30:00Z') + ` + atPickup + `)`

	inland = `(c.pod_rail_loaded_at is not null or c.pod_rail_departed_at is not null or c.ind_eta_at is not null or c.ind_ata_at is not null
		or c.ind_rail_unloaded_at is not null)`
	notLeft  = `(c.pod_full_out_at is null or ` + inland + `) and c.final_destination_full_out_at is null and c.empty_terminated_at is null`
	onGround = `c.pod_discharged_at is not null and c.pod_rail_departed_at is null and c.line_tracking_stopped_at is null and ` + notLeft
	waits    = `c.pod_discharged_at is not null and (c.ind_ata_at is not null or not ` + inland + `) and c.line_tracking_stopped_at is null and ` + notLeft
	noHold   = `not exists (select 1 from holds h where h.container_id = c.id and h.cleared_at is null)`
	lfd      = `substr(c.pickup_lfd_local, 1, 10)`
	terminal = `coalesce(t.nickname, t.name)`
)

// statements are what a model asks the tool query, where the other tools do not count or compare in
// this way.
var statements = map[int]string{
	34: `select c.number, ` + lfd + ` from containers c where ` + waits + ` and ` + lfd + ` between '2000-01-24' and '2000-01-30' order by 2, 1`,
	37: `select c.number, ` + terminal + `, h.status, h.description, h.first_seen, ` + lfd + ` from holds h join containers c on c.id = h.container_id
		left join terminals t on t.id = c.pod_terminal_id where h.name = 'customs' and h.cleared_at is null and ` + onGround + ` order by 6, 1`,
	40: `with available as materialized (select c.number as number, coalesce((select max(x.at) from changes x where x.kind = 'container' and x.id = c.id
		and x.attribute in ('available_for_pickup', 'availability_known')), (select min(x.at) from changes x where x.kind = 'container' and x.id = c.id)) as since,
		` + atPickup + ` as there from containers c where ` + waits + ` and c.available_for_pickup and c.availability_known and ` + noHold + `)
		select number, date(julianday(since) + there) from available
		where julianday(date(julianday('2000-01-27T05:30:00Z') + there)) - julianday(date(julianday(since) + there)) >= 3 order by 2, 1`,
	42: `select c.number, ` + terminal + `, f.type, f.currency_code, f.amount from fees f join containers c on c.id = f.container_id
		left join terminals t on t.id = c.pod_terminal_id where c.customer_name like '` + customer + `' and f.cleared_at is null and f.counted and f.amount > 0
		and c.line_tracking_stopped_at is null and ` + notLeft + ` order by 1`,
	46: `with was as materialized (select c.id as id, coalesce((select substr(x.old, 8, 36) from changes x where x.kind = 'container' and x.id = c.id
			and x.attribute = 'shipment' and x.at > '2000-01-20T05:30:00Z' order by x.seq limit 1), c.shipment_id) as shipment_id
			from containers c join shipments n on n.id = c.shipment_id
			where c.pod_eta_at is not null and c.pod_arrived_at is null and c.pod_discharged_at is null and n.pod_ata_at is null and c.line_tracking_stopped_at is null
			and (select min(x.at) from changes x where x.kind = 'container' and x.id = c.id) <= '2000-01-20T05:30:00Z'),
		eta as materialized (select c.number as number, c.pod_eta_at as eta, case when exists (select 1 from changes x where x.kind = 'shipment'
			and x.id = w.shipment_id and x.attribute = 'pod_eta_at' and x.at > '2000-01-20T05:30:00Z')
			then (select substr(x.old, 2, 20) from changes x where x.kind = 'shipment' and x.id = w.shipment_id and x.attribute = 'pod_eta_at'
			and x.at > '2000-01-20T05:30:00Z' order by x.seq limit 1) else s.pod_eta_at end as before
			from was w join containers c on c.id = w.id left join shipments s on s.id = w.shipment_id)
		select number, before, eta from eta where julianday(eta) - julianday(before) >= 1.99 order by julianday(eta) - julianday(before) desc, 1`,
	48: `select c.number, c.pod_voyage_number, (select count(*) from holds h where h.container_id = c.id and h.cleared_at is null),
		c.pod_discharged_at is not null and c.availability_known and not c.available_for_pickup,
		(select coalesce(sum(f.amount), 0) from fees f where f.container_id = c.id and f.cleared_at is null and f.counted),
		coalesce(` + lfd + ` < ` + todayAtPickup + `, 0)
		from containers c where c.pod_vessel_name = 'VESSEL' and c.line_tracking_stopped_at is null and ` + notLeft + ` order by 1`,
	51: `select c.number, coalesce(c.pod_arrived_at, s.pod_ata_at) from containers c join shipments s on s.id = c.shipment_id
		where coalesce(c.pod_arrived_at, s.pod_ata_at) <= '2000-01-25T05:30:00Z' and c.pod_discharged_at is null
		and not ` + inland + ` and c.line_tracking_stopped_at is null and ` + notLeft + ` order by 2, 1`,
	52: `select c.number, substr(c.pickup_lfd_terminal_local, 1, 10), substr(c.pickup_lfd_line_local, 1, 10) from containers c
		where ` + waits + ` and substr(c.pickup_lfd_terminal_local, 1, 10) <> substr(c.pickup_lfd_line_local, 1, 10) order by 1`,
	55: `select c.number, ` + terminal + `, julianday(` + todayAtPort + `) - julianday(substr(c.pod_discharged_at_local, 1, 10)) as days,
		case when ` + inland + ` then 'not at the ramp yet' when c.available_for_pickup is null or not c.availability_known then 'unknown'
		when c.available_for_pickup then 'yes' else 'no, not available' end
		from containers c left join terminals t on t.id = c.pod_terminal_id where ` + onGround + ` and ` + noHold + `
		and julianday(` + todayAtPort + `) - julianday(substr(c.pod_discharged_at_local, 1, 10)) > 4 order by 3 desc, 1`,
	60: `select f.type, f.currency_code, count(distinct f.container_id), sum(f.amount) from fees f join containers c on c.id = f.container_id
		where f.cleared_at is null and f.counted and f.amount > 0 and c.line_tracking_stopped_at is null and ` + notLeft + ` group by 1, 2`,
	61: `select ` + terminal + `, count(distinct c.id), sum(f.amount) from fees f join containers c on c.id = f.container_id
		left join terminals t on t.id = c.pod_terminal_id where f.cleared_at is null and f.counted and f.currency_code = 'USD' and f.amount > 0
		and c.line_tracking_stopped_at is null and ` + notLeft + ` group by 1`,
	67: `select c.customer_name, count(*), sum(julianday(` + todayAtPickup + `) - julianday(` + lfd + `)) from containers c
		where ` + waits + ` and ` + lfd + ` < ` + todayAtPickup + ` group by 1`,
	68: `select ` + terminal + `, count(*), round(avg(julianday(substr(c.pod_full_out_at_local, 1, 10)) - julianday(substr(c.pod_discharged_at_local, 1, 10))), 1)
		from containers c left join terminals t on t.id = c.pod_terminal_id
		where c.pod_full_out_at is not null and c.pod_discharged_at is not null and not ` + inland + `
		and julianday(` + todayAtPort + `) - julianday(substr(c.pod_full_out_at_local, 1, 10)) <= 30 group by 1`,
	69: `with empty as (select c.shipping_line_scac as line, julianday(` + todayAtPickup + `)
		- julianday(substr(coalesce(c.final_destination_full_out_at_local, c.pod_full_out_at_local), 1, 10)) as days from containers c
		where coalesce(c.final_destination_full_out_at, c.pod_full_out_at) is not null and not (` + notLeft + `)
		and c.empty_terminated_at is null and c.line_tracking_stopped_at is null)
		select line, count(*), sum(days > 4), sum(days > 7), sum(days > 10) from empty group by 1`,
	70: `select equipment_length, equipment_type, count(*) from containers where line_tracking_stopped_at is null group by 1, 2`,
	72: `select c.port_of_discharge_locode, h.status, count(distinct c.id) from holds h join containers c on c.id = h.container_id
		where h.cleared_at is null and h.name = 'customs' and c.line_tracking_stopped_at is null and ` + notLeft + ` group by 1, 2`,
	80: `select c.number, h.name, h.cleared_at, (select count(*) from holds o where o.container_id = c.id and o.cleared_at is null)
		from holds h join containers c on c.id = h.container_id where c.line_tracking_stopped_at is null
		and julianday(h.cleared_at) + ` + atPort + ` > julianday(` + todayAtPort + `) - 0.25
		and not exists (select 1 from holds n where n.container_id = h.container_id and n.name = h.name and n.first_seen = h.cleared_at) order by 3, 1`,
	81: `select h.name, count(distinct c.id) from holds h join containers c on c.id = h.container_id where h.first_seen > '2000-01-26T05:30:00Z' and c.line_tracking_stopped_at is null
		and not exists (select 1 from holds n where n.container_id = h.container_id and n.name = h.name and n.cleared_at = h.first_seen)
		and (select min(x.at) from changes x where x.kind = 'container' and x.id = c.id) <= '2000-01-26T05:30:00Z' group by 1`,
	83: `select c.number, coalesce(c.final_destination_full_out_at_local, c.pod_full_out_at_local) from containers c
		where substr(coalesce(c.final_destination_full_out_at_local, c.pod_full_out_at_local), 1, 10) >= '2000-01-24'
		and (c.final_destination_full_out_at is not null or not ` + inland + `) order by 1`,
	85: `with moves as materialized (select x.id as id, min(x.seq) as seq from changes x join containers c on c.id = x.id
			where x.kind = 'container' and x.attribute = 'pickup_lfd' and c.line_tracking_stopped_at is null and julianday(x.at) + ` + atPickup + ` > julianday('2000-01-24')
			and julianday((select min(y.at) from changes y where y.kind = 'container' and y.id = x.id)) + ` + atPickup + ` <= julianday('2000-01-24') group by x.id)
		select c.number, x.old, c.pickup_lfd, case when c.ind_ata_at is null then c.pod_timezone else c.final_destination_timezone end
		from moves f join changes x on x.seq = f.seq join containers c on c.id = f.id order by 1`,
	86: `with spells as materialized (select round((julianday(h.cleared_at) - julianday(coalesce(p.first_seen, h.first_seen))) * 24) as hours
			from holds h join containers c on c.id = h.container_id
			left join holds p on p.container_id = h.container_id and p.name = h.name and p.cleared_at = h.first_seen
			where h.name = 'customs' and h.cleared_at >= '2000-01-01' and coalesce(p.first_seen, h.first_seen) > (select min(at) from changes) and not exists
			(select 1 from holds n where n.container_id = h.container_id and n.name = h.name and n.first_seen = h.cleared_at)),
		ranked as materialized (select hours, row_number() over (order by hours) as n, count(*) over () as many from spells)
		select count(*), avg(hours), (select avg(hours) from ranked where n in ((many + 1) / 2, (many + 2) / 2)) from spells`,
	87: `select c.number, x.at, x.old, x.new, c.pod_vessel_name from changes x join containers c on c.shipment_id = x.id
		where x.kind = 'shipment' and x.attribute in ('pod_vessel_name', 'pod_voyage_number') and x.at >= '2000-01-13T05:30:00Z' and x.old is not null
		and c.pol_vessel_departed_at is null and c.line_tracking_stopped_at is null`,
	96: `select count(*), sum(c.line_tracking_stopped_at is not null), sum(` + waits + ` and c.terminal_checked_at < '2000-01-26T05:30:00Z'),
		sum(` + waits + ` and c.terminal_checked_at is null) from containers c`,
}
