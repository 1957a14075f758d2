import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { revokeKey } from "../src/accounts/keys.ts";
import { principalOfKey } from "../src/auth/identify.ts";
import { MINUTE } from "../src/clock.ts";
import { SCOPES } from "../src/context.ts";
import { inputSchema, type JsonSchema, outputSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, errorsOf, isIdempotent } from "../src/contract/operation.ts";
import { ERRORS, type ErrorCode } from "../src/errors.ts";
import { claim, hashInput } from "../src/idempotency/remember.ts";
import { dayOf } from "../src/limits/day.ts";
import { LIMITS } from "../src/limits/table.ts";
import { operations } from "../tools/index.ts";
import { DOORS, type Keys, type Outcome } from "./support/door.ts";
import { belongingsOf, EXAMPLES } from "./support/examples.ts";
import { testService } from "./support/service.ts";
import { stateOf } from "./support/state.ts";

const names = operations.map(({ name }) => name);

describe("laws of the registry", () => {
  test("names, titles, descriptions and addresses are each operation's own", () => {
    const addresses = operations.map(({ rest }) => `${rest.method} ${rest.path}`);
    const titles = operations.map(({ title }) => title);
    const descriptions = operations.map(({ description }) => description);
    for (const list of [names, addresses, titles, descriptions]) expect(new Set(list).size).toBe(operations.length);
  });

  test("every operation has an example, and every example an operation", () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...names].sort());
  });

  for (const operation of operations) describe(operation.name, () => laws(operation));
});

function laws(operation: AnyOperation): void {
  const { name, title, description, access, effect, rest } = operation;
  const input = inputSchema(operation, "program");

  test("its words", () => {
    expect(name).toMatch(/^[a-z]+(_[a-z0-9]+)+$/);
    expect(title).toMatch(/^[A-Z].{3,59}$/);
    expect(title).not.toMatch(/\.$/);
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThan(1024);
    expect(description).toMatch(/^[A-Z].*\.$/s);
  });

  test("every field of its input says what it is", () => {
    const silent = Object.entries(input.properties as Record<string, JsonSchema>).filter(
      ([, { description, type, enum: values }]) => !description && type !== "boolean" && !values,
    );
    expect(silent.map(([field]) => field)).toEqual([]);
  });

  test("its address is one of REST: the path names fields of its input, and a thing that is created is 201", () => {
    expect(rest.path).toMatch(/^(\/([a-z][a-z0-9-]*|\{[a-z_]+\}))+$/);
    const inPath = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!);
    expect(input.required ?? []).toEqual(expect.arrayContaining(inPath));
    if (effect === "spend") expect(rest).toMatchObject({ method: "POST", status: 201 });
    if (rest.method === "GET") expect(effect).toBe("read");
    if (effect !== "read") expect(rest.method).toBe("POST");
  });

  test("only a known caller can change something, and who spends must have paid", () => {
    if (effect !== "read") expect(access.kind).toBe("scope");
    if (access.kind === "scope") expect(SCOPES).toContain(access.scope);
    if (effect === "spend") expect(access).toEqual({ kind: "scope", scope: "index", paid: true });
    if (effect === "purchase") expect(access).toMatchObject({ kind: "scope", scope: "purchase" });
  });

  test("its errors are known ones, each once, and those of its access and effect among them", () => {
    const errors = errorsOf(operation);
    expect(errors.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
    expect(errors.length).toBe(new Set(errors).size);
    expect(errors).toEqual(expect.arrayContaining(impliedBy(operation)));
  });

  test("its schemas are plain JSON, and only the closed shapes are closed", () => {
    expect(Object.keys(input).sort()).not.toContain("additionalProperties");
    const output = outputSchema(operation);
    // Throws for dates, transforms and whatever else JSON Schema has no word for.
    for (const type of [operation.input, operation.output]) z.toJSONSchema(type, { io: "output" });
    expect(JSON.parse(JSON.stringify({ input, output }))).toEqual({ input, output });
    expect(output.type).toBe("object");
    expect(wronglyShut(output)).toEqual([]);
  });

  test("the defaults for agents are valid input", () => {
    const { shape } = operation.input;
    for (const [field, preset] of Object.entries(operation.agentDefaults ?? {})) {
      expect(shape[field].safeParse(preset)).toMatchObject({ success: true, data: preset });
    }
  });
}

function impliedBy({ access, effect, rest }: AnyOperation): ErrorCode[] {
  const scope: ErrorCode[] = access.kind === "scope" ? ["insufficient_scope"] : [];
  const paid: ErrorCode[] = access.kind === "scope" && access.paid ? ["payment_required"] : [];
  const spend: ErrorCode[] = effect === "spend" ? ["insufficient_credits"] : [];
  const ids: ErrorCode[] = rest.path.includes("{") ? ["not_found"] : [];
  return ["invalid_request", "unauthorized", "rate_limited", "internal", ...scope, ...paid, ...spend, ...ids];
}

