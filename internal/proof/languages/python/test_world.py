"""Clock, journeys, scenarios and data of a world."""

import base64
import hashlib
import unittest

from simulator import ORIGIN, TOKEN, CommandError, World, control, journey, send


class Ready(unittest.TestCase):
    def test_01_says_when_it_is_ready(self):
        ready = control("GET", "", headers={}).json()
        self.assertEqual(("terminal49", 1), (ready["simulator"], ready["version"]))
        self.assertIn("default", ready["worlds"])
        shipments = send("GET", ORIGIN + "/v2/shipments", headers={"Authorization": f"Token {TOKEN}"})
        self.assertEqual(200, shipments.status)


class Clock(unittest.TestCase):
    def test_02_stands_still_until_a_test_moves_it(self):
        with World(start="2026-03-02T15:00:00Z") as world:
            self.assertEqual("2026-03-02T15:00:00Z", world.now())
            self.assertEqual("2026-03-05T03:00:00Z", world.advance("2.5d")["now"])
            world.do("set_clock", "2026-04-01T00:00:00Z")
            self.assertEqual("2026-04-01T00:00:00Z", world.now())
            with self.assertRaises(CommandError) as refused:
                world.do("set_clock", "2026-03-31T00:00:00Z")
            self.assertEqual("set_clock", refused.exception.error["command"])
            self.assertEqual("2026-04-01T00:00:00Z", world.now())

    def test_03_runs_at_a_speed_and_pauses(self):
        with World() as world:
            world.do("speed", 3600)
            self.assertEqual(3600, world.control("GET", "/clock").json()["speed"])
            world.do("pause", {})
            stopped = world.now()
            self.assertGreater(stopped, "2026-03-02T15:00:00Z")
            self.assertEqual(0, world.control("GET", "/clock").json()["speed"])
            self.assertEqual(stopped, world.now())
            world.do("resume", {})
            self.assertEqual(3600, world.control("GET", "/clock").json()["speed"])


class Journeys(unittest.TestCase):
    def test_04_a_journey_runs_as_the_clock_does(self):
        with World() as world:
            world.do("script", {"number": "MAEU240711002", "journey": journey(
                ("24h", "vessel_loaded", {}),
                ("48h", "vessel_departed", {"sailing": "14d"}),
                ("16d", "vessel_arrived", {}),
                ("17d", "vessel_discharged", {"spot": "Y4-117-C"}),
                ("18d", "hold_placed", {"hold": {"name": "customs", "description": "CBP HOLD"}}),
                ("18d", "pickup_lfd", {"source": "terminal", "days": 5}),
                ("19d", "hold_cleared", {"name": "customs"}),
                ("20d", "available", {"yes": True}),
                ("21d", "full_out", {"chassis": "TSXZ412873"}),
            )})
            request = world.track("MAEU240711002")
            self.assertEqual("pending", request["attributes"]["status"])
            world.advance("1m")
            self.assertEqual("created", world.get(f"/tracking_requests/{request['id']}")["data"]["attributes"]["status"])

            world.advance("3d")
            shipment = world.get("/shipments")["data"][0]["attributes"]
            self.assertEqual("CNSHA", shipment["port_of_lading_locode"])
            self.assertEqual("2026-03-04", shipment["pol_atd_at"][:10])
            self.assertEqual("2026-03-18", shipment["pod_eta_at"][:10])

            world.advance("15d6h")
            container = world.container("MSKU7182047")
            self.assertEqual("Y4-117-C", container["location_at_pod_terminal"])
            self.assertEqual(["customs"], [hold["name"] for hold in container["holds_at_pod_terminal"]])
            self.assertEqual("2026-03-25T07:00:00Z", container["pickup_lfd"])  # midnight in Los Angeles
            world.advance("2d")
            container = world.container("MSKU7182047")
            self.assertTrue(container["available_for_pickup"])
            self.assertEqual([], container["holds_at_pod_terminal"])
            world.advance("1d")
            self.assertEqual("TSXZ412873", world.container("MSKU7182047")["pod_full_out_chassis_number"])

    def test_05_begin_scripts_and_tracks_and_a_step_happens_now(self):
        with World() as world:
            world.do("begin", {"number": "MAEU240711002", "journey": journey(
                ("0s", "vessel_arrived", {}), ("1h", "vessel_discharged", {"spot": "Y4"}))})
            world.advance("2h")
            before = world.container("MSKU7182047")
            self.assertEqual([], before["holds_at_pod_terminal"])
            world.do("step", {"container": "MSKU7182047", "action": {"do": "hold_placed", "hold": {"name": "freight"}}})
            world.do("step", {"container": "MSKU7182047", "action": {"do": "fee_posted", "fee": {"type": "demurrage", "amount": 185}}})
            after = world.container("MSKU7182047")
            self.assertEqual([("freight", "hold")], [(h["name"], h["status"]) for h in after["holds_at_pod_terminal"]])
            self.assertEqual([("demurrage", 185.0)], [(f["type"], float(f["amount"])) for f in after["fees_at_pod_terminal"]])
            events = world.get("/containers/" + world.get("/containers")["data"][0]["id"] + "/transport_events")["data"]
            self.assertIn("container.transport.vessel_discharged", [e["attributes"]["event"] for e in events])

    def test_06_a_number_that_the_carrier_does_not_know_fails(self):
        with World() as world:
            world.do("script", {"number": "MAEU240711003", "journey": {"outcome": "failed", "failed_reason": "not_found"}})
            request = world.track("MAEU240711003")
            world.advance("1m")
            failed = world.get(f"/tracking_requests/{request['id']}")["data"]["attributes"]
            self.assertEqual(("failed", "not_found"), (failed["status"], failed["failed_reason"]))

    def test_07_a_scenario_begins_a_world(self):
        with World(scenario="rail-import") as world:
            seen = set()
            for _ in range(60):
                world.advance("1d")
                for container in world.get("/containers")["data"]:
                    if container["attributes"]["pod_rail_departed_at"] and not container["attributes"]["ind_ata_at"]:
                        seen.add("on rail")
                    if container["attributes"]["ind_rail_unloaded_at"]:
                        seen.add("at the ramp")
            self.assertEqual({"on rail", "at the ramp"}, seen)


