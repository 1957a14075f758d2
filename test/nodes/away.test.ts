import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/platform/clock.ts";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { switchableDatabase } from "../support/database/switchable-database.ts";
import { poster, toolCall } from "../support/mcp/post.ts";
import { Agent } from "../support/oauth/agent.ts";
import { appOf } from "../support/oauth/app.ts";
import { eventsFor } from "../support/payments/card-events.ts";
import { cardWebhook } from "../support/payments/card-webhook.ts";
import { stateOf } from "../support/website/account-state.ts";
import { signedIn, User } from "../support/website/user.ts";

const database = switchableDatabase();
const { service, post, signed, newOrder } = await cardWebhook({ engine: database.wrap });
const { url, request, db } = service;
const { id, key } = await service.account();
const app = appOf(service);
const agent = a2aClient(`${url}/a2a`, key);
const urls = ["https://example.com/"];
beforeEach(() => {
  database.state = "up";
  service.clock.pass(MINUTE);
});
afterAll(() => {
  database.state = "up";
});

const again = (headers: Headers) => headers.get("retry-after");
const params = (input: object, messageId = "m") => ({
  message: { ...message(messageId, { parts: [{ data: { skill: "submit_urls", input } }] }) },
});

describe("503 unavailable with Retry-After 5, never 500 internal, while the database does not answer", () => {
  beforeEach(() => {
    database.state = "down";
  });

  test.each([
    ["GET", "/account", undefined],
    ["GET", "/projects/prj_1/links.csv", undefined],
    ["POST", "/projects", { urls }],
    ["POST", "/checkout", { pack: "basic" }],
  ])("REST: %s %s", async (method, path, body) => {
    const { status, headers, json } = await request(method, path, { key, body });
    expect([status, again(headers), json.error.code]).toEqual([503, "5", "unavailable"]);
    expect(json.error.message).toMatch(/database.*Try again/);
  });

  test("REST: what needs no database is answered", async () => {
    expect((await request("GET", "/pricing")).status).toBe(200);
  });

  test("MCP", async () => {
    for (const call of [toolCall("get_account"), toolCall("submit_urls", { urls })]) {
      const { status, headers, json } = await poster(url)(call, { key });
      expect([status, again(headers), json.error.data.code]).toEqual([503, "5", "unavailable"]);
    }
  });

  test("A2A, both bindings and 0.3", async () => {
    const rpc = await agent.rpc("SendMessage", params({ urls }));
    const rest = await agent.rest("POST", "/message:send", params({ urls }));
    const old = await agent.legacy("tasks/get", { id: "tsk_1" });
    for (const { status, headers, text } of [rpc, rest, old]) {
      expect([status, again(headers), text.includes('"UNAVAILABLE"')]).toEqual([503, "5", true]);
    }
  });

  test("OAuth: errors of RFC 6749 and of the service", async () => {
    const flat = await app.post("/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: `beckon_rt_${"A".repeat(43)}`,
    });
    expect([flat.status, again(flat.headers), flat.json.error]).toEqual([503, "5", "temporarily_unavailable"]);
    const ours = await new Agent(service).register("person@example.com");
    expect([ours.status, again(ours.headers), ours.body.error.code]).toEqual([503, "5", "unavailable"]);
  });

  test("an outage uses up no attempts", async () => {
    for (let i = 0; i < 61; i++) {
      const form = { grant_type: "refresh_token", refresh_token: `beckon_rt_${"A".repeat(43)}` };
      expect((await app.post("/oauth/token", form)).status).toBe(503);
    }
  });

  test("webhooks, so that the event comes again; then it is booked", async () => {
    database.state = "up";
    const body = JSON.stringify(eventsFor(await newOrder()).paid());
    database.state = "down";
    const { status, headers, json } = await post(body, signed(body));
    expect([status, again(headers), json.error.code]).toEqual([503, "5", "unavailable"]);
    database.state = "up";
    expect((await post(body, signed(body))).status).toBe(200);
  });

  test("pages say that the service is unavailable", async () => {
    database.state = "up";
    const { user } = await signedIn(service);
    database.state = "down";
    for (const [who, path] of [
      [user, "/dashboard"],
      [new User(service), `/confirm?link=lnk_${"A".repeat(43)}`],
    ] as const) {
      const { status, headers, text } = await who.get(path);
      expect([path, status, again(headers), text]).toEqual([
        path,
        503,
        "5",
        expect.stringMatching(/cannot reach its database/),
      ]);
    }
  });
});

describe("a connection lost in the middle of a commit", () => {
  test("law: after a 503 the same key returns the outcome, and nothing is spent twice", async () => {
    const headers = { "Idempotency-Key": "lost" };
    const before = await stateOf(db, id);
    database.state = "loses commits";
    const lost = await request("POST", "/projects", { key, body: { urls }, headers });
    expect([lost.status, again(lost.headers), lost.json.error.code]).toEqual([503, "5", "unavailable"]);
    database.state = "up";
    expect(await stateOf(db, id)).toMatchObject({ balance: before.balance });
  });

  test("law: of the work itself: 503 names the key, the project is there once, and the same key answers it", async () => {
    const headers = { "Idempotency-Key": "lost later" };
    const before = await stateOf(db, id);
    // The transaction whose answer tells of the project.
    database.losesCommit = (value) => (JSON.stringify(value) ?? "").includes("prj_");
    const lost = await request("POST", "/projects", { key, body: { urls }, headers });
    database.losesCommit = undefined;
    expect([lost.status, again(lost.headers), lost.json.error.code]).toEqual([503, "5", "unavailable"]);
    expect(lost.json.error.message).toMatch(/same Idempotency-Key/);
    const answer = await request("POST", "/projects", { key, body: { urls }, headers });
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    const after = await stateOf(db, id);
    expect([before.balance - after.balance, after.projects.length - before.projects.length]).toEqual([1, 1]);
  });
});
