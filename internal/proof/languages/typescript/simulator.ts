// What the cases use of the simulator: fetch, with the types of the service's OpenAPI document.
import assert from "node:assert/strict";
import type { components, paths } from "./terminal49.js";

export type Schemas = components["schemas"];

type Body<R> = R extends { content: infer C } ? C[keyof C] : undefined;
type Success<O> = O extends { responses: infer R } ? Body<R[keyof R & (200 | 201 | 202)]> : never;
type Operation<P extends keyof paths, M extends string> = paths[P] extends { [name in M]: infer O } ? O : never;
type Query<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type Sent<O> = O extends { requestBody?: infer B } ? Body<NonNullable<B>> : never;
type With<M extends string> = { [P in keyof paths]: Operation<P, M> extends never ? never : P }[keyof paths];

export const baseURL = process.env.T49_API_BASE_URL!; // as t49 simulator prints it
export const token = process.env.T49_API_TOKEN!;
export const origin = new URL(baseURL).origin;
export const controlHeaders = { "Content-Type": "application/json", "Simulator-Control": "true" };

/** Sends a control request. */
export function control(method: string, path: string, body?: unknown, query: Record<string, string | number> = {}): Promise<Response> {
  const url = new URL(origin + "/_simulator" + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method, headers: controlHeaders, body: text });
}

/** What the simulator says of a command that it refuses. */
export class CommandError extends Error {
  constructor(
    readonly status: number,
    readonly error: { line: number; command: string; member?: string; message: string },
    readonly results: unknown[],
  ) {
    super(`${status}: line ${error.line}: ${error.message}`);
  }
}

export interface Delivery {
  notification: string;
  webhook: string;
  event: string;
  attempt: number;
  status: number;
  headers: Record<string, string[]>;
  body: string;
}

export interface Received {
  operation: string;
  method: string;
  path: string;
  status: number;
}

export type Command = Record<string, unknown>;

/** A simulated account, for one test. Its clock stands still unless a test moves it. */
export class World {
  private constructor(
    readonly id: string,
    readonly token: string,
    readonly baseURL: string,
  ) {}

  static async make(options: Record<string, unknown> = {}, scenario?: string): Promise<World> {
    const created = await control("POST", "/worlds", {
      options: { seed: 1, start: "2026-03-02T15:00:00Z", speed: 0, ...options },
      ...(scenario ? { scenario } : {}),
    });
    assert.equal(created.status, 201, `${created.status}`);
    const world = (await created.json()) as { id: string; token: string; api_base_url: string };
    return new World(world.id, world.token, world.api_base_url);
  }

  drop = () => control("DELETE", `/worlds/${this.id}`);

  // Control

  control(method: string, path: string, body?: unknown, query?: Record<string, string | number>): Promise<Response> {
    return control(method, `/worlds/${this.id}${path}`, body, query);
  }

  /** Runs commands and returns their results. */
  async run<R = { id: string }>(...commands: Command[]): Promise<R[]> {
    const response = await this.control("POST", "/commands", commands.map((c) => JSON.stringify(c)).join("\n"));
    const document = (await response.json()) as any;
    if (response.status !== 200) throw new CommandError(response.status, document.error, document.results);
    return document.results;
  }

  /** Runs one command and returns its result. */
  async do<R = { id: string }>(command: string, argument: unknown): Promise<R> {
    return (await this.run<R>({ [command]: argument }))[0]!;
  }

  advance = (duration: string) => this.do<{ now: string }>("advance", duration);

  async clock(): Promise<{ now: string; speed: number }> {
    return (await this.control("GET", "/clock")).json() as any;
  }

  /** Returns the entries of a log, once there are as many that match. */
  async wait<T>(log: string, query: Record<string, string | number> = {}): Promise<T[]> {
    const response = await this.control("GET", "/" + log, undefined, { count: 1, wait: "20s", ...query });
    const document = (await response.json()) as { items: T[] };
    assert.equal(response.status, 200, JSON.stringify(document));
    return document.items;
  }

  async list<T>(log: string, query: Record<string, string | number> = {}): Promise<T[]> {
    return ((await (await this.control("GET", "/" + log, undefined, query)).json()) as { items: T[] }).items;
  }

  // The service

  /** Sends a request to the service: to a path below its base, or to a whole address. */
  request(method: string, path: string, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Token ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/vnd.api+json";
    const url = path.startsWith("http") ? path : this.baseURL + path;
    return fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  }

  async get<P extends With<"get">>(path: P, query: Query<Operation<P, "get">> | undefined = undefined, id = ""): Promise<Success<Operation<P, "get">>> {
    const search = new URLSearchParams((query ?? {}) as Record<string, string>).toString();
    const response = await this.request("GET", path.replace(/\{\w+\}/, id) + (search && "?" + search));
    assert.equal(response.status, 200, path);
    return (await response.json()) as Success<Operation<P, "get">>;
  }

  async post<P extends With<"post">>(path: P, body: Sent<Operation<P, "post">>): Promise<Success<Operation<P, "post">>> {
    const response = await this.request("POST", path, body);
    assert.ok([200, 201].includes(response.status), `${path}: ${response.status}`);
    return (await response.json()) as Success<Operation<P, "post">>;
  }

  async track(number: string): Promise<string> {
    const { data } = await this.post("/tracking_requests", {
      data: { type: "tracking_request", attributes: { request_type: "bill_of_lading", request_number: number, scac: "MAEU" } },
    });
    return data!.id!;
  }

  /** Returns the only container of the world. */
  async container(): Promise<Schemas["container"]> {
    const { data } = await this.get("/containers");
    assert.equal(data!.length, 1);
    return data![0]!;
  }
}

/** Runs a test with a world of its own, or with several. */
export function withWorlds(count: number, test: (...worlds: World[]) => Promise<void>, options = {}, scenario?: string): () => Promise<void> {
  return async () => {
    const worlds = await Promise.all(Array.from({ length: count }, () => World.make(options, scenario)));
    try {
      await test(...worlds);
    } finally {
      await Promise.all(worlds.map((world) => world.drop()));
    }
  };
}

/** Returns the journey of a shipment from Shanghai to Los Angeles with one container. */
export function journey(...steps: [after: string, action: string, parameters?: Record<string, unknown>][]) {
  return {
    shipment: { shipping_line: "MAEU", port_of_lading: "CNSHA", port_of_discharge: "USLAX" },
    containers: [{ number: "MSKU7182047" }],
    steps: steps.map(([after, action, parameters]) => ({ after, do: action, ...parameters })),
  };
}
