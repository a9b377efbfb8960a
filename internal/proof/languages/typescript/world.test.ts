import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { CommandError, World, baseURL, control, journey, origin, token, withWorlds } from "./simulator.js";

const concurrency = 4;

test("1 says when it is ready", async () => {
  const ready = (await (await fetch(origin + "/_simulator")).json()) as { simulator: string; version: number; worlds: string[] };
  assert.deepEqual([ready.simulator, ready.version], ["terminal49", 1]);
  assert.ok(ready.worlds.includes("default"));
  const shipments = await fetch(baseURL + "/shipments", { headers: { Authorization: `Token ${token}` } });
  assert.equal(shipments.status, 200);
});

describe("clock", { concurrency }, () => {
  test("2 stands still until a test moves it", withWorlds(1, async (world) => {
    assert.deepEqual(await world.clock(), { now: "2026-03-02T15:00:00Z", speed: 0 });
    assert.equal((await world.advance("36h")).now, "2026-03-04T03:00:00Z");
    await world.do("set_clock", "2026-04-01T00:00:00Z");
    await assert.rejects(world.do("set_clock", "2026-03-31T00:00:00Z"), CommandError);
    assert.equal((await world.clock()).now, "2026-04-01T00:00:00Z");
  }));

  test("3 runs, and pauses", withWorlds(1, async (world) => {
    await world.run({ speed: 86400 }, { pause: {} });
    const { now } = await world.clock();
    assert.ok(now > "2026-03-02T15:00:00Z");
    assert.deepEqual(await world.clock(), { now, speed: 0 });
    await world.do("resume", {});
    assert.equal((await world.clock()).speed, 86400);
  }));
});

describe("journeys", { concurrency }, () => {
  test("4 a shipment is found, arrives and is picked up", withWorlds(1, async (world) => {
    await world.do("script", { number: "MAEU240711002", journey: journey(
      ["24h", "vessel_loaded"],
      ["2d", "vessel_departed", { sailing: "14d" }],
      ["16d", "vessel_arrived"],
      ["17d", "vessel_discharged", { spot: "Y4-117-C" }],
      ["18d", "pickup_lfd", { source: "terminal", days: 5 }],
      ["19d", "available", { yes: true }],
      ["21d", "full_out", { chassis: "TSXZ412873" }],
    ) });
    const id = await world.track("MAEU240711002");
    await world.advance("1m");
    const { data } = await world.get("/tracking_requests/{id}", undefined, id);
    assert.equal(data!.attributes!.status, "created");
    await world.advance("3d");
    const shipment = (await world.get("/shipments")).data![0]!.attributes!;
    assert.equal(shipment.port_of_discharge_locode, "USLAX");
    assert.equal(shipment.pod_eta_at!.slice(0, 10), "2026-03-18");
    await world.advance("17d");
    const { attributes } = await world.container();
    assert.equal(attributes!.location_at_pod_terminal, "Y4-117-C");
    assert.equal(attributes!.available_for_pickup, true);
    assert.equal(attributes!.pickup_lfd, "2026-03-25T07:00:00Z"); // midnight in Los Angeles
    await world.advance("2d");
    assert.ok((await world.container()).attributes!.pod_full_out_at);
  }));

  test("5 steps happen now", withWorlds(1, async (world) => {
    await world.do("begin", { number: "MAEU240711002", journey: journey(["0s", "vessel_arrived"], ["1h", "vessel_discharged", { spot: "Y4" }]) });
    await world.advance("2h");
    const step = (action: object) => world.do("step", { container: "MSKU7182047", action });
    await step({ do: "hold_placed", hold: { name: "customs", description: "CBP HOLD" } });
    await step({ do: "fee_posted", fee: { type: "demurrage", amount: 185 } });
    const { attributes } = await world.container();
    assert.equal(attributes!.holds_at_pod_terminal![0]!.name, "customs");
    assert.equal(attributes!.fees_at_pod_terminal![0]!.type, "demurrage");
    await step({ do: "hold_cleared", name: "customs" });
    assert.deepEqual((await world.container()).attributes!.holds_at_pod_terminal, []);
  }));

  test("6 a number without a manifest waits for it", withWorlds(1, async (world) => {
    await world.do("script", { number: "MAEU240711003", journey: { outcome: "awaiting_manifest", manifest_after: "1d" } });
    const id = await world.track("MAEU240711003");
    const status = async () => (await world.get("/tracking_requests/{id}", undefined, id)).data!.attributes!.status;
    await world.advance("1m");
    assert.equal(await status(), "awaiting_manifest");
    await world.advance("3d");
    assert.equal(await status(), "created");
  }));

  test("7 the scenario of a container that is held and paid", withWorlds(1, async (world) => {
    const held = new Set<string>(), owed = new Set<number>();
    for (let day = 0; day < 60; day++) {
      await world.advance("1d");
      for (const { attributes } of (await world.get("/containers")).data!) {
        for (const hold of attributes!.holds_at_pod_terminal ?? []) held.add(hold.name!);
        for (const fee of attributes!.fees_at_pod_terminal ?? []) if (fee.type === "demurrage") owed.add(Number(fee.amount));
      }
    }
    assert.ok(held.size > 0);
    assert.ok(owed.size > 0);
  }, {}, "held-and-paid"));
});

