import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { keysOf } from "../../../../src/domain/credentials/keys.ts";
import { balanceOf } from "../../../../src/domain/ledger/ledger.ts";
import { ordersOf } from "../../../../src/domain/payments/orders/orders.ts";
import { approvalsOf, decideApproval } from "../../../../src/domain/spending/approvals.ts";
import { setLimits } from "../../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../../src/domain/spending/limits.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { answerOf, errorOf } from "../../../support/mcp/call-every-tool.ts";
import type { ToolResult } from "../../../support/mcp/clients.ts";
import { message, modern, poster } from "../../../support/mcp/post.ts";
import { beckonMcp } from "../../../support/mcp/stdio.ts";
import { testService } from "../../../support/service/service.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });
const service = await testService();
const { clock, db, url } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(MINUTE));

const MODERN = { pin: "2026-07-28" } as const;
const URL_MODE = { elicitation: { url: {} } };
const BUY = { name: "buy_credits", arguments: { pack: "basic" } };

type Action = "accept" | "decline" | "cancel";
interface Elicitation {
  readonly mode?: string;
  readonly url?: string;
  readonly message: string;
}

/** A client whose user answers as told, with what was put before them. */
function clientOf(mode: "legacy" | typeof MODERN, capabilities: object, answer: () => Promise<Action>) {
  const client = new Client({ name: "host", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  const elicitations: Elicitation[] = [];
  if ("elicitation" in capabilities) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      elicitations.push(params as Elicitation);
      return { action: await answer() };
    });
  }
  return { client, elicitations };
}

async function ordersOfAccount(accountId: string): Promise<string[]> {
  const { rows } = await ordersOf(db, accountId, { status: "any", limit: 200, offset: 0 });
  return rows.map(({ checkoutUrl }) => checkoutUrl!);
}

/** Buys a pack: one order more, and its link in the answer. @returns the link */
async function bought(client: Client, accountId: string, before: readonly string[] = [], params: typeof BUY = BUY) {
  const { checkout_url: link } = answerOf((await client.callTool(params)) as unknown as ToolResult);
  expect((await ordersOfAccount(accountId)).sort()).toEqual([...before, link].sort());
  return link as string;
}

type OpenTransport = (key: string) => StreamableHTTPClientTransport | StdioClientTransport;
const http: OpenTransport = (key) =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
const stdio: OpenTransport = (key) => new StdioClientTransport({ ...beckonMcp(url, key), stderr: "pipe" });

const CAN_ASK = [
  ["2026-07-28 over HTTP", MODERN, http],
  ["2026-07-28 over stdio", MODERN, stdio],
] as const;

describe.each(CAN_ASK)("%s: a client that can show a URL to its user", (_, mode, openTransport) => {
  test("is asked to, once for each order; the answer has the link, whatever the user does", async () => {
    const { id, key } = await service.account({ paid: false, credits: 0 });
    const actions: Action[] = ["accept", "decline", "cancel"];
    const { client, elicitations } = clientOf(mode, URL_MODE, async () => actions.pop()!);
    await client.connect(openTransport(key));
    try {
      const links: string[] = [];
      while (actions.length > 0) links.push(await bought(client, id, links));
      const message = expect.stringMatching(/^Pay .*\.$/);
      expect(elicitations).toMatchObject(links.map((link) => ({ mode: "url", url: link, message })));
      expect(elicitations).toHaveLength(3);
    } finally {
      await client.close();
    }
  });

  test("is not asked for a call that is repeated with its key, nor for a refused one", async () => {
    const { id, key } = await service.account({ paid: false, credits: 0 });
    const { client, elicitations } = clientOf(mode, URL_MODE, async () => "accept");
    await client.connect(openTransport(key));
    try {
      const params = { name: "buy_credits", arguments: { pack: "basic", idempotency_key: "mine" } };
      const link = await bought(client, id, [], params);
      expect(answerOf((await client.callTool(params)) as unknown as ToolResult).checkout_url).toBe(link);
      const other = { ...params, arguments: { ...params.arguments, pack: "pro" } };
      expect(errorOf((await client.callTool(other)) as unknown as ToolResult).code).toBe("idempotency_mismatch");
      expect([await ordersOfAccount(id), elicitations.length]).toEqual([[link], 1]);
    } finally {
      await client.close();
    }
  });
});

