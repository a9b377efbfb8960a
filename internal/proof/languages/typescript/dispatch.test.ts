import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

const simulator = (process.env.T49_API_BASE_URL ?? "http://127.0.0.1:8051/v2").replace("/v2", "/_simulator");

type World = { id: string; token: string; api_base_url: string };
let world: World; // a simulated account of its own for each test

async function control(method: string, path: string, body?: unknown): Promise<any> {
  const headers = { "Content-Type": "application/json", "Simulator-Control": "true" };
  const response = await fetch(simulator + path, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text && JSON.parse(text);
}

const command = (name: string, value: unknown) => control("POST", `/worlds/${world.id}/commands`, { [name]: value });

async function whereIs({ api_base_url, token }: World, number: string): Promise<string> { // the code under test
  const response = await fetch(`${api_base_url}/containers?filter[number]=${number}`, { headers: { Authorization: `Token ${token}` } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const found: any = await response.json();
  const { attributes } = found.data[0];
  if (attributes.final_destination_full_out_at) return "picked up";
  const released = attributes.availability_known !== false && attributes.available_for_pickup === true;
  if (attributes.ind_rail_unloaded_at) return released ? "ready at the ramp" : "at the ramp";
  if (attributes.pod_rail_loaded_at) return "on a train"; // pod_full_out_at is set, too: that is not the pickup
  return attributes.pod_discharged_at ? "at the port" : "at sea";
}

beforeEach(async () => {
  const options = { start: "2026-11-02T17:00:00Z", speed: 0 };
  world = await control("POST", "/worlds", { scenario: "rail-import", options });
});

afterEach(() => control("DELETE", `/worlds/${world.id}`));

test("a container on a train is not picked up", async () => {
  const seen = [await whereIs(world, "CSNU6446113")];
  for (let day = 1; day <= 12; day++) {
    await command("advance", "1d");
    const where = await whereIs(world, "CSNU6446113");
    if (where !== seen.at(-1)) seen.push(where);
  }
  assert.deepEqual(seen, ["at sea", "at the port", "on a train", "at the ramp", "ready at the ramp", "picked up"]);
});

test("a webhook reports the train", async () => {
  const attributes = { url: "https://desk.example/t49", events: ["container.transport.rail_loaded"], active: true };
  const headers = { Authorization: `Token ${world.token}`, "Content-Type": "application/vnd.api+json" };
  await fetch(`${world.api_base_url}/webhooks`, { method: "POST", headers, body: JSON.stringify({ data: { type: "webhook", attributes } }) });
  await command("advance", "5d");
  const { items } = await control("GET", `/worlds/${world.id}/deliveries?event=container.transport.rail_loaded&count=1&wait=10s`);
  assert.equal(items[0].status, 200);
});

test("an outage is an error", async () => {
  await command("fault", { operation: "containers.list", status: 503 });
  await assert.rejects(whereIs(world, "CSNU6446113"), /503/);
});
