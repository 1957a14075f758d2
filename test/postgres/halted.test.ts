import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { dayOf, usageOf } from "../../src/domain/limits/day.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { type PostgresServer, startPostgres } from "../support/database/postgres-server.ts";
import { poster, toolCall } from "../support/mcp/post.ts";
import { appOf } from "../support/oauth/app.ts";
import { TestClock } from "../support/service/clock.ts";
import { type TestService, testService } from "../support/service/service.ts";
import { signedIn } from "../support/website/user.ts";

/** A real server that loses power under a service, and comes back. */
let server: PostgresServer;
let service: TestService;
beforeAll(async () => {
  server = await startPostgres({ durable: true });
  const database = await server.create("beckon");
  await (await openDatabase(database)).close();
  service = await testService({ sharedWith: { database, clock: new TestClock() } });
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

test("law: every surface answers 503 while PostgreSQL is down, and works again afterwards; no count is lost", async () => {
  const { id, key } = await service.account();
  const { user } = await signedIn(service);
  const { url, request, errors, clock, db } = service;
  for (let i = 0; i < 3; i++) expect((await request("GET", "/account", { key })).status).toBe(200);

  await server.halt();
  const params = { message: message("m", { parts: [{ data: { skill: "get_account", input: {} } }] }) };
  const agent = a2aClient(`${url}/a2a`, key);
  const answers = {
    rest: await request("GET", "/account", { key }),
    mcp: await poster(url)(toolCall("get_account"), { key }),
    rpc: await agent.rpc("SendMessage", params),
    json: await agent.rest("POST", "/message:send", params),
    oauth: await appOf(service).refresh(`beckon_rt_${"A".repeat(43)}`),
    page: await user.get("/dashboard"),
  };
  for (const [surface, { status, headers }] of Object.entries(answers)) {
    expect([surface, status, headers.get("retry-after")]).toEqual([surface, 503, "5"]);
  }
  expect(JSON.stringify(errors)).not.toContain(server.url().split("@")[0]);

  await server.restart();
  expect((await request("GET", "/account", { key })).status).toBe(200);
  expect((await user.get("/dashboard")).status).toBe(200);
  const now = clock.now();
  // Written by the service itself, every second.
  await expect.poll(async () => (await usageOf(db, id, now)).requests, { timeout: 10_000 }).toBe(4);
  clock.pass(MINUTE);
  expect(dayOf(clock.now())).toBe(dayOf(now));
  expect((await request("GET", "/account", { key })).json.usage_today.requests).toBe(5);
});
