"""Webhooks, a world that is reset, and worlds side by side."""

import concurrent.futures
import hashlib
import hmac
import http.server
import json
import threading
import unittest

from simulator import World, control, journey

EVENTS = ["container.updated", "container.transport.vessel_arrived", "container.transport.vessel_discharged"]
ARRIVAL = journey(("1h", "vessel_arrived", {}), ("2h", "vessel_discharged", {"spot": "Y4"}), ("3h", "available", {"yes": True}))


def begin(world, url=None):
    """Subscribes a webhook and begins the journey of an arrival. Returns the webhook."""
    if url:  # the service refuses one without TLS, a command does not
        webhook = world.get("/webhooks/" + world.do("add_webhook", {"url": url, "events": EVENTS})["id"])["data"]
    else:
        webhook = world.create("/webhooks", "webhook", url="https://receiver.example/webhooks", events=EVENTS, active=True)
    world.do("begin", {"number": "MAEU240711002", "journey": ARRIVAL})
    world.advance("1m")
    return webhook


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers 500 to the first delivery, and keeps the bodies of the others."""

    received, failures = [], 1

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if Receiver.failures > 0:
            Receiver.failures -= 1
            self.send_response(500)
        else:
            Receiver.received.append((body, self.headers["X-T49-Webhook-Signature"]))
            self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Webhooks(unittest.TestCase):
    def signed(self, webhook, body, signature):
        expected = hmac.new(webhook["attributes"]["secret"].encode(), body, hashlib.sha256).hexdigest()
        self.assertEqual(expected, signature)

    def test_19_a_delivery_is_expected_held_and_sent_again(self):
        with World() as world:
            webhook = begin(world)
            world.advance("1h")
            arrived = world.wait("deliveries", event="container.transport.vessel_arrived", webhook=webhook["id"])[0]
            self.assertEqual((200, 1), (arrived["status"], arrived["attempt"]))
            document = json.loads(arrived["body"])
            self.assertEqual("container.transport.vessel_arrived", document["data"]["attributes"]["event"])
            self.signed(webhook, arrived["body"].encode(), arrived["headers"]["X-T49-Webhook-Signature"][0])

            world.do("hold_webhooks", {})
            world.advance("1h")
            self.assertEqual([], world.list("deliveries", event="container.transport.vessel_discharged"))
            self.assertEqual(1, len(world.list("notifications", event="container.transport.vessel_discharged")))
            world.do("release_webhooks", {})
            discharged = world.wait("deliveries", event="container.transport.vessel_discharged")[0]
            world.do("redeliver", {"id": discharged["notification"]})
            both = world.wait("deliveries", event="container.transport.vessel_discharged", count=2)
            self.assertEqual([discharged["body"]] * 2, [d["body"] for d in both])

        # The same to a receiver of the test, whose first answer is an error.
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever).start()
        try:
            with World(webhooks="deliver") as world:
                webhook = begin(world, f"http://127.0.0.1:{server.server_port}/webhooks")
                world.advance("1h")
                attempts = world.wait("deliveries", event="container.transport.vessel_arrived")
                self.assertEqual(500, attempts[0]["status"])
                world.advance("1m")
                attempts = world.wait("deliveries", event="container.transport.vessel_arrived", count=2)
                self.assertEqual([(1, 500), (2, 200)], [(a["attempt"], a["status"]) for a in attempts])
                self.signed(webhook, *Receiver.received[-1])
        finally:
            server.shutdown()
            server.server_close()


class Worlds(unittest.TestCase):
    def test_20_a_world_is_reset_and_others_go_on(self):
        with World(scenario="held-and-paid") as world, World() as other:
            begun = world.now(), world.resources()
            begin(world)
            begin(other)
            world.do("seed_demo", {})
            world.do("fault", {"operation": "shipments.get", "status": 503, "times": 2})
            for w in (world, other):
                w.advance("40d")
            self.assertNotEqual(begun[1], world.resources())
            self.assertEqual(204, world.control("POST", "/reset", b"").status)
            self.assertEqual(begun, (world.now(), world.resources()))
            self.assertEqual([], world.list("faults"))
            self.assertNotEqual([], other.get("/containers")["data"])

    def test_21_worlds_run_side_by_side(self):
        def story(n):
            with World() as world:
                begin(world)
                world.advance(f"{n}d")
                world.wait("deliveries", event="container.transport.vessel_discharged")
                others = control("GET", "/worlds").json()["worlds"]
                self.assertIn(world.id, [w["id"] for w in others])
                self.assertNotIn(world.token, json.dumps(others))
                number = world.get("/containers")["data"][0]["attributes"]["number"]
                return number, world.now(), world

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for n, (number, now, world) in enumerate(pool.map(story, range(1, 17)), 1):
                self.assertEqual(("MSKU7182047", f"2026-03-{2 + n:02}T15:01:00Z"), (number, now))
                self.assertEqual(401, world.request("GET", "/containers").status)  # it was dropped
                self.assertEqual(404, world.control("GET", "/clock").status)
        with World() as world:
            taken = control("POST", "/worlds", {"id": world.id})
            self.assertEqual(409, taken.status)
        self.assertEqual(403, control("DELETE", "/worlds/default").status)


if __name__ == "__main__":
    unittest.main()
