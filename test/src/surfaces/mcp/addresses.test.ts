import * as oauth from "oauth4webapi";
import { afterAll, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { toolCall } from "../../../support/mcp/post.ts";
import { rawClient } from "../../../support/network/raw-client.ts";
import { SeededRandom } from "../../../support/nodes/seeded-random.ts";
import { appOf, CLIENT, REDIRECT, VERIFIER } from "../../../support/oauth/app.ts";
import { INSECURE } from "../../../support/oauth/strict-app.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const { url } = service;
const app = appOf(service);
// Refusals count on the address.
beforeEach(() => service.clock.pass(MINUTE));

const call = (address: string, token?: string) =>
  fetch(`${url}${address}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(toolCall("get_account")),
  });

const random = new SeededRandom(43);
const QUERY = [..."abcXYZ019-._~!$&'()*+,;=:@/?|^`{}[]\\", "%2C", "%22", "toolsets=jobs"];
const anyQuery = () => Array.from({ length: random.between(1, 12) }, () => random.pick(QUERY)).join("");

const ADDRESSES = [
  "/mcp",
  "/mcp/",
  "/mcp?toolsets=jobs,webhooks",
  "/mcp?toolsets=jobs%2Cwebhooks",
  "/mcp/?toolsets=jobs",
  "/mcp?toolsets=jobs&x=%22%5C",
  "/mcp?x=a\\b",
  ...Array.from({ length: fuzzRuns(20) }, () => `/mcp?${anyQuery()}`),
];

test.each(ADDRESSES)("401: %s leads to metadata whose resource is this very address", async (address) => {
  const refused = await call(address);
  expect(refused.status).toBe(401);
  const [, quoted] = /resource_metadata="((?:[^"\\]|\\.)*)"/.exec(refused.headers.get("www-authenticate")!)!;
  const named = quoted!.replace(/\\(.)/g, "$1");
  // RFC 9728 section 3.1: the well-known part stands between host and path, and the query stays.
  const called = new URL(`${url}${address}`);
  expect(named).toBe(`${url}/.well-known/oauth-protected-resource${called.pathname}${called.search}`);
  const metadata = await (await fetch(named)).json();
  expect(metadata).toMatchObject({ resource: called.href, authorization_servers: [url] });
});

test.each(["/mcp?toolsets=jobs,webhooks", "/mcp?toolsets=sites"])(
  "a strict client finds the metadata of %s by itself",
  async (address) => {
    const resource = new URL(`${url}${address}`);
    const response = await oauth.resourceDiscoveryRequest(resource, INSECURE);
    expect((await oauth.processResourceDiscoveryResponse(resource, response)).resource).toBe(resource.href);
  },
);

test.each(["/mcp", "/mcp/", "/mcp?toolsets=jobs,webhooks", "/mcp?toolsets=sites"])(
  "200: a token for %s is good at every address of MCP, and at no other resource",
  async (address) => {
    const { access } = await app.connected({}, { resource: `${url}${address}` });
    for (const other of ["/mcp", "/mcp/", "/mcp?toolsets=jobs,webhooks", "/mcp?toolsets=sites"])
      expect((await call(other, access)).status, other).toBe(200);
    expect((await app.statuses(access)).rest).toBe(401);
  },
);

test.each(["/mcp/jobs", "/mcp//", "/mcp/mcp", "/mcp/?/x", "/mcp/.well-known/oauth-protected-resource"])(
  "%s is MCP only if its path is",
  async (address) => {
    const isMcp = address.split("?")[0] === "/mcp/";
    const { key } = await service.account();
    for (const token of [undefined, key]) {
      const answer = await call(address, token);
      const body = await answer.json();
      if (isMcp) expect(answer.status).toBe(token === undefined ? 401 : 200);
      else expect([answer.status, body.error.data.code]).toEqual([404, "not_found"]);
    }
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource${address}`);
    expect(metadata.status).toBe(isMcp ? 200 : 404);
    await metadata.text();
  },
);

test("the address may be written with capitals in its scheme and host, at the default port as well", async () => {
  const { host } = new URL(url);
  const client = await rawClient(url, [
    `GET HTTP://${host.toUpperCase()}/.well-known/oauth-protected-resource/mcp HTTP/1.1`,
    `Host: ${host.toUpperCase()}`,
    "Connection: close",
  ]);
  expect(await client.untilClosed()).toContain(`"resource":"${url}/mcp"`);
  const code = await app.code({ accountId: (await service.account()).id });
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    client_id: CLIENT,
    code_verifier: VERIFIER,
  };
  const { status } = await app.post("/oauth/token", { ...form, resource: `HTTP://${host.toUpperCase()}/mcp` });
  expect(status).toBe(200);
});