describe.each(CAN_ASK)("%s: a call that needs a yes", (_, mode, openTransport) => {
  const SUBMIT = { name: "submit_urls", arguments: { urls: ["https://example.com/1", "https://example.com/2"] } };
  test.each([
    ["goes through when its user approves it on the page", true, "accept"],
    ["is refused when its user has not decided yet, and asks once", null, "accept"],
    ["is refused when its user declines to look", null, "decline"],
  ] as const)("%s", async (_what, isApproved, action) => {
    const { id, key } = await service.account();
    const holder = (await keysOf(db, id))[0]!.id;
    await db.tx((tx) => setLimits(tx, { accountId: id, holder }, { ...NO_LIMITS, approveAbove: 1 }));
    const { client, elicitations } = clientOf(mode, URL_MODE, async () => {
      const [approval] = await approvalsOf(db, id, 1);
      const decision = { id: approval!.id, isApproved: true, now: clock.now() };
      if (isApproved) await db.tx((tx) => decideApproval(tx, id, decision));
      return action;
    });
    await client.connect(openTransport(key));
    try {
      const result = await client.callTool(SUBMIT).catch((thrown: unknown) => thrown);
      const [approval] = await approvalsOf(db, id, 1);
      const page = `${service.config.siteUrl}/dashboard/approvals/${approval!.id}`;
      expect(elicitations).toMatchObject([{ mode: "url", url: page, message: expect.stringContaining("2 credits") }]);
      if (isApproved) expect(answerOf(result as ToolResult).credits_spent).toBe(2);
      else expect(await balanceOf(db, id)).toBe(150);
      expect((await db.q.select().from(db.t.approvals)).filter(({ accountId }) => accountId === id)).toHaveLength(1);
    } finally {
      await client.close();
    }
  });
});

describe.each([
  ["2026-07-28 over HTTP", MODERN, {}, http],
  ["2026-07-28 over HTTP, forms only", MODERN, { elicitation: { form: {} } }, http],
  ["2025-11-25 over HTTP, where nothing can be asked", "legacy", URL_MODE, http],
  ["2025-11-25 over stdio, where nothing can be asked either", "legacy", URL_MODE, stdio],
] as const)("%s: a client that cannot", (_, mode, capabilities, openTransport) => {
  test("gets the link in the answer", async () => {
    const { id, key } = await service.account({ paid: false, credits: 0 });
    const { client, elicitations } = clientOf(mode, capabilities, async () => "accept");
    await client.connect(openTransport(key));
    await bought(client, id);
    expect(elicitations).toEqual([]);
    await client.close();
  });
});

describe("2026-07-28: the requestState", () => {
  const send = poster(url);
  const capable = { "io.modelcontextprotocol/clientCapabilities": URL_MODE };

  async function call(key: string, more: object = {}, args: object = { pack: "basic" }) {
    const { body, headers } = modern(
      message("tools/call", { name: "buy_credits", arguments: args, ...more, _meta: capable }),
    );
    return (await send(body, { key, headers })).json;
  }

  test("returns the same order, however often it is sent, to this account only", async () => {
    const [one, other] = [await service.account(), await service.account()];
    const { result } = await call(one.key);
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { open: { method: "elicitation/create" } },
    });
    const { requestState, inputRequests } = result;
    const again = { requestState, inputResponses: { open: { action: "cancel" } } };
    const answers = [await call(one.key, again), await call(one.key, again), await call(one.key, { requestState })];
    for (const { result: answer } of answers) {
      expect(answer.structuredContent.checkout_url).toBe(inputRequests.open.params.url);
    }
    expect((await call(other.key, again)).result.resultType).toBe("input_required");
    expect((await ordersOfAccount(one.id)).filter((link) => link === inputRequests.open.params.url).length).toBe(1);
    expect(await ordersOfAccount(one.id)).toHaveLength(2);
  });

  test("allows no more than an idempotency key of the caller, even if it is forged", async () => {
    const { id, key } = await service.account({ paid: false, credits: 0 });
    const first = await call(key, { requestState: "made up" });
    expect(first.result.resultType).toBe("input_required");
    expect((await call(key, { requestState: "made up" }, { pack: "pro" })).result).toMatchObject({ isError: true });
    const byKey = await call(key, {}, { pack: "basic", idempotency_key: "made up" });
    expect(byKey.result.structuredContent.checkout_url).toBe(first.result.inputRequests.open.params.url);
    for (const requestState of ["", "x".repeat(256), "a\nb"]) {
      expect(errorOf((await call(key, { requestState })).result).code).toBe("invalid_request");
    }
    expect((await call(key, { requestState: 3 })).error.code).toBe(-32602);
    expect(await ordersOfAccount(id)).toHaveLength(1);
  });
});
