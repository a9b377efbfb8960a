"""Faults, limits, mistakes of a test, and what a web page must not do."""

import http.client
import json
import unittest
import urllib.error

from simulator import CONTROL, ORIGIN, CommandError, World, control, send


class Faults(unittest.TestCase):
    def test_12_a_request_fails_as_often_as_the_fault_says(self):
        with World() as world:
            shipment = world.do("add_shipment", {"bill_of_lading_number": "MAEU1"})["id"]
            world.do("fault", {"operation": "shipments.get", "status": 503, "times": 3, "retry_after": "30s"})
            for _ in range(2):
                failed = world.request("GET", "/shipments/" + shipment)
                self.assertEqual((503, "30"), (failed.status, failed.headers["Retry-After"]))
            self.assertEqual(200, world.request("GET", "/shipments").status)  # another operation
            set_now = world.list("faults")
            self.assertEqual([("shipments.get", 1)], [(f["operation"], f["times"]) for f in set_now])
            world.do("clear_faults", {})
            self.assertEqual([], world.list("faults"))
            self.assertEqual(200, world.request("GET", "/shipments/" + shipment).status)

    def test_13_connections_and_bodies_break(self):
        with World() as world:
            shipment = world.do("add_shipment", {"bill_of_lading_number": "MAEU1"})["id"]
            get = lambda: world.request("GET", "/shipments/" + shipment)
            world.do("fault", {"operation": "shipments.get", "kind": "drop"})
            self.assertRaises((urllib.error.URLError, ConnectionError, http.client.HTTPException), get)
            world.do("fault", {"operation": "shipments.get", "kind": "truncate"})
            self.assertRaises(http.client.IncompleteRead, get)
            world.do("fault", {"operation": "shipments.get", "kind": "malformed json"})
            self.assertRaises(json.JSONDecodeError, get().json)
            world.do("fault", {"operation": "shipments.get", "kind": "members", "members": {"links": {"self": "elsewhere"}}})
            self.assertEqual({"self": "elsewhere"}, get().json()["links"])
            # The response is lost, but the service has the request.
            world.do("fault", {"operation": "tracking_requests.create", "status": 502, "acted": True})
            lost = world.request("POST", "/tracking_requests", {"data": {"type": "tracking_request", "attributes": {
                "request_type": "bill_of_lading", "request_number": "MAEU240711002", "scac": "MAEU"}}})
            self.assertEqual(502, lost.status)
            self.assertEqual(1, len(world.get("/tracking_requests")["data"]))

    def test_14_the_rate_limit_is_the_worlds_own(self):
        with World(rate_limits={"default": 3}) as limited, World() as free:
            statuses = [limited.request("GET", "/containers").status for _ in range(4)]
            self.assertEqual([200, 200, 200, 429], statuses)
            refused = limited.request("GET", "/containers")
            self.assertGreater(int(refused.headers["Retry-After"]), 0)
            self.assertEqual(200, free.request("GET", "/containers").status)


class Records(unittest.TestCase):
    def test_15_requests_and_violations_are_listed(self):
        with World() as world:
            world.request("GET", "/containers", sort="weight")
            world.request("GET", "/shipments/unknown")
            found = world.list("violations")
            self.assertEqual(["containers.list"], [v["operation"] for v in found])
            self.assertIn("sort", found[0]["problem"])
            failed = world.wait("requests", operation="shipments.get", status=404)
            self.assertEqual(("GET", "/v2/shipments/unknown"), (failed[0]["method"], failed[0]["path"]))
            page = world.control("GET", "/requests").json()
            self.assertEqual(2, len(page["items"]))
            self.assertEqual([], world.list("requests", after=page["next"]))
            self.assertNotIn(world.token, json.dumps(page))
            waited = world.control("GET", "/requests", operation="webhooks.list", count=1, wait="10ms")
            self.assertEqual(408, waited.status)


class Mistakes(unittest.TestCase):
    def test_16_an_error_names_the_line_and_the_member(self):
        with World() as world:
            with self.assertRaises(CommandError) as refused:
                world.run({"add_party": {"company_name": "Harbor"}}, {"advance": "1h"}, {"fault": {"operation": "shipments.get", "stauts": 503}})
            self.assertEqual(422, refused.exception.status)
            error = refused.exception.error
            self.assertEqual((3, "fault", "stauts"), (error["line"], error["command"], error["member"]))
            self.assertIn("status", error["message"])
            self.assertEqual(2, len(refused.exception.results))
            self.assertEqual("2026-03-02T16:00:00Z", world.now())
            for body, about in {
                b'{"advanced": "1h"}': "advance", b'{"advance": "soon"}': "36h", b'{"advance": "1h"': "", b'["advance"]': "",
                b'{"advance": "1h", "pause": {}}': "", b'{"advance": "-1h"}': "", b'{"fault": {"operation": "shipment.get"}}': "shipments.get",
                b'{"advance": ' + b"[" * 100_000: "",
            }.items():
                response = world.control("POST", "/commands", body)
                self.assertEqual(422, response.status, body[:80])
                self.assertIn(about, response.json()["error"]["message"])
                self.assertEqual(1, response.json()["error"]["line"])

    def test_17_web_pages_and_other_hosts_are_refused(self):
        with World() as world:
            url = f"{ORIGIN}/_simulator/worlds/{world.id}"
            advance = b'{"advance": "1h"}'
            for changed in (
                {"Simulator-Control": None}, {"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"},
                {"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
            ):
                headers = {name: value for name, value in (CONTROL | changed).items() if value is not None}
                refused = send("POST", url + "/commands", advance, headers)
                self.assertIn(refused.status, (403, 415), changed)
                self.assertNotIn(world.token.encode(), refused.body)
            for changed in ({"Host": "evil.example:80"}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
                self.assertEqual(403, send("GET", url + "/clock", headers=changed).status, changed)
            self.assertEqual(403, send("DELETE", url, headers={"Content-Type": "application/json"}).status)
            self.assertEqual("2026-03-02T15:00:00Z", world.now())

    def test_18_the_schema_names_every_command_of_these_cases(self):
        schema = json.dumps(control("GET", "/schema").json())
        for command in (
            "advance", "set_clock", "speed", "pause", "resume", "script", "begin", "step", "track", "fault", "clear_faults", "add_container",
            "update_container", "remove_container", "merge_shipments", "redeliver", "hold_webhooks", "release_webhooks", "seed_demo",
        ):
            self.assertIn(f'"{command}"', schema)
        self.assertEqual(404, control("GET", "/nowhere").status)
        self.assertEqual(404, control("GET", "/worlds/nobody/clock").status)


if __name__ == "__main__":
    unittest.main()
