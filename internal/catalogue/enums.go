package catalogue

// Enums returns the known values of the attributes for which the library has named constants, or
// lists them in the comment of the field.
func Enums() []Enum {
	return append(append(customFieldEnums(), documentEnums()...), []Enum{
		{"shipment.line_tracking_stopped_reason", []string{
			"all_containers_terminated", "past_arrival_window", "past_full_out_window", "no_updates_at_line",
			"cancelled_by_user", "booking_cancelled", "account_closed",
		}},

		{"container.current_status", []string{
			"new", "loaded", "on_ship", "grounded", "available", "not_available", "awaiting_inland_transfer",
			"on_rail", "off_dock", "picked_up", "dropped", "delivered", "empty_returned",
		}},
		{"container.equipment_type", []string{
			"dry", "reefer", "open top", "hard top", "flat rack", "bulk", "tank",
		}},
		{"container.equipment_length", []string{"10", "20", "40", "45", "50"}},
		{"container.equipment_height", []string{"standard", "high_cube"}},
		{"container.holds_at_pod_terminal.name", []string{
			"freight", "customs", "USDA", "VACIS", "TMF", "line", "other",
		}},
		{"container.holds_at_pod_terminal.status", []string{"hold", "pending"}},
		{"container.fees_at_pod_terminal.type", []string{
			"demurrage", "extended_dwell_time", "exam", "total", "other",
		}},

		{"tracking_request.request_type", []string{"bill_of_lading", "booking_number", "container"}},
		{"tracking_request.status", []string{
			"pending", "awaiting_manifest", "created", "failed", "tracking_stopped",
		}},
		{"tracking_request.failed_reason", []string{
			"unrecognized_response", "shipping_line_unreachable", "internal_processing_error", "awaiting_manifest",
			"duplicate", "expired", "retries_exhausted", "not_found", "invalid_number", "booking_cancelled",
			"data_unavailable", "scac_auto_detect_failed",
		}},

		{"infer_number_results.number_type", []string{"container", "bill_of_lading", "booking"}},
		{"infer_number_results.validation.type", []string{"container", "shipment"}},
		{"infer_number_results.shipping_line.decision", []string{
			"auto_select", "needs_confirmation", "no_prediction",
		}},

		{"transport_event.event", append(transportEvents(), "container.ssl_lfd.changed")},
		{"transport_event.data_source", []string{
			"shipping_line", "terminal", "rail", "ais", "t49_calculation", "t49_operations_team", "user_input",
		}},
		{"raw_event.event", rawEvents()},

		{"terminal.facility_type", []string{"ocean_terminal", "rail"}},

		{"webhook.events", webhookEvents()},
		{"webhook_notification.event", webhookEvents()},
		{"webhook_notification.delivery_status", []string{"pending", "succeeded", "failed"}},
		{"estimated_event.event", []string{"shipment.estimated.arrival"}},
		{"estimated_event.data_source", []string{"shipping_line", "terminal"}},
		{"container_updated_event.data_source", []string{"terminal"}},
		{"container_pod_terminal_changed_event.data_source", []string{"shipping_line", "terminal", "pierpass"}},

		{"party_role.role", []string{
			"shipper", "consignee", "notify_party", "customs_broker", "customer", "freight_forwarder", "pickup_dray_carrier",
		}},
		{"credential.kind", []string{"api_key", "user"}},
		{"credential.features", []string{
			"data_out_api", "custom_fields", "routing_data", "rail_data", "stop_tracking", "trade_intel",
		}},
		{"credential.features.status", []string{
			"available", "requires_paid_plan", "requires_user_credential", "not_enabled",
		}},
		{"account.plan", []string{"free_plan", "in_trial", "customer", "locked", "churned"}},

		{"search_result.entity_type", []string{"shipment", "cargo", "tracking_request"}},
	}...)
}

func transportEvents() []string {
	return []string{
		"container.transport.empty_out",
		"container.transport.full_in",
		"container.transport.vessel_loaded",
		"container.transport.vessel_departed",
		"container.transport.transshipment_arrived",
		"container.transport.transshipment_discharged",
		"container.transport.transshipment_loaded",
		"container.transport.transshipment_departed",
		"container.transport.feeder_arrived",
		"container.transport.feeder_discharged",
		"container.transport.feeder_loaded",
		"container.transport.feeder_departed",
		"container.transport.vessel_arrived",
		"container.transport.vessel_berthed",
		"container.transport.vessel_discharged",
		"container.transport.available",
		"container.transport.not_available",
		"container.transport.full_out",
		"container.transport.delivered",
		"container.transport.empty_in",
		"container.transport.rail_loaded",
		"container.transport.rail_departed",
		"container.transport.rail_arrived",
		"container.transport.rail_unloaded",
		"container.transport.arrived_at_inland_destination",
		"container.transport.estimated.vessel_departed",
		"container.transport.estimated.vessel_arrived",
		"container.transport.estimated.arrived_at_inland_destination",
		"container.pickup_lfd.changed",
		"container.pickup_lfd_line.changed",
		"container.pickup_lfd_terminal.changed",
		"container.pickup_lfd_rail.changed",
		"container.pickup_appointment.changed",
	}
}

func rawEvents() []string {
	return []string{
		"empty_out", "full_in", "positioned_in", "positioned_out",
		"vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged",
		"transshipment_arrived", "transshipment_discharged", "transshipment_loaded", "transshipment_departed",
		"feeder_arrived", "feeder_discharged", "feeder_loaded", "feeder_departed",
		"rail_loaded", "rail_departed", "rail_arrived", "rail_unloaded",
		"arrived_at_destination", "available", "delivered", "full_out", "empty_in",
		"vgm_received", "carrier_release", "customs_release",
	}
}