const CLOSED = new Set(["account", "project", "pricing"]);

/** Objects that are closed and should be open, or the other way round, by their paths. */
function wronglyShut(schema: JsonSchema, path = "", inClosed = false): string[] {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  const object = properties?.object?.const as string | undefined;
  const isEstimate = properties !== undefined && "enough" in properties;
  const shut = object === undefined ? inClosed || isEstimate : CLOSED.has(object);
  const here = properties && (schema.additionalProperties === false) !== shut ? [path || "the answer"] : [];
  const inside = Object.entries(properties ?? {}).flatMap(([name, one]) => wronglyShut(one, `${path}.${name}`, shut));
  const items = schema.items ? wronglyShut(schema.items as JsonSchema, `${path}[]`, shut) : [];
  const others = [schema.anyOf, schema.oneOf].flatMap((list) => (list as JsonSchema[] | undefined) ?? []);
  return [...here, ...inside, ...items, ...others.flatMap((one) => wronglyShut(one, path, shut))];
}

describe.each(Object.entries(DOORS))("%s: the refusals that are the same for every operation", (_, makeDoor) => {
  const serviceReady = testService();
  const ready = serviceReady.then(async (service) => {
    const door = makeDoor(service);
    const owner = await service.account({ credits: 1_000 });
    return { service, door, owner, own: await belongingsOf(door, owner.key, service.site) };
  });
  afterAll(async () => {
    const { service, door } = await ready;
    await door.close();
    await service.close();
  });
  beforeEach(async () => (await ready).service.clock.pass(MINUTE));

  /** Makes a call that must be refused with `code`, and must leave the account and the owner as they were. */
  async function refused(name: string, code: ErrorCode, account: { id?: string }, keys: Keys, more?: object) {
    const { service, door, owner, own } = await ready;
    const states = () => Promise.all([owner.id, account.id ?? owner.id].map((id) => stateOf(service.db, id)));
    const before = await states();
    const outcome = await door.call(name, { ...EXAMPLES[name]!.input(own), ...more }, keys);
    expect([outcome.code, outcome.status]).toEqual([code, door.statusOf(ERRORS[code].status)]);
    expect(outcome.body.message).toMatch(/^\S.{10,}\.$/s);
    expect(outcome.body.docs).toBe(`http://beckon.test/docs/errors/${code}`);
    expect(await states()).toEqual(before);
    expect(service.errors).toEqual([]);
    return outcome;
  }

  const where = (choose: (operation: AnyOperation) => boolean) => operations.filter(choose).map(({ name }) => name);
  const scopeOf = (name: string) => {
    const { access } = operations.find((one) => one.name === name)!;
    return access.kind === "scope" ? access.scope : null;
  };

  test.each(where(({ access }) => access.kind !== "public"))(
    "401 unauthorized: %s without a credential",
    async (name) => {
      const { headers } = await refused(name, "unauthorized", {}, {});
      const metadata = `http://beckon.test/.well-known/oauth-protected-resource${(await ready).door.resource}`;
      expect(headers.get("www-authenticate")).toBe(`Bearer realm="beckon", resource_metadata="${metadata}"`);
    },
  );

  test.each(names)("401 unauthorized: %s with an unknown key", async (name) => {
    const outcome = await refused(name, "unauthorized", {}, { key: `bk_test_${"0".repeat(32)}` });
    await isInvalidToken(outcome);
  });

  test.each(names)("401 unauthorized: %s with a revoked key", async (name) => {
    const { service, door } = await ready;
    const account = await service.account();
    expect((await door.call("get_account", {}, account)).ok).toBe(true);
    const { credential } = (await principalOfKey(service.db, account.key))!;
    await service.db.tx((tx) => revokeKey(tx, credential.id, service.clock.now()));
    await isInvalidToken(await refused(name, "unauthorized", account, account));
  });

  async function isInvalidToken({ headers }: Outcome): Promise<void> {
    const metadata = `http://beckon.test/.well-known/oauth-protected-resource${(await ready).door.resource}`;
    expect(headers.get("www-authenticate")).toBe(
      `Bearer realm="beckon", error="invalid_token", resource_metadata="${metadata}"`,
    );
  }

  test.each(where(({ access }) => access.kind === "scope"))(
    "403 insufficient_scope: %s with every scope but its own",
    async (name) => {
      const { service } = await ready;
      const scope = scopeOf(name)!;
      const account = await service.account({ scopes: SCOPES.filter((one) => one !== scope) });
      const { body, headers } = await refused(name, "insufficient_scope", account, account);
      expect(body.required_scope).toBe(scope);
      expect(headers.get("www-authenticate")).toContain(`error="insufficient_scope", scope="${scope}"`);
    },
  );

  test.each(where(({ access }) => access.kind === "scope" && access.paid === true))(
    "402 payment_required: %s on an account that never paid, whatever it holds",
    async (name) => {
      const account = await (await ready).service.account({ paid: false, credits: 1_000 });
      const { body } = await refused(name, "payment_required", account, { ...account, idempotencyKey: "again" });
      expect(body.buy_url).toBe("http://beckon.test/pricing");
    },
  );

  test.each(where(({ effect }) => effect === "spend"))(
    "402 insufficient_credits: %s one credit short",
    async (name) => {
      const needed = EXAMPLES[name]!.cost!;
      const account = await (await ready).service.account({ credits: needed - 1 });
      const { body } = await refused(name, "insufficient_credits", account, { ...account, idempotencyKey: "again" });
      expect(body).toMatchObject({ needed, balance: needed - 1, buy_url: "http://beckon.test/pricing" });
    },
  );

  test.each(where(({ rest }) => rest.path.includes("{")))("404 not_found: %s of another account", async (name) => {
    const account = await (await ready).service.account();
    await refused(name, "not_found", account, account);
  });

  test.each(where(isIdempotent))("409 idempotency_in_flight: %s while the first call runs", async (name) => {
    const { service, own } = await ready;
    const account = await service.account();
    const { input } = operations.find((one) => one.name === name)!;
    const hash = hashInput(input.parse(EXAMPLES[name]!.input(own)));
    await claim(service.db, { accountId: account.id, operation: name, key: "slow" }, hash, service.clock.now());
    const { headers, status } = await refused(name, "idempotency_in_flight", account, {
      ...account,
      idempotencyKey: "slow",
    });
    if (status === 409) expect(headers.get("retry-after")).toBe("1");
  });

  test.each(where(isIdempotent))("422 idempotency_mismatch: %s with the key of other input", async (name) => {
    const { service, door, own } = await ready;
    const account = await service.account();
    const keys = { key: account.key, idempotencyKey: "used" };
    const first = await door.call(name, EXAMPLES[name]!.input(own), keys);
    expect([first.ok, first.replayed]).toEqual([true, false]);
    await refused(name, "idempotency_mismatch", account, keys, EXAMPLES[name]!.other);
    const again = await door.call(name, EXAMPLES[name]!.input(own), keys);
    expect([again.body, again.replayed]).toEqual([first.body, true]);
  });

  test.each(where(({ effect }) => effect === "spend"))(
    "429 rate_limited: %s once the day's submissions are used up",
    async (name) => {
      const { service } = await ready;
      const account = await service.account();
      const day = { accountId: account.id, day: dayOf(service.clock.now()), requests: 0 };
      const submissions = LIMITS.submissions_per_day.count;
      await service.db.tx((tx) => tx.q.insert(tx.t.usage).values({ ...day, submissions }));
      const { headers } = await refused(name, "rate_limited", account, account);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(60);
      expect(headers.get("ratelimit-remaining")).not.toBe("0");
    },
  );

  const limited = operations.flatMap(({ name, limits = [] }) => limits.map((limit) => [name, limit] as const));
  test.each(limited)("429 rate_limited: %s once the account's %s are used up", async (name, limit) => {
    const { service } = await ready;
    const account = await service.account();
    const window = Math.floor(service.clock.now() / (10 * MINUTE));
    const row = { subject: account.id, name: limit, window, count: LIMITS[limit].count };
    await service.db.tx((tx) => tx.q.insert(tx.t.windows).values(row));
    const { headers, body } = await refused(name, "rate_limited", account, account);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(600);
    expect(body.message).toContain(LIMITS[limit].sentence);
    expect(headers.get("ratelimit-remaining")).not.toBe("0");
  });

  test("429 rate_limited: every operation, once the key's minute is used up", async () => {
    const { service, door } = await ready;
    const account = await service.account();
    await door.call("get_account", {}, account);
    await useUp(LIMITS.requests_per_minute.count, account.key);
    for (const name of names) {
      const { headers } = await refused(name, "rate_limited", account, account);
      expect(headers.get("ratelimit-limit")).toBe("120");
      isOver(headers);
    }
  });

  test("429 rate_limited: every operation without a credential, once the address's minute is used up", async () => {
    const { door } = await ready;
    await door.call("get_pricing");
    await useUp(LIMITS.anonymous_requests_per_minute.count);
    for (const name of names) {
      const { headers } = await refused(name, "rate_limited", {}, {});
      expect(headers.get("ratelimit-limit")).toBe("60");
      isOver(headers);
    }
  });

  /** The window is one for all doors, so the quickest does. */
  async function useUp(requests: number, key?: string): Promise<void> {
    const { url } = (await ready).service;
    const headers = key === undefined ? {} : { "X-API-Key": key };
    await Promise.all(Array.from({ length: requests }, () => fetch(`${url}/api/v1/pricing`, { headers })));
  }

  function isOver(headers: Headers): void {
    expect(headers.get("retry-after")).toBe(headers.get("ratelimit-reset"));
    expect(headers.get("ratelimit-remaining")).toBe("0");
  }
});