describe("data", { concurrency }, () => {
  test("8 is added, updated and removed", withWorlds(1, async (world) => {
    const [shipment] = await world.run({ add_shipment: { bill_of_lading_number: "MAEU1", shipping_line: "MAEU", port_of_discharge: "USLAX" } });
    const { id } = await world.do("add_container", { shipment: shipment!.id, number: "MSKU7182047" });
    await world.do("update_container", { id, set: { available_for_pickup: true, availability_known: true } });
    const { data, included } = await world.get("/containers/{id}", { include: "shipment" }, id);
    assert.equal(data!.attributes!.available_for_pickup, true);
    assert.equal(included![0]!.id, shipment!.id);
    await world.do("remove_container", { id });
    assert.equal((await world.request("GET", "/containers/" + id)).status, 404);
  }));

  test("9 documents are uploaded, read and found again", withWorlds(1, async (world) => {
    const file = Buffer.from("MAEU240711002\n");
    const blob = (await (await world.request("POST", new URL("/rails/active_storage/direct_uploads", world.baseURL).href, { blob: {
      filename: "an.pdf", content_type: "application/pdf", byte_size: file.length, checksum: createHash("md5").update(file).digest("base64"),
    } })).json()) as { signed_id: string; direct_upload: { url: string; headers: Record<string, string> } };
    const put = await fetch(blob.direct_upload.url, { method: "PUT", headers: blob.direct_upload.headers, body: file });
    assert.ok(put.ok);
    const { data } = await world.post("/documents", { data: { type: "document", attributes: { name: "Arrival notice", attached_document: blob.signed_id } } } as any);
    await world.advance("5m");
    const read = await world.get("/documents/{id}", undefined, data!.id);
    assert.ok(read.data!.attributes!.document_type);
    const { download_url } = await world.get("/documents/{id}/download_url", undefined, data!.id);
    assert.deepEqual(Buffer.from(await (await fetch(download_url!)).arrayBuffer()), file);
  }));

  test("10 custom fields", withWorlds(1, async (world) => {
    const { id } = await world.do("add_container", { number: "MSKU7182047" });
    await world.do("add_custom_field_definition", { entity_type: "Container", api_slug: "incoterm", display_name: "Incoterm" });
    await world.do("add_custom_field", { entity: id, api_slug: "incoterm", value: "fob" });
    const { data } = await world.get("/containers/{container_id}/custom_fields", undefined, id);
    assert.deepEqual(data!.map((field) => field.attributes!.value), ["fob"]);
  }));

  test("11 lists have pages", withWorlds(1, async (world) => {
    await world.run(...Array.from({ length: 75 }, (_, n) => ({ add_container: { number: `MSKU${String(n).padStart(7, "0")}` } })));
    const seen = new Set<string>();
    let pages = 0;
    for (let next: string | undefined = "/containers?page[size]=30"; next; pages++) {
      const page = (await (await world.request("GET", next)).json()) as any;
      for (const container of page.data) seen.add(container.id);
      next = page.links.next;
    }
    assert.deepEqual([pages, seen.size], [3, 75]);
  }));
});

test("12 the schema describes the commands", async () => {
  const schema = await (await control("GET", "/schema")).text();
  for (const command of ["advance", "script", "begin", "step", "fault", "add_container", "hold_webhooks"]) assert.ok(schema.includes(`"${command}"`), command);
});
