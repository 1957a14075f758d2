import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { createLog } from "../../../../src/process/log.ts";
import { startService } from "../../../../src/process/service.ts";
import { testDatabase } from "../../../support/database/database.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";

test("streams of both kinds end properly when the service stops, and do not delay the stop", async () => {
  const database = await testDatabase();
  const config = readConfig({ PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" });
  const running = await startService(config, createLog(config));
  const { db, clock } = running.instance;
  const key = await db.tx(async (tx) => {
    const now = clock.now();
    const { id } = await createAccount(tx, { email: "client@example.com", now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: 150, now });
    return createKey(tx, { accountId: id, name: "test", mode: "sandbox", now });
  });
  const [url, post] = [`${running.address}/mcp`, poster(running.address)];
  const submitted = await post(toolCall("submit_urls", { urls: ["https://example.com/"] }), { key });
  const uri = `beckon://projects/${submitted.json.result.structuredContent.project.id}`;
  const Authorization = `Bearer ${key}`;

  const listen = modern(message("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }));
  const types = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
  // This client keeps its connections for as long as the service does.
  const agent = new Agent({ keepAlive: true });
  /** @returns the stream, once it has begun */
  const open = async (method: string, headers: Record<string, string>, body = "") => {
    const sent = request(url, { agent, method, headers }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { ended: text(response) };
  };
  const sent = { ...listen.headers, ...types, Authorization };
  const listening = await open("POST", sent, JSON.stringify(listen.body));
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const { headers } = await post(message("initialize", params), { key });
  const session = { "Mcp-Session-Id": headers.get("mcp-session-id")! };
  const stream = await open("GET", { ...session, Authorization, Accept: "text/event-stream" });
  const { resourceSubscriptions } = db.t;
  await post(message("resources/subscribe", { uri }), { key, headers: session });
  expect(await db.q.select().from(resourceSubscriptions)).toHaveLength(1);

  const begun = performance.now();
  await running.stop();
  // Connections that are still open after 10 s are cut.
  expect(performance.now() - begun).toBeLessThan(9_000);
  const [listened] = await Promise.all([listening.ended, stream.ended]);
  expect(listened).toContain("notifications/subscriptions/acknowledged");
  // The client knows by this result that it was no fault of the connection.
  expect(listened).toContain('"resultType":"complete"');
  agent.destroy();
  await database.drop();
});
