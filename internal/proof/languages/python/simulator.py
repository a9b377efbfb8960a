"""What the cases use of the simulator: plain HTTP, and nothing but the standard library."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = os.environ["T49_API_BASE_URL"]  # as t49 simulator prints it
TOKEN = os.environ["T49_API_TOKEN"]
ORIGIN = BASE_URL.removesuffix("/v2")
CONTROL = {"Content-Type": "application/json", "Simulator-Control": "true"}


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def lines(self):
        return [json.loads(line) for line in self.body.splitlines()]


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirects)


def send(method, url, body=None, headers=None, timeout=60):
    """Sends one request. A body that is no bytes is sent as JSON."""
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    request = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
    try:
        with opener.open(request, timeout=timeout) as answer:
            return Response(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as answer:
        with answer:
            return Response(answer.code, answer.headers, answer.read())


def control(method, path, body=None, headers=CONTROL, **query):
    query = {name: value for name, value in query.items() if value is not None}
    if query:
        path += "?" + urllib.parse.urlencode(query, doseq=True)
    return send(method, ORIGIN + "/_simulator" + path, body, headers)


class CommandError(Exception):
    """A command that the simulator refused."""

    def __init__(self, response):
        self.status = response.status
        document = response.json()
        self.error, self.results = document["error"], document.get("results", [])
        super().__init__(self.error)


class World:
    """A simulated account, for one test. Its clock stands still unless a test moves it."""

    def __init__(self, scenario=None, **options):
        options = {"seed": 1, "start": "2026-03-02T15:00:00Z", "speed": 0} | options
        body = {"options": options} | ({"scenario": scenario} if scenario else {})
        created = control("POST", "/worlds", body)
        if created.status != 201:
            raise CommandError(created)
        world = created.json()
        self.id, self.token, self.base_url = world["id"], world["token"], world["api_base_url"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.drop()

    def drop(self):
        return control("DELETE", f"/worlds/{self.id}")

    # Control

    def control(self, method, path, body=None, **query):
        return control(method, f"/worlds/{self.id}{path}", body, **query)

    def run(self, *commands):
        """Runs commands and returns their results."""
        lines = "\n".join(json.dumps(command) for command in commands)
        response = self.control("POST", "/commands", lines.encode())
        if response.status != 200:
            raise CommandError(response)
        return response.json()["results"]

    def do(self, command, argument):
        """Runs one command and returns its result."""
        return self.run({command: argument})[0]

    def advance(self, duration):
        return self.do("advance", duration)

    def now(self):
        return self.control("GET", "/clock").json()["now"]

    def wait(self, log, count=1, wait="20s", **query):
        """Returns the entries of a log, once there are as many that match."""
        response = self.control("GET", "/" + log, count=count, wait=wait, **query)
        if response.status != 200:
            raise AssertionError(f"{response.status}: {response.body[:2000]}")
        return response.json()["items"]

    def list(self, log, **query):
        return self.control("GET", "/" + log, **query).json()["items"]

    def resources(self, *types):
        return self.control("GET", "/resources", type=types or None).body

    # The service

    def request(self, method, path, body=None, **query):
        url = path if path.startswith("http") else self.base_url + path
        if query:
            url += "?" + urllib.parse.urlencode(query)
        headers = {"Authorization": f"Token {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/vnd.api+json"
        return send(method, url, body, headers)

    def get(self, path, **query):
        response = self.request("GET", path, **query)
        if response.status != 200:
            raise AssertionError(f"{path}: {response.status}: {response.body[:2000]}")
        return response.json()

    def create(self, path, type, **attributes):
        response = self.request("POST", path, {"data": {"type": type, "attributes": attributes}})
        if response.status not in (200, 201):
            raise AssertionError(f"{path}: {response.status}: {response.body[:2000]}")
        return response.json()["data"]

    def track(self, number, scac="MAEU", type="bill_of_lading"):
        return self.create("/tracking_requests", "tracking_request", request_type=type, request_number=number, scac=scac)

    def container(self, number):
        """Returns the attributes of the container with a number."""
        found = [c for c in self.get("/containers")["data"] if c["attributes"]["number"] == number]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} containers have the number {number}")
        return found[0]["attributes"]


def journey(*steps, number="MSKU7182047", **more):
    """Returns the journey of a shipment from Shanghai to Los Angeles with one container."""
    return {
        "shipment": {
            "shipping_line": "MAEU", "port_of_lading": "CNSHA", "port_of_discharge": "USLAX",
        },
        "containers": [{"number": number}],
        "steps": [{"after": after, "do": do} | parameters for after, do, parameters in steps],
    } | more