class Data(unittest.TestCase):
    def test_08_resources_are_added_updated_and_removed(self):
        with World() as world:
            shipment, other = (result["id"] for result in world.run(
                {"add_shipment": {"bill_of_lading_number": "MAEU1", "shipping_line": "MAEU", "port_of_discharge": "USLAX"}},
                {"add_shipment": {"bill_of_lading_number": "MAEU2", "shipping_line": "MAEU", "port_of_discharge": "USLAX"}},
            ))
            kept = world.do("add_container", {"shipment": shipment, "number": "MSKU7182047", "available_for_pickup": False, "availability_known": True})["id"]
            gone = world.do("add_container", {"shipment": other, "number": "MSKU7182410"})["id"]
            world.do("update_container", {"id": kept, "set": {"available_for_pickup": True, "import_deadlines": {"pickup_lfd_line": "2026-03-09T08:00:00Z"}}})
            container = world.get("/containers/" + kept)["data"]["attributes"]
            self.assertTrue(container["available_for_pickup"])
            self.assertEqual("2026-03-09T08:00:00Z", container["pickup_lfd"])
            world.do("remove_container", {"id": gone})
            self.assertEqual(404, world.request("GET", "/containers/" + gone).status)
            world.do("merge_shipments", {"from": other, "into": shipment})
            self.assertEqual([shipment], [s["id"] for s in world.get("/shipments")["data"]])
            world.do("seed_demo", {})
            self.assertEqual(7, len(world.get("/shipments")["data"]))

    def test_09_a_document_is_uploaded_read_and_linked(self):
        with World() as world:
            shipment = world.do("add_shipment", {"bill_of_lading_number": "MAEU240711002", "shipping_line": "MAEU"})["id"]
            world.do("script_document", {"file_name": "an.pdf", "script": {"document_type": "arrival_notice", "classified_after": "1m", "extracted_after": "1m"}})
            file = b"MAEU240711002\n"
            blob = world.request("POST", world.base_url.removesuffix("/v2") + "/rails/active_storage/direct_uploads", {"blob": {
                "filename": "an.pdf", "content_type": "application/pdf", "byte_size": len(file),
                "checksum": base64.b64encode(hashlib.md5(file).digest()).decode(),
            }}).json()
            put = send("PUT", blob["direct_upload"]["url"], file, blob["direct_upload"]["headers"])
            self.assertIn(put.status, (200, 201, 204))
            document = world.create("/documents", "document", name="Arrival notice", attached_document=blob["signed_id"])
            world.advance("5m")
            read = world.get("/documents/" + document["id"])["data"]
            self.assertEqual("arrival_notice", read["attributes"]["document_type"])
            self.assertIn(shipment, str(read["relationships"]))
            address = world.get(f"/documents/{document['id']}/download_url")["download_url"]
            self.assertEqual(file, send("GET", address).body)

    def test_10_custom_fields(self):
        with World() as world:
            container = world.do("add_container", {"number": "MSKU7182047"})["id"]
            world.run(
                {"add_custom_field_definition": {"entity_type": "Container", "api_slug": "incoterm", "display_name": "Incoterm"}},
                {"add_custom_field": {"entity": container, "api_slug": "incoterm", "value": "fob"}},
            )
            values = world.get(f"/containers/{container}/custom_fields")["data"]
            self.assertEqual(["fob"], [v["attributes"]["value"] for v in values])
            changed = world.request("PATCH", f"/containers/{container}/custom_fields/incoterm",
                                    {"data": {"type": "custom_field", "attributes": {"value": "cif"}}})
            self.assertEqual(200, changed.status)
            with self.assertRaises(CommandError):
                world.do("add_custom_field", {"entity": container, "api_slug": "incoterms", "value": "fob"})

    def test_11_lists_have_pages(self):
        with World() as world:
            world.run(*({"add_container": {"number": f"MSKU{n:07}"}} for n in range(75)))
            numbers, url = [], world.base_url + "/containers?page[size]=30"
            pages = 0
            while url:
                page = world.get(url)
                numbers += [c["attributes"]["number"] for c in page["data"]]
                url, pages = page["links"].get("next"), pages + 1
            self.assertEqual((3, 75, 75), (pages, len(numbers), len(set(numbers))))


if __name__ == "__main__":
    unittest.main()
