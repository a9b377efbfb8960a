import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CommandError, type Received, type World, controlHeaders, origin, withWorlds } from "./simulator.js";

const concurrency = 4;

/** Adds a shipment, and returns a function that reads it. */
async function shipment(world: World): Promise<() => Promise<Response>> {
  const { id } = await world.do("add_shipment", { bill_of_lading_number: "MAEU1" });
  return () => world.request("GET", "/shipments/" + id);
}

describe("faults", { concurrency }, () => {
  test("13 a request fails as often as the fault says", withWorlds(1, async (world) => {
    const get = await shipment(world);
    await world.do("fault", { operation: "shipments.get", status: 429, times: 2, retry_after: "30s" });
    const failed = await get();
    assert.deepEqual([failed.status, failed.headers.get("Retry-After")], [429, "30"]);
    assert.deepEqual((await world.list<any>("faults")).map((f) => [f.operation, f.times]), [["shipments.get", 1]]);
    assert.equal((await get()).status, 429);
    assert.equal((await get()).status, 200);
  }));

  test("14 connections and bodies break", withWorlds(1, async (world) => {
    const get = await shipment(world);
    for (const kind of ["drop", "reset", "truncate", "malformed json", "broken gzip"]) {
      await world.do("fault", { operation: "shipments.get", kind });
      await assert.rejects(async () => (await get()).json(), kind);
    }
    await world.do("fault", { operation: "shipments.get", kind: "slow", delay: "200ms" });
    const began = Date.now();
    assert.equal((await get()).status, 200);
    assert.ok(Date.now() - began >= 190);
  }));

  test("15 the rate limit is the world's own", async () => {
    await withWorlds(1, async (limited) => {
      await withWorlds(1, async (free) => {
        const statuses = [];
        for (let n = 0; n < 3; n++) statuses.push((await limited.request("GET", "/containers")).status);
        assert.deepEqual(statuses, [200, 200, 429]);
        assert.equal((await free.request("GET", "/containers")).status, 200);
      })();
    }, { rate_limits: { default: 2 } })();
  });
});

test("16 requests and violations are listed", withWorlds(1, async (world) => {
  const expected = world.wait<Received>("requests", { operation: "shipments.get", status: 404 });
  await world.request("GET", "/containers?sort=weight");
  await world.request("GET", "/shipments/unknown");
  assert.equal((await expected)[0]!.path, "/v2/shipments/unknown");
  const violations = await world.list<{ operation: string; problem: string }>("violations");
  assert.deepEqual(violations.map((v) => v.operation), ["containers.list"]);
}));

describe("mistakes", { concurrency }, () => {
  test("17 an error names the line, the member and what was meant", withWorlds(1, async (world) => {
    const lines = [{ advance: "1h" }, { fault: { operation: "shipments.get", stauts: 503 } }, { advance: "1h" }];
    await assert.rejects(world.run(...lines), (err: unknown) => {
      assert.ok(err instanceof CommandError);
      assert.deepEqual([err.status, err.error.line, err.error.command, err.error.member], [422, 2, "fault", "stauts"]);
      assert.match(err.error.message, /\bstatus\b/);
      assert.equal(err.results.length, 1);
      return true;
    });
    assert.equal((await world.clock()).now, "2026-03-02T16:00:00Z");
  }));

  test("18 a web page of another site is refused", withWorlds(1, async (world) => {
    const url = `${origin}/_simulator/worlds/${world.id}/commands`;
    const send = (headers: Record<string, string>) => fetch(url, { method: "POST", headers, body: '{"advance":"1h"}' });
    const { "Simulator-Control": _, ...without } = controlHeaders;
    for (const headers of [without, { ...controlHeaders, "Content-Type": "text/plain" }, { ...controlHeaders, Origin: "https://evil.example" }]) {
      assert.ok([403, 415].includes((await send(headers)).status), JSON.stringify(headers));
    }
    assert.equal((await world.clock()).now, "2026-03-02T15:00:00Z");
  }));
});
