import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Call, call } from "../../../src/contract/call.ts";
import { type AnyOperation, defineOperation } from "../../../src/contract/operation.ts";
import { principalOfKey } from "../../../src/domain/credentials/identify.ts";
import type { PresentedPayment } from "../../../src/domain/payments/orders/presented-payment.ts";
import type { Principal } from "../../../src/platform/principal.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const services = { ...service, http: undefined as never };

const payment: PresentedPayment = { scheme: "x402", text: "e30=" };
const principal: Principal = {
  accountId: "acc_1",
  personId: "per_1",
  role: "owner",
  credential: { id: "key_1", type: "api_key", name: "test", scopes: ["purchase"], holder: "key_1" },
};

const words = { description: "Says who was asked and what came with it.", effect: "read" } as const;
const output = z.object({ by: z.string(), payment: z.string().nullable() });

const open = defineOperation({
  ...words,
  name: "ask_open",
  title: "Ask without a credential",
  access: { kind: "public" },
  input: z.object({ pack: z.string().default("basic") }),
  output,
  skill: { tags: [] },
  example: { pack: "basic" },
  rest: { method: "GET", path: "/open" },
  toolset: "jobs",
  run: async ({ pack }, ctx) => ({ by: `open ${pack}`, payment: ctx.payment?.text ?? null }),
});

const closed = defineOperation({
  ...words,
  name: "ask_closed",
  title: "Ask with one",
  access: { kind: "scope", scope: "purchase", anonymous: open },
  takesPayment: true,
  input: z.object({ pack: z.string() }),
  output,
  skill: { tags: [] },
  example: { pack: "basic" },
  rest: { method: "POST", path: "/closed" },
  toolset: "jobs",
  async run({ pack }, ctx) {
    ctx.answerWith({ headers: { "X-First": "1" } });
    ctx.answerWith({ headers: { "PAYMENT-RESPONSE": "e30=" }, replayed: true });
    return { by: `closed ${pack}`, payment: ctx.payment?.text ?? null };
  },
});

function made(operation: AnyOperation, more: Partial<Call>): Call {
  return { operation, input: {}, audience: "program", principal: null, requestsToday: 0, ...more };
}

test("without a credential the public operation is called instead, with its own input, and never gets the payment", async () => {
  const { text, replayed, headers } = await call(services, made(closed, { payment }));
  expect([JSON.parse(text), replayed, headers]).toEqual([{ by: "open basic", payment: null }, false, undefined]);
});

test("with a credential the operation itself is called, gets the payment, and can add headers to its answer", async () => {
  const answer = await call(services, made(closed, { payment, principal, input: { pack: "pro" } }));
  expect(answer).toEqual({
    text: '{"by":"closed pro","payment":"e30="}',
    replayed: true,
    headers: { "PAYMENT-RESPONSE": "e30=" },
  });
});

test("invalid_request: with a credential the input of the operation itself is checked", async () => {
  await expect(call(services, made(closed, { principal }))).rejects.toMatchObject({ code: "invalid_request" });
});

describe.each(["sitemap_reads", "checkout_links"] as const)("an operation with the limit %s", (limit) => {
  const make = defineOperation({
    ...({ description: "Makes something.", effect: "purchase", limits: [limit] } as const),
    name: "make_something",
    title: "Make something",
    access: { kind: "scope", scope: "purchase" },
    input: z.object({ fails: z.boolean().default(false) }),
    output: z.object({ made: z.boolean() }),
    skill: { tags: [] },
    example: {},
    rest: { method: "POST", path: "/made" },
    toolset: "jobs",
    async run({ fails }, ctx) {
      if (fails) throw new Error("it was not made");
      return ctx.commit(async () => ({ made: true }));
    },
  });
  const { windows } = service.db.t;
  const countOf = async (subject: string) =>
    (await service.db.q.select().from(windows).where(eq(windows.subject, subject)))[0]?.count ?? 0;
  const buyer = async () => {
    const { key } = await service.account();
    return (await principalOfKey(service.db, key, service.clock.now()))!;
  };

  test(`409: of simultaneous calls with one key, ${limit} counts the one that gets it`, async () => {
    const principal = await buyer();
    const calls = Array.from({ length: 30 }, () => call(services, made(make, { principal, idempotencyKey: "one" })));
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: "idempotency_in_flight" } });
    expect(await countOf(principal.accountId)).toBe(1);
  });

  test("429: simultaneous calls with keys of their own make no more than it allows", async () => {
    const principal = await buyer();
    const calls = Array.from({ length: 30 }, (_, key) =>
      call(services, made(make, { principal, idempotencyKey: `${key}` })),
    );
    const outcomes = await Promise.allSettled(calls);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(10);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: "rate_limited" } });
    expect(await countOf(principal.accountId)).toBe(20);
  });

  test(`what was not made ${limit === "checkout_links" ? "does not count" : "counts, since it was tried"}`, async () => {
    const principal = await buyer();
    await expect(call(services, made(make, { principal, input: { fails: true } }))).rejects.toThrow("not made");
    expect(await countOf(principal.accountId)).toBe(limit === "checkout_links" ? 0 : 1);
  });
});
