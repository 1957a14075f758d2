import { afterAll, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../../src/clock.ts";
import { appOf } from "../../support/app.ts";
import { poster, toolCall } from "../../support/mcp-post.ts";
import { testService } from "../../support/service.ts";

const service = await testService();
afterAll(() => service.close());
const { clock, url } = service;
const app = appOf(service);
const SITE = "http://beckon.test";
beforeEach(() => clock.pass(MINUTE));

const challenge = (path: string, detail: string) =>
  `Bearer realm="beckon", ${detail}, resource_metadata="${SITE}/.well-known/oauth-protected-resource${path}"`;
const mcp = poster(url);
const rest = (headers: Record<string, string>, query = "") => fetch(`${url}/api/v1/account${query}`, { headers });

test("401: an access token in X-API-Key, in a cookie or in the query", async () => {
  const { access } = await app.connected();
  const places: [Record<string, string>, string][] = [
    [{ "X-API-Key": access }, ""],
    [{ Cookie: `access_token=${access}; sid=${access}` }, ""],
    [{}, `?access_token=${access}`],
  ];
  for (const [headers, query] of places) {
    expect((await rest(headers, query)).status).toBe(401);
    const { body, headers: sent } = json(toolCall("get_account"));
    const answer = await fetch(`${url}/mcp${query}`, { method: "POST", headers: { ...sent, ...headers }, body });
    expect(answer.status).toBe(401);
  }
});

test("401: an access token that is not good, with the challenge of the door that was asked", async () => {
  const headers = { Authorization: `Bearer beckon_at_${"A".repeat(43)}` };
  const invalid = 'error="invalid_token"';
  expect((await rest(headers)).headers.get("www-authenticate")).toBe(challenge("/api/v1", invalid));
  const answer = await mcp(toolCall("get_account"), { headers });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge("/mcp", invalid)]);
  expect(answer.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
});

test("403 insufficient_scope: with the scope that is needed; reading the account is always granted", async () => {
  const { access } = await app.connected({ scopes: ["purchase"] });
  const headers = { Authorization: `Bearer ${access}` };
  expect(await app.statuses(access)).toEqual({ rest: 200, mcp: 200 });
  const lacking = 'error="insufficient_scope", scope="index"';
  const overMcp = await mcp(toolCall("submit_urls", { urls: ["https://a.example/"] }), { headers });
  expect([overMcp.status, overMcp.headers.get("www-authenticate")]).toEqual([403, challenge("/mcp", lacking)]);
  const overRest = await service.request("POST", "/projects", { body: { urls: ["https://a.example/"] }, headers });
  expect([overRest.status, overRest.headers.get("www-authenticate")]).toEqual([403, challenge("/api/v1", lacking)]);
});

test("200: calls are the app's own in limits and in what the account shows", async () => {
  const { access } = await app.connected();
  const answer = await service.request("GET", "/account", { key: access });
  expect(answer.headers.get("ratelimit-remaining")).toBe("119");
  expect(answer.json.credential).toMatchObject({ type: "oauth", name: "Test app" });
});

test("400: a token and a key that differ", async () => {
  const { access } = await app.connected();
  const { key } = await service.account();
  expect((await rest({ Authorization: `Bearer ${access}`, "X-API-Key": key })).status).toBe(400);
});

/** A message as `/mcp` takes it, for requests that the poster cannot make. */
function json(message: object) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return { headers, body: JSON.stringify(message) };
}
