package questions

// What several statements have in common.
const (
	todayHere  = `case c.pod_timezone when 'America/New_York' then '2000-01-27' else '2000-01-26' end`
	todayThere = `case coalesce(c.final_destination_timezone, c.pod_timezone) when 'America/New_York' then '2000-01-27' else '2000-01-26' end`
	notLeft    = `c.pod_full_out_at is null and c.final_destination_full_out_at is null and c.empty_terminated_at is null`
	waits      = `c.pod_discharged_at is not null and (c.pod_rail_loaded_at is null and c.ind_eta_at is null or c.ind_ata_at is not null)
		and c.line_tracking_stopped_at is null and ` + notLeft
)

// statements are what a model asks the tool query, where the other tools do not count or compare in
// this way. Today is the day at the place: it is still the day before in the west.
var statements = map[int]string{
	37: `select c.number, coalesce(t.nickname, t.name), h.status, h.description, h.first_seen, s.last_free_day from holds h join containers c on c.id = h.container_id
		join situations s on s.container_id = c.id left join terminals t on t.id = c.pod_terminal_id
		where h.name = 'customs' and h.cleared_at is null and c.pod_discharged_at is not null and c.pod_rail_departed_at is null
		and c.line_tracking_stopped_at is null and ` + notLeft + ` order by 6`,
	42: `select c.number, coalesce(t.nickname, t.name), f.type, f.currency_code, f.amount from fees f join containers c on c.id = f.container_id
		left join terminals t on t.id = c.pod_terminal_id where c.customer_name like '` + customer + `' and f.cleared_at is null and f.counted and f.amount > 0
		and c.line_tracking_stopped_at is null and ` + notLeft + ` order by 1`,
	96: `select count(*), sum(c.line_tracking_stopped_at is not null), sum(` + waits + ` and c.terminal_checked_at < '2000-01-26T05:30:00Z'),
		sum(` + waits + ` and c.terminal_checked_at is null) from containers c`,
	48: `select c.number, c.pod_voyage_number, (select count(*) from holds h where h.container_id = c.id and h.cleared_at is null),
		c.pod_discharged_at is not null and c.availability_known and not c.available_for_pickup,
		(select coalesce(sum(f.amount), 0) from fees f where f.container_id = c.id and f.cleared_at is null and f.counted),
		coalesce(substr(c.pickup_lfd_local, 1, 10) < ` + todayThere + `, 0)
		from containers c where c.pod_vessel_name = 'VESSEL' and c.line_tracking_stopped_at is null and ` + notLeft,
	49: `select c.number, s.last_free_day, c.pickup_appointment_at_local from containers c join situations s on s.container_id = c.id
		where ` + waits + ` and substr(c.pickup_appointment_at_local, 1, 10) > s.last_free_day`,
	50: `select c.number, s.last_free_day, coalesce(t.nickname, t.name) from containers c join situations s on s.container_id = c.id left join terminals t on t.id = c.pod_terminal_id
		where ` + waits + ` and c.port_of_discharge_locode in ('USLAX', 'USLGB') and s.last_free_day between '2000-01-26' and '2000-01-27'
		and s.situation in ('ready', 'pay_first') and s.checked_at > '2000-01-26T05:30:00Z' and c.pickup_appointment_at is null`,
	55: `select c.number, coalesce(t.nickname, t.name), julianday(` + todayHere + `) - julianday(substr(c.pod_discharged_at_local, 1, 10)) as days,
		case when s.checked_at > '2000-01-26T05:30:00Z' then s.situation else s.old_situation end
		from containers c join situations s on s.container_id = c.id left join terminals t on t.id = c.pod_terminal_id
		where c.pod_discharged_at is not null and c.pod_rail_departed_at is null and c.line_tracking_stopped_at is null and ` + notLeft + `
		and not exists (select 1 from holds h where h.container_id = c.id and h.cleared_at is null)
		and julianday(` + todayHere + `) - julianday(substr(c.pod_discharged_at_local, 1, 10)) > 4 order by 3 desc`,
	61: `select coalesce(t.nickname, t.name), count(distinct c.id), sum(f.amount) from fees f join containers c on c.id = f.container_id
		left join terminals t on t.id = c.pod_terminal_id where f.cleared_at is null and f.counted and f.currency_code = 'USD' and f.amount > 0
		and c.line_tracking_stopped_at is null and ` + notLeft + ` group by 1`,
	67: `select c.customer_name, count(*), sum(julianday(` + todayThere + `) - julianday(substr(c.pickup_lfd_local, 1, 10))) from containers c
		where ` + waits + ` and substr(c.pickup_lfd_local, 1, 10) < ` + todayThere + ` group by 1`,
	80: `select c.number, h.name, h.cleared_at, (select count(*) from holds o where o.container_id = c.id and o.cleared_at is null)
		from holds h join containers c on c.id = h.container_id where c.line_tracking_stopped_at is null
		and h.cleared_at > case c.pod_timezone when 'America/New_York' then '2000-01-26T23:00:00Z' when 'America/Chicago' then '2000-01-26T00:00:00Z' else '2000-01-26T02:00:00Z' end
		and not exists (select 1 from holds n where n.container_id = h.container_id and n.name = h.name and n.first_seen = h.cleared_at)`,
	81: `select h.name, count(distinct c.id) from holds h join containers c on c.id = h.container_id where h.first_seen > '2000-01-26T05:30:00Z' and c.line_tracking_stopped_at is null
		and not exists (select 1 from holds n where n.container_id = h.container_id and n.name = h.name and n.cleared_at = h.first_seen)
		and (select min(x.at) from changes x where x.kind = 'container' and x.id = c.id) <= '2000-01-26T05:30:00Z' group by 1`,
	85: `select c.number, x.old, c.pickup_lfd, case when c.ind_ata_at is null then c.pod_timezone else c.final_destination_timezone end from changes x join containers c on c.id = x.id
		where x.kind = 'container' and x.attribute = 'pickup_lfd' and c.line_tracking_stopped_at is null
		and x.at > case c.pod_timezone when 'America/New_York' then '2000-01-24T05:00:00Z' when 'America/Chicago' then '2000-01-24T06:00:00Z' else '2000-01-24T08:00:00Z' end
		and (select min(y.at) from changes y where y.kind = 'container' and y.id = c.id) <= '2000-01-24T05:00:00Z' order by x.seq`,
	40: `select c.number, coalesce((select max(x.at) from changes x where x.kind = 'container' and x.id = c.id and x.attribute = 'available_for_pickup'),
		(select min(x.at) from changes x where x.kind = 'container' and x.id = c.id)) as since,
		case when c.ind_ata_at is null then c.pod_timezone else c.final_destination_timezone end
		from containers c join situations s on s.container_id = c.id
		where s.situation in ('ready', 'pay_first') and c.line_tracking_stopped_at is null order by 2`,
	46: `select c.number, coalesce((select x.old from changes x where x.kind = 'shipment' and x.id = c.shipment_id and x.attribute = 'pod_eta_at' and x.at > '2000-01-20T05:30:00Z' order by x.seq limit 1),
		'"' || c.pod_eta_at || '"') as eta_then, c.pod_eta_at, c.pod_eta_at_local from containers c
		where c.pod_eta_at is not null and c.pod_arrived_at is null and c.line_tracking_stopped_at is null
		and (select min(x.at) from changes x where x.kind = 'container' and x.id = c.id and x.attribute = 'id') <= '2000-01-20T05:30:00Z'`,
	51: `select c.number, s.pod_ata_at, s.pod_ata_at_local from containers c join shipments s on s.id = c.shipment_id
		where coalesce(c.pod_arrived_at, s.pod_ata_at) <= '2000-01-25T05:30:00Z' and c.pod_discharged_at is null and c.pod_full_out_at is null
		and c.pod_rail_departed_at is null and c.empty_terminated_at is null and c.line_tracking_stopped_at is null order by 2`,
	52: `select number, substr(pickup_lfd_terminal_local, 1, 10), substr(pickup_lfd_line_local, 1, 10) from containers
		where pod_discharged_at is not null and pod_full_out_at is null and final_destination_full_out_at is null and empty_terminated_at is null
		and line_tracking_stopped_at is null and substr(pickup_lfd_terminal_local, 1, 10) <> substr(pickup_lfd_line_local, 1, 10)`,
	60: `select f.type, f.currency_code, count(distinct f.container_id), sum(f.amount) from fees f join containers c on c.id = f.container_id
		where f.cleared_at is null and f.counted and f.amount > 0 and c.pod_full_out_at is null and c.final_destination_full_out_at is null and c.empty_terminated_at is null
		and c.line_tracking_stopped_at is null group by 1, 2`,
	68: `select coalesce(t.nickname, t.name), count(*), round(avg(julianday(substr(c.pod_full_out_at_local, 1, 10)) - julianday(substr(c.pod_discharged_at_local, 1, 10))), 1)
		from containers c left join terminals t on t.id = c.pod_terminal_id
		where c.pod_full_out_at is not null and c.pod_discharged_at is not null and c.pod_rail_loaded_at is null
		and substr(c.pod_full_out_at_local, 1, 10) >= case c.pod_timezone when 'America/New_York' then '1999-12-28' else '1999-12-27' end group by 1`,
	69: `with out as (select shipping_line_scac as line, julianday(case coalesce(final_destination_timezone, pod_timezone) when 'America/New_York' then '2000-01-27' else '2000-01-26' end)
		- julianday(substr(coalesce(final_destination_full_out_at_local, pod_full_out_at_local), 1, 10)) as days from containers
		where coalesce(final_destination_full_out_at, pod_full_out_at) is not null and empty_terminated_at is null and line_tracking_stopped_at is null)
		select line, count(*), sum(days > 4), sum(days > 7), sum(days > 10) from out group by 1`,
	70: `select equipment_length, equipment_type, count(*) from containers where line_tracking_stopped_at is null group by 1, 2`,
	72: `select c.port_of_discharge_locode, h.status, count(distinct c.id) from holds h join containers c on c.id = h.container_id
		where h.cleared_at is null and h.name = 'customs' and c.pod_full_out_at is null and c.final_destination_full_out_at is null and c.empty_terminated_at is null
		and c.line_tracking_stopped_at is null group by 1, 2`,
	83: `select number, coalesce(final_destination_full_out_at_local, pod_full_out_at_local) from containers
		where substr(coalesce(final_destination_full_out_at_local, pod_full_out_at_local), 1, 10) >= '2000-01-24' order by 1`,
	86: `with spells as (select round((julianday(h.cleared_at) - julianday(coalesce(p.first_seen, h.first_seen))) * 24) as hours
		from holds h join containers c on c.id = h.container_id
		left join holds p on p.container_id = h.container_id and p.name = h.name and p.cleared_at = h.first_seen
		where h.name = 'customs' and h.cleared_at >= '2000-01-01' and coalesce(p.first_seen, h.first_seen) > (select min(at) from changes) and not exists
		(select 1 from holds n where n.container_id = h.container_id and n.name = h.name and n.first_seen = h.cleared_at)),
		ranked as (select hours, row_number() over (order by hours) as n, count(*) over () as many from spells)
		select count(*), avg(hours), (select avg(hours) from ranked where n in ((many + 1) / 2, (many + 2) / 2)) from spells`,
	87: `select c.number, x.at, x.old, x.new, c.pod_vessel_name from changes x join containers c on c.shipment_id = x.id
		where x.kind = 'shipment' and x.attribute in ('pod_vessel_name', 'pod_voyage_number') and x.at >= '2000-01-13T05:30:00Z' and x.old is not null
		and c.pol_vessel_departed_at is null and c.line_tracking_stopped_at is null`,
}
