import { afterAll, describe, expect, test } from "vitest";
import { answerOf, callEveryTool, errorOf, toolsOf } from "../../../support/mcp/call-every-tool.ts";
import { CLIENTS } from "../../../support/mcp/clients.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const url = `${service.url}/mcp`;

describe.each(Object.entries(CLIENTS))("%s over HTTP", (_, connect) => {
  test("lists every tool in the order of the product, and calls each", async () => {
    const client = await connect({ url, key: (await service.account()).key });
    expect(await callEveryTool(client)).toEqual(toolsOf(service.config));
    expect(client.instructions).toContain("estimate_cost");
    await client.close();
  });

  test("lists tools and calls a public one without a credential", async () => {
    const client = await connect({ url });
    expect((await client.list()).map(({ name }) => name)).toEqual(toolsOf(service.config));
    expect(answerOf(await client.call("get_pricing"))).toMatchObject({ object: "pricing" });
    await client.close();
  });

  test("401: the client sees the status when a tool needs a credential", async () => {
    const client = await connect({ url });
    await expect(client.call("get_account")).rejects.toMatchObject({
      message: expect.stringMatching(/401|unauthorized/i),
    });
    await client.close();
  });

  test("replays a submission with the same key, and refuses the key for another submission", async () => {
    const { id, key } = await service.account();
    const client = await connect({ url, key });
    await client.list();
    const input = { urls: ["https://example.com/"], idempotency_key: "once" };
    const first = await client.call("submit_urls", input);
    const again = await client.call("submit_urls", input);
    expect(first._meta?.["beckon/idempotent-replayed"]).toBeUndefined();
    expect(again._meta?.["beckon/idempotent-replayed"]).toBe(true);
    expect(again.content).toEqual(first.content);
    expect(answerOf(again)).toMatchObject({ balance: 149 });
    const other = await client.call("submit_urls", { ...input, mode: "instant" });
    expect(errorOf(other).code).toBe("idempotency_mismatch");
    const { accounts } = service.db.t;
    const rows = await service.db.q.select().from(accounts);
    expect(rows.find((row) => row.id === id)?.credits).toBe(149);
    await client.close();
  });

  test("names every issue of an invalid input, as a tool error", async () => {
    const client = await connect({ url, key: (await service.account()).key });
    await client.list();
    const error = errorOf(await client.call("submit_urls", { urls: "https://example.com/", drip_days: 5 }));
    expect(error).toMatchObject({ code: "invalid_request", docs: "http://beckon.test/docs/errors/invalid_request" });
    expect(error.issues).toMatchObject([{ path: "urls" }, { path: "drip_days" }]);
    await client.close();
  });

  test("-32602: an unknown tool", async () => {
    const client = await connect({ url });
    await expect(client.call("make_coffee")).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});
