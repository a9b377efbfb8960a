import json
import os
import unittest
import urllib.error
import urllib.request

API = os.environ.get("T49_API_BASE_URL", "http://127.0.0.1:8051/v2")
SIMULATOR = API.replace("/v2", "/_simulator")
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # HTTP_PROXY is not for this machine


def call(method, url, body=None, headers={}):
    body = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"} | headers, method=method)
    with DIRECT.open(request) as response:
        return json.loads(response.read() or "null")


def can_be_dispatched(base_url, token, number):  # the code under test
    found = call("GET", f"{base_url}/containers?filter[number]={number}", headers={"Authorization": f"Token {token}"})
    container = found["data"][0]["attributes"]
    owed = any(fee["type"] != "total" for fee in container["fees_at_pod_terminal"])
    released = container["availability_known"] is not False and container["available_for_pickup"] is True  # false and false: not known
    return released and not container["holds_at_pod_terminal"] and not owed


class DispatchTest(unittest.TestCase):
    def setUp(self):  # a simulated account of its own for each test
        options = {"start": "2026-11-02T17:00:00Z", "speed": 0}
        self.world = self.control("POST", "/worlds", {"scenario": "held-and-paid", "options": options})
        self.addCleanup(self.control, "DELETE", f"/worlds/{self.world['id']}")

    def control(self, method, path, body=None):
        return call(method, SIMULATOR + path, body, {"Simulator-Control": "true"})

    def command(self, name, value):
        return self.control("POST", f"/worlds/{self.world['id']}/commands", {name: value})

    def can_be_dispatched(self):
        return can_be_dispatched(self.world["api_base_url"], self.world["token"], "MSKU7183110")

    def test_no_truck_before_release_and_payment(self):
        answers = {}
        for day in range(1, 11):
            self.command("advance", "1d")
            answers[day] = self.can_be_dispatched()
        self.assertEqual([day for day in answers if answers[day]], [9])

    def test_a_webhook_reports_the_hold(self):
        url, token = self.world["api_base_url"], self.world["token"]
        events = {"url": "https://desk.example/t49", "events": ["container.updated"], "active": True}
        call("POST", f"{url}/webhooks", {"data": {"type": "webhook", "attributes": events}},
             {"Authorization": f"Token {token}", "Content-Type": "application/vnd.api+json"})
        self.command("advance", "2d")
        path = f"/worlds/{self.world['id']}/deliveries?event=container.updated&count=1&wait=10s"
        delivered = self.control("GET", path)["items"][0]
        self.assertEqual(delivered["status"], 200)

    def test_an_outage_is_seen(self):
        self.command("fault", {"operation": "containers.list", "status": 503})
        with self.assertRaises(urllib.error.HTTPError) as failed:
            self.can_be_dispatched()
        failed.exception.close()
        self.assertEqual(failed.exception.code, 503)


if __name__ == "__main__":
    unittest.main()
