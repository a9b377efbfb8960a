create or replace view t49.last_seen as
select k.key as kind, i.value as id, max(p.seen_at) as seen_at
from t49.pages p cross join jsonb_each(p.refs) k cross join jsonb_array_elements_text(k.value) i group by k.key, i.value;
create or replace view t49.live_shipping_lines as select * from t49.shipping_lines where deleted_at is null;
create or replace view t49.live_ports as select * from t49.ports where deleted_at is null;
create or replace view t49.live_terminals as select * from t49.terminals where deleted_at is null;
create or replace view t49.live_vessels as select * from t49.vessels where deleted_at is null;
create or replace view t49.live_parties as select * from t49.parties where deleted_at is null;
create or replace view t49.live_shipments as select * from t49.shipments where deleted_at is null;
create or replace view t49.live_containers as select * from t49.containers where deleted_at is null;
create or replace view t49.live_tracking_requests as select * from t49.tracking_requests where deleted_at is null;
create or replace view t49.live_transport_events as select * from t49.transport_events where deleted_at is null;
create or replace view t49.live_estimates as select * from t49.estimates where deleted_at is null;
create or replace view t49.live_container_events as select * from t49.container_events where deleted_at is null;
create or replace view t49.live_documents as select * from t49.documents where deleted_at is null;
create or replace view t49.live_custom_fields as select * from t49.custom_fields where deleted_at is null;
create or replace view datasync.shipments as select
  s.id as shipment_id,
  s.shipping_line_scac as shipping_line_scac,
  s.shipping_line_name as shipping_line_name,
  s.bill_of_lading_number as bill_of_lading_number,
  s.normalized_number as normalized_number,
  s.ref_numbers_text as reference_numbers,
  s.tags_text as tags,
  (select r.customer_id from t49.tracking_requests r where r.shipment_id = s.id and r.customer_id is not null and r.deleted_at is null
    order by r.created_at desc, r.id desc limit 1) as customer_id,
  s.customer_name as customer_name,
  s.port_of_lading_locode as pol_locode,
  s.port_of_discharge_locode as pod_locode,
  pt.firms_code as pod_terminal_firms_code,
  s.destination_locode as destination_locode,
  dt.firms_code as destination_terminal_firms_code,
  s.pol_atd_at at time zone 'UTC' as pol_atd_at,
  s.pol_etd_at at time zone 'UTC' as pol_etd_at,
  s.pod_eta_at at time zone 'UTC' as pod_eta_at,
  s.pod_ata_at at time zone 'UTC' as pod_arrived_at,
  s.pod_voyage_number as pod_voyage_number,
  s.pod_vessel_name as pod_vessel_name,
  s.pod_vessel_imo as pod_vessel_imo,
  s.line_tracking_last_succeeded_at at time zone 'UTC' as line_tracking_last_succeeded_at,
  s.line_tracking_stopped_at at time zone 'UTC' as line_tracking_stopped_at,
  s.line_tracking_stopped_reason as line_tracking_stopped_reason,
  s.created_at at time zone 'UTC' as created_at,
  s.changed_at at time zone 'UTC' as updated_at
