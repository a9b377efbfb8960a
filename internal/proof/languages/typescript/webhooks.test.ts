import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { type Delivery, World, control, journey, withWorlds } from "./simulator.js";

const concurrency = 4;
const arrived = "container.transport.vessel_arrived", discharged = "container.transport.vessel_discharged";

/** Subscribes a webhook and begins the journey of an arrival. Returns the secret. */
async function begin(world: World): Promise<string> {
  const { data } = (await world.post("/webhooks", {
    data: { type: "webhook", attributes: { url: "https://receiver.example/webhooks", events: [arrived, discharged], active: true } },
  } as any)) as any;
  await world.do("begin", { number: "MAEU240711002", journey: journey(["1h", "vessel_arrived"], ["2h", "vessel_discharged", { spot: "Y4" }]) });
  await world.advance("1m");
  return data.attributes.secret;
}

describe("webhooks", { concurrency }, () => {
  test("19 a delivery is expected, and signed", withWorlds(1, async (world) => {
    const secret = await begin(world);
    const expected = world.wait<Delivery>("deliveries", { event: arrived });
    await world.advance("1h");
    const [delivery] = await expected;
    assert.equal(JSON.parse(delivery!.body).data.attributes.event, arrived);
    const signature = createHmac("sha256", secret).update(delivery!.body).digest("hex");
    assert.deepEqual(delivery!.headers["X-T49-Webhook-Signature"], [signature]);
  }));

  test("20 deliveries are held, and sent again", withWorlds(1, async (world) => {
    await begin(world);
    await world.do("hold_webhooks", {});
    await world.advance("3h");
    assert.deepEqual(await world.list("deliveries"), []);
    await world.do("release_webhooks", {});
    const [delivery] = await world.wait<Delivery>("deliveries", { event: discharged });
    await world.do("redeliver", { id: delivery!.notification });
    assert.equal((await world.wait("deliveries", { event: discharged, count: 2 })).length, 2);
  }));
});

describe("worlds", { concurrency }, () => {
  test("21 are reset", withWorlds(2, async (world, other) => {
    await Promise.all([begin(world), begin(other)]);
    await world.do("seed_demo", {});
    await Promise.all([world.advance("40d"), other.advance("40d")]);
    assert.equal((await world.control("POST", "/reset")).status, 204);
    assert.deepEqual((await world.get("/containers")).data, []);
    assert.equal((await world.clock()).now, "2026-03-02T15:00:00Z");
    assert.notDeepEqual((await other.get("/containers")).data, []);
  }));

  test("22 run side by side", async () => {
    const days = Array.from({ length: 16 }, (_, n) => n + 1);
    await Promise.all(days.map((n) => withWorlds(1, async (world) => {
      await begin(world);
      await world.advance(`${n}d`);
      await world.wait("deliveries", { event: discharged });
      assert.equal((await world.clock()).now, `2026-03-${String(2 + n).padStart(2, "0")}T15:01:00Z`);
      await world.drop();
      assert.equal((await world.request("GET", "/containers")).status, 401);
    })()));
    assert.equal((await control("DELETE", "/worlds/default")).status, 403);
  });
});
