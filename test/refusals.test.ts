import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type AnyOperation, isIdempotent, isOn, isSubmission, scopesOf } from "../src/contract/operation.ts";
import { acquireKey, hashInput } from "../src/domain/calls/idempotency-keys.ts";
import { principalOfKey } from "../src/domain/credentials/identify.ts";
import { revokeKey } from "../src/domain/credentials/keys.ts";
import { dayOf } from "../src/domain/limits/day.ts";
import { MINUTE } from "../src/platform/clock.ts";
import { ERRORS, type ErrorCode } from "../src/platform/errors/errors.ts";
import { LIMITS } from "../src/platform/limits.ts";
import { SCOPES } from "../src/platform/principal.ts";
import { operations } from "../tools/index.ts";
import { endedProject } from "./support/service/ended-project.ts";
import { belongingsOf, EXAMPLES } from "./support/service/examples.ts";
import { testService } from "./support/service/service.ts";
import { type CallOptions, type CallResult, SURFACES, surfaceOf } from "./support/service/surface-client.ts";
import { stateOf } from "./support/website/account-state.ts";

/** Every scope, which a client then asks for. */
const SCOPE = `scope="${SCOPES.join(" ")}"`;

describe.each(Object.entries(SURFACES))("%s: the refusals that are the same for every operation", (at, connect) => {
  const serviceReady = testService();
  const ready = serviceReady.then(async (service) => {
    const client = connect(service);
    const owner = await service.account({ credits: 1_000 });
    return { service, client, owner, own: await belongingsOf(client, owner.key, service) };
  });
  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });
  beforeEach(async () => (await ready).service.clock.pass(MINUTE));

  /** Makes a call that must be refused with `code`, and must leave the account and the owner as they were. */
  async function refused(name: string, code: ErrorCode, account: { id?: string }, keys: CallOptions, more?: object) {
    const { service, client, owner, own } = await ready;
    const accounts = [...new Set([owner.id, account.id ?? owner.id])];
    const states = () => Promise.all(accounts.map((id) => stateOf(service.db, id)));
    const before = await states();
    const outcome = await client.call(name, { ...EXAMPLES[name]!.input(own), ...more }, keys);
    expect([outcome.code, outcome.status]).toEqual([code, client.statusOf(ERRORS[code].status)]);
    expect(outcome.body.message).toMatch(/^\S.{10,}\.$/s);
    expect(outcome.body.docs).toBe(`http://beckon.test/docs/errors/${code}`);
    expect(await states()).toEqual(before);
    expect(service.errors).toEqual([]);
    return outcome;
  }

  const here = operations.filter((one) => isOn(one, surfaceOf(at)));
  const names = here.map(({ name }) => name);
  const where = (choose: (operation: AnyOperation) => boolean) => here.filter(choose).map(({ name }) => name);
  const isAboutOne = (name: string) => operations.some((one) => one.name === name && one.rest.path.includes("{"));
  const scopesOfNamed = (name: string) => scopesOf(operations.find((one) => one.name === name)!.access);

  const standIns = here.flatMap(({ name, access }) =>
    access.kind === "scope" && access.anonymous ? [[name, access.anonymous] as const] : [],
  );
  test.each(standIns)("%s without a credential calls its public operation", async (name, standIn) => {
    const { service, client, owner, own } = await ready;
    const before = await stateOf(service.db, owner.id);
    const open = await SURFACES.REST!(service).call(standIn.name, EXAMPLES[standIn.name]!.input(own));
    const outcome = await client.call(name, EXAMPLES[name]!.input(own));
    expect([outcome.code, outcome.body]).toEqual([open.code, open.body]);
    expect(await stateOf(service.db, owner.id)).toEqual(before);
  });

  test.each(where(({ access }) => access.kind !== "public" && !(access.kind === "scope" && access.anonymous)))(
    "401 unauthorized: %s without a credential",
    async (name) => {
      const { headers, body } = await refused(name, "unauthorized", {}, {});
      expect(body.auth_url).toBe("http://beckon.test/auth.md");
      for (const way of ["http://beckon.test/dashboard/keys", "OAuth", "http://beckon.test/auth.md"])
        expect(body.message).toContain(way);
      const metadata = `http://beckon.test/.well-known/oauth-protected-resource${(await ready).client.resource}`;
      expect(headers.get("www-authenticate")).toBe(`Bearer realm="beckon", ${SCOPE}, resource_metadata="${metadata}"`);
    },
  );

  test.each(names)("401 unauthorized: %s with an unknown key", async (name) => {
    const outcome = await refused(name, "unauthorized", {}, { key: `bk_test_${"0".repeat(32)}` });
    await isInvalidToken(outcome);
  });

  test.each(names)("401 unauthorized: %s with a revoked key", async (name) => {
    const { service, client } = await ready;
    const account = await service.account();
    expect((await client.call("get_account", {}, account)).ok).toBe(true);
    const { credential } = (await principalOfKey(service.db, account.key, service.clock.now()))!;
    await service.db.tx((tx) => revokeKey(tx, credential.id, service.clock.now()));
    await isInvalidToken(await refused(name, "unauthorized", account, account));
  });

  async function isInvalidToken({ headers }: CallResult): Promise<void> {
    const metadata = `http://beckon.test/.well-known/oauth-protected-resource${(await ready).client.resource}`;
    expect(headers.get("www-authenticate")).toBe(
      `Bearer realm="beckon", error="invalid_token", ${SCOPE}, resource_metadata="${metadata}"`,
    );
  }

  test.each(names.flatMap((name) => scopesOfNamed(name).map((scope) => [name, scope] as const)))(
    "403 insufficient_scope: %s with every scope but %s",
    async (name, scope) => {
      const { service } = await ready;
      const account = await service.account({ scopes: SCOPES.filter((one) => one !== scope) });
      const { body, headers } = await refused(name, "insufficient_scope", account, account);
      expect(body.required_scope).toBe(scope);
      expect(headers.get("www-authenticate")).toContain(
        `error="insufficient_scope", scope="${scopesOfNamed(name).join(" ")}"`,
      );
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

  test.each(where(isSubmission))("402 insufficient_credits: %s one credit short", async (name) => {
    const { service, client } = await ready;
    const needed = EXAMPLES[name]!.cost!;
    const account = await service.account({ credits: needed + 1 });
    const more = { project_id: await endedProject(client, account.key, service.db) };
    const keys = { ...account, idempotencyKey: "again" };
    const { body } = await refused(name, "insufficient_credits", account, keys, isAboutOne(name) ? more : {});
    expect(body).toMatchObject({ needed, balance: needed - 1, buy_url: "http://beckon.test/pricing" });
  });

  test.each(where(({ rest }) => rest.path.includes("{")))("404 not_found: %s of another account", async (name) => {
    const account = await (await ready).service.account();
    await refused(name, "not_found", account, account);
  });

  test.each(where(isIdempotent))("409 idempotency_in_flight: %s while the first call runs", async (name) => {
    const { service, own } = await ready;
    const account = await service.account();
    const { input } = operations.find((one) => one.name === name)!;
    const hash = hashInput(input.parse(EXAMPLES[name]!.input(own)));
    await acquireKey(service.db, { accountId: account.id, operation: name, key: "slow" }, hash, service.clock.now());
    const { headers, status } = await refused(name, "idempotency_in_flight", account, {
      ...account,
      idempotencyKey: "slow",
    });
    if (status === 409) expect(headers.get("retry-after")).toBe("1");
  });

  test.each(where(isIdempotent))("422 idempotency_mismatch: %s with the key of other input", async (name) => {
    const { service, client, own, owner } = await ready;
    const { rest } = operations.find((one) => one.name === name)!;
    const account = rest.path.includes("{") ? owner : await service.account();
    const keys = { key: account.key, idempotencyKey: "used" };
    const first = await client.call(name, EXAMPLES[name]!.input(own), keys);
    expect([first.ok, first.replayed]).toEqual([true, false]);
    await refused(name, "idempotency_mismatch", account, keys, EXAMPLES[name]!.other);
    const again = await client.call(name, EXAMPLES[name]!.input(own), keys);
    expect([again.body, again.replayed]).toEqual([first.body, true]);
  });

  test.each(where(isSubmission))("429 rate_limited: %s once the day's submissions are used up", async (name) => {
    const { service } = await ready;
    const account = await service.account();
    const day = { accountId: account.id, day: dayOf(service.clock.now()), requests: 0 };
    const submissions = LIMITS.submissions_per_day.count;
    await service.db.tx((tx) => tx.q.insert(tx.t.usage).values({ ...day, submissions }));
    const { headers } = await refused(name, "rate_limited", account, account);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(60);
    expect(headers.get("ratelimit-remaining")).not.toBe("0");
  });

  const limited = here.flatMap(({ name, limits = [] }) => limits.map((limit) => [name, limit] as const));
  test.each(limited)("429 rate_limited: %s once the account's %s are used up", async (name, limit) => {
    const { service } = await ready;
    const account = await service.account();
    const seconds = LIMITS[limit].window === "hour" ? 3600 : 600;
    const window = Math.floor(service.clock.now() / (seconds * 1000));
    const row = { subject: account.id, name: limit, window, count: LIMITS[limit].count };
    await service.db.tx((tx) => tx.q.insert(tx.t.windows).values(row));
    const { headers, body } = await refused(name, "rate_limited", account, account);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(seconds);
    expect(body.message).toContain(LIMITS[limit].sentence);
    expect(headers.get("ratelimit-remaining")).not.toBe("0");
  });

  test("429 rate_limited: every operation, once the key's minute is used up", async () => {
    const { service, client } = await ready;
    const account = await service.account();
    await client.call("get_account", {}, account);
    await useUp(LIMITS.requests_per_minute.count, account.key);
    for (const name of names) {
      const { headers } = await refused(name, "rate_limited", account, account);
      expect(headers.get("ratelimit-limit")).toBe("120");
      isOver(headers);
    }
  });

  test("429 rate_limited: every operation without a credential, once the address's minute is used up", async () => {
    const { client } = await ready;
    await client.call("get_pricing");
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