from t49.shipments s
left join t49.terminals pt on pt.id = s.pod_terminal_id
left join t49.terminals dt on dt.id = s.destination_terminal_id
where s.deleted_at is null;
create or replace view datasync.containers as select
  c.id as container_id,
  c.number as container_number,
  c.shipment_id as shipment_id,
  s.bill_of_lading_number as shipment_bill_of_lading_number,
  s.normalized_number as shipment_normalized_number,
  s.ref_numbers_text as shipment_reference_numbers,
  c.ref_numbers_text as container_reference_numbers,
  s.tags_text as shipment_tags,
  (select r.customer_id from t49.tracking_requests r where r.shipment_id = s.id and r.customer_id is not null and r.deleted_at is null
    order by r.created_at desc, r.id desc limit 1) as customer_id,
  s.customer_name as customer_name,
  s.shipping_line_scac as shipping_line_scac,
  s.shipping_line_name as shipping_line_name,
  coalesce(pol.country_code, substr(coalesce(s.port_of_lading_locode, pol.code), 1, 2)) as pol_country_code,
  coalesce(s.port_of_lading_locode, pol.code) as pol_locode,
  coalesce(pol.city, pol.name, s.port_of_lading_name) as pol_city,
  s.pol_timezone as pol_timezone,
  coalesce(pod.country_code, substr(coalesce(s.port_of_discharge_locode, pod.code), 1, 2)) as pod_country_code,
  coalesce(s.port_of_discharge_locode, pod.code) as pod_locode,
  coalesce(pod.city, pod.name, s.port_of_discharge_name) as pod_city,
  coalesce(c.pod_timezone, s.pod_timezone) as pod_timezone,
  pt.firms_code as pod_terminal_firms_code,
  pt.nickname as pod_terminal_nickname,
  pt.name as pod_terminal_name,
  coalesce(ind.country_code, substr(coalesce(s.destination_locode, ind.code), 1, 2)) as ind_country_code,
  coalesce(s.destination_locode, ind.code) as ind_locode,
  coalesce(ind.city, ind.name, s.destination_name) as ind_city,
  coalesce(c.final_destination_timezone, s.destination_timezone) as ind_timezone,
  it.firms_code as ind_terminal_firms_code,
  it.nickname as ind_terminal_nickname,
  it.name as ind_terminal_name,
  c.empty_out_at at time zone 'UTC' as empty_out_at,
  substr(c.empty_out_at_local || ' 00:00:00', 1, 19) as empty_out_at_local,
  (case when c.pol_full_in_at is not null or c.pol_full_in_at_local is not null then c.pol_full_in_at else (select e.timestamp from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.full_in' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1) end) at time zone 'UTC' as full_in_at,
  substr(case when c.pol_full_in_at is not null or c.pol_full_in_at_local is not null then c.pol_full_in_at_local else (select e.timestamp_local from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.full_in' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1) end || ' 00:00:00', 1, 19) as full_in_at_local,
  (case when c.pol_vessel_loaded_at is not null or c.pol_vessel_loaded_at_local is not null then c.pol_vessel_loaded_at else (select e.timestamp from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.vessel_loaded' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1) end) at time zone 'UTC' as pol_loaded_at,
  substr(case when c.pol_vessel_loaded_at is not null or c.pol_vessel_loaded_at_local is not null then c.pol_vessel_loaded_at_local else (select e.timestamp_local from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.vessel_loaded' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1) end || ' 00:00:00', 1, 19) as pol_loaded_at_local,
  s.pol_etd_at at time zone 'UTC' as pol_etd_at,
  substr(s.pol_etd_at_local || ' 00:00:00', 1, 19) as pol_etd_at_local,
  (case when s.pol_atd_at is not null or s.pol_atd_at_local is not null then s.pol_atd_at else c.pol_vessel_departed_at end) at time zone 'UTC' as pol_atd_at,
  substr(case when s.pol_atd_at is not null or s.pol_atd_at_local is not null then s.pol_atd_at_local else c.pol_vessel_departed_at_local end || ' 00:00:00', 1, 19) as pol_atd_at_local,
  s.pod_eta_at at time zone 'UTC' as pod_eta_at,
  substr(s.pod_eta_at_local || ' 00:00:00', 1, 19) as pod_eta_at_local,
  (case when c.pod_arrived_at is not null or c.pod_arrived_at_local is not null then c.pod_arrived_at else s.pod_ata_at end) at time zone 'UTC' as pod_arrived_at,
  substr(case when c.pod_arrived_at is not null or c.pod_arrived_at_local is not null then c.pod_arrived_at_local else s.pod_ata_at_local end || ' 00:00:00', 1, 19) as pod_arrived_at_local,
  (select e.timestamp from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.vessel_berthed' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1) at time zone 'UTC' as pod_berthed_at,
  substr((select e.timestamp_local from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.vessel_berthed' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1) || ' 00:00:00', 1, 19) as pod_berthed_at_local,
  c.pod_discharged_at at time zone 'UTC' as pod_discharged_at,
  substr(c.pod_discharged_at_local || ' 00:00:00', 1, 19) as pod_discharged_at_local,
  c.pickup_lfd at time zone 'UTC' as pod_last_free_day_on,
  substr(c.pickup_lfd_local || ' 00:00:00', 1, 19) as pod_last_free_day_on_local,
  (case when c.pickup_lfd_line is not null or c.pickup_lfd_line_local is not null then c.pickup_lfd_line else c.ssl_lfd end) at time zone 'UTC' as ssl_last_free_day_on,
  substr(case when c.pickup_lfd_line is not null or c.pickup_lfd_line_local is not null then c.pickup_lfd_line_local else c.ssl_lfd_local end || ' 00:00:00', 1, 19) as ssl_last_free_day_on_local,
  c.pickup_appointment_at at time zone 'UTC' as pod_pickup_appointment_at,
  substr(c.pickup_appointment_at_local || ' 00:00:00', 1, 19) as pod_pickup_appointment_at_local,
  c.pod_full_out_at at time zone 'UTC' as pod_full_out_at,
  substr(c.pod_full_out_at_local || ' 00:00:00', 1, 19) as pod_full_out_at_local,
  c.pod_rail_carrier_scac as pod_rail_carrier_scac,
  c.pod_rail_loaded_at at time zone 'UTC' as pod_rail_loaded_at,
  substr(c.pod_rail_loaded_at_local || ' 00:00:00', 1, 19) as pod_rail_loaded_at_local,
  c.pod_rail_departed_at at time zone 'UTC' as pod_rail_departed_at,
  substr(c.pod_rail_departed_at_local || ' 00:00:00', 1, 19) as pod_rail_departed_at_local,
  c.ind_rail_carrier_scac as ind_rail_carrier_scac,
  c.ind_eta_at at time zone 'UTC' as ind_eta_at,
  substr(c.ind_eta_at_local || ' 00:00:00', 1, 19) as ind_eta_at_local,
  c.ind_ata_at at time zone 'UTC' as ind_arrived_at,
  substr(c.ind_ata_at_local || ' 00:00:00', 1, 19) as ind_arrived_at_local,
  c.ind_rail_unloaded_at at time zone 'UTC' as ind_rail_unloaded_at,
  substr(c.ind_rail_unloaded_at_local || ' 00:00:00', 1, 19) as ind_rail_unloaded_at_local,
  (case when c.ind_facility_lfd_on is not null or c.ind_facility_lfd_on_local is not null then c.ind_facility_lfd_on else c.pickup_lfd_rail end) at time zone 'UTC' as ind_last_free_day_on,
  substr(case when c.ind_facility_lfd_on is not null or c.ind_facility_lfd_on_local is not null then c.ind_facility_lfd_on_local else c.pickup_lfd_rail_local end || ' 00:00:00', 1, 19) as ind_last_free_day_on_local,
  c.final_destination_full_out_at at time zone 'UTC' as ind_full_out_at,
  substr(c.final_destination_full_out_at_local || ' 00:00:00', 1, 19) as ind_full_out_at_local,
  c.empty_terminated_at at time zone 'UTC' as empty_terminated_at,
  substr(c.empty_terminated_at_local || ' 00:00:00', 1, 19) as empty_terminated_at_local,
  cast(c.fees_at_pod_terminal as text) as fees_at_pod_terminal,
  c.demurrage as demurrage_at_pod_terminal,
  cast(c.holds_at_pod_terminal as text) as holds_at_pod_terminal,
  c.freight_hold as freight_hold_at_pod_terminal,
  c.customs_hold as customs_hold_at_pod_terminal,
  c.usda_hold as usda_hold_at_pod_terminal,
  c.tmf_hold as tmf_hold_at_pod_terminal,
  c.other_hold as other_hold_at_pod_terminal,
  c.location_at_pod_terminal as location_at_pod_terminal,
  case when c.availability_known then 'Yes' when not c.availability_known then 'No' end as availability_known,
  case when c.availability_known then case when c.available_for_pickup then 'Yes' else 'No' end end as available_for_pickup,
  cast(c.equipment_length as integer) as equipment_length,
  case c.equipment_type when 'dry' then 'Dry' when 'reefer' then 'Reefer' when 'open top' then 'Open Top'
    when 'flat rack' then 'Flat Rack' when 'hard top' then 'Hard Top' when 'bulk' then 'Bulk' when 'tank' then 'Tank' else coalesce(c.equipment_type, 'unknown') end as equipment_type,
  case c.equipment_height when 'standard' then 'Standard' when 'high_cube' then 'High Cube' else coalesce(c.equipment_height, 'unknown') end as equipment_height,
  coalesce(cast(c.equipment_length as text) || ' ', '') || case c.equipment_type when 'dry' then 'Dry' when 'reefer' then 'Reefer' when 'open top' then 'Open Top'
    when 'flat rack' then 'Flat Rack' when 'hard top' then 'Hard Top' when 'bulk' then 'Bulk' when 'tank' then 'Tank' else coalesce(c.equipment_type, 'unknown') end || ' ' || case c.equipment_height when 'standard' then 'Standard' when 'high_cube' then 'High Cube' else coalesce(c.equipment_height, 'unknown') end as equipment,
  cast(round(cast(c.weight_in_lbs as numeric)) as integer) as weight_in_lbs,
  c.seal_number as seal_number,
  c.pod_full_out_chassis_number as pod_full_out_chassis_number,
  s.pod_voyage_number as pod_voyage_number,
  s.pod_vessel_name as pod_vessel_name,
  s.pod_vessel_imo as pod_vessel_imo,
  c.terminal_checked_at at time zone 'UTC' as terminal_checked_at,
  s.line_tracking_last_succeeded_at at time zone 'UTC' as line_tracking_last_succeeded_at,
  s.line_tracking_stopped_at at time zone 'UTC' as line_tracking_stopped_at,
  s.line_tracking_stopped_reason as line_tracking_stopped_reason,
  c.created_at at time zone 'UTC' as created_at,
  c.changed_at at time zone 'UTC' as updated_at
from t49.containers c
left join t49.shipments s on s.id = c.shipment_id
left join t49.ports pol on pol.id = s.port_of_lading_id
left join t49.ports pod on pod.id = s.port_of_discharge_id
left join t49.ports ind on ind.id = s.destination_id
left join t49.terminals pt on pt.id = coalesce(c.pod_terminal_id, s.pod_terminal_id)
left join t49.terminals it on it.id = s.destination_terminal_id
where c.deleted_at is null;
create or replace view datasync.tracking_requests as select
  r.id as tracking_request_id,
  r.request_number as request_number,
  r.ref_numbers_text as reference_numbers,
  r.shipment_tags_text as shipment_tags,
  r.status as status,
  r.failed_reason as failed_reason,
  r.request_type as request_type,
  r.scac as scac,
  r.shipment_id as shipment_id,
  r.created_at at time zone 'UTC' as created_at,
  r.updated_at at time zone 'UTC' as updated_at
from t49.tracking_requests r
where r.deleted_at is null;
create or replace view datasync.transport_events as select
  e.id as id,
  e.event as event,
  e.timestamp at time zone 'UTC' as event_timestamp,
  substr(e.timestamp_local || ' 00:00:00', 1, 19) as event_timestamp_local,
  e.container_id as container_id,
  c.number as container_number,
  coalesce(e.shipment_id, c.shipment_id) as shipment_id,
  s.bill_of_lading_number as shipment_number,
  e.location_id as port_metro_id,
  coalesce(e.location_locode, p.code) as port_metro_locode,
  coalesce(p.country_code, substr(coalesce(e.location_locode, p.code), 1, 2)) as port_metro_country_code,
  coalesce(p.city, p.name) as port_metro_city,
  coalesce(e.timezone, p.time_zone) as port_metro_time_zone,
  e.terminal_id as facility_id,
  t.firms_code as facility_firms_code,
  t.nickname as facility_nickname,
  t.name as facility_name,
  e.vessel_id as vessel_id,
  v.name as vessel_name,
  v.imo as vessel_imo,
  v.mmsi as vessel_mmsi,
  e.voyage_number as voyage_number,
  e.data_source as data_source_label,
  e.invalidated_at at time zone 'UTC' as invalidated_at,
  cast(null as text) as invalidation_reason,
  e.previous_version_id as previous_version_id,
  e.created_at at time zone 'UTC' as created_at,
  e.changed_at at time zone 'UTC' as updated_at
from t49.transport_events e
left join t49.containers c on c.id = e.container_id
left join t49.shipments s on s.id = coalesce(e.shipment_id, c.shipment_id)
left join t49.ports p on p.id = e.location_id
left join t49.terminals t on t.id = e.terminal_id
left join t49.vessels v on v.id = e.vessel_id
where e.deleted_at is null and e.event not like 'container.transport.estimated.%';
create or replace view datasync._transfer_status as select
  m.name as data_model_name,
  max(w.page_at) at time zone 'UTC' as transfer_last_updated_at
from (
  select 'shipments' as name, 'shipments' as scope union all
  select 'containers', 'shipments' union all
  select 'containers', 'containers' union all
  select 'tracking_requests', 'tracking_requests' union all
  select 'transport_events', 'containers'
) m
left join t49.walks w on w.scope = m.scope or w.scope like m.scope || '.%'
group by m.name;
