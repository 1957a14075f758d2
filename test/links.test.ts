import { afterAll, beforeAll, expect, test } from "vitest";
import { ERRORS } from "../src/platform/errors/errors.ts";
import { OAUTH_ERRORS } from "../src/platform/errors/oauth-errors.ts";
import { testService } from "./support/service/service.ts";
import { linksIn } from "./support/website/links.ts";

const service = await testService({ publishUrl: true, config: { contact: "operator@example.com" } });
afterAll(() => service.close());

interface Found {
  readonly status: number;
  readonly type: string;
  /** The ids of its elements, if it is a page. */
  readonly ids: ReadonlySet<string>;
  /** The first page that links to it. */
  readonly from: string;
}

/** Everything that was requested, by path. */
const found = new Map<string, Found>();
const external = new Map<string, string>();
const fragments: { readonly url: string; readonly from: string }[] = [];

/** Endpoints for programs, which answer a GET without a credential with an error. */
const ENDPOINTS = /^\/(?:api\/|mcp$|a2a(?:$|\/)|oauth\/)/;
const STATUSES_OF_ENDPOINTS = [200, 400, 401, 402, 405];

/** The prefix by which documents name a whole API; there is nothing at the prefix itself. */
const BASE = "/api/agent/";

/** Addresses in examples, with made-up ids. */
const MADE_UP = /^\/(?:sandbox\/pay\/cs_sandbox_[a-z]|shared\/shs_)/;

/** Other hosts that we link to, and the hosts of schemas. */
const KNOWN_HOSTS = new Set([
  "www.standardwebhooks.com",
  "keepachangelog.com",
  "semver.org",
  "static.modelcontextprotocol.io",
  "schema.getpostman.com",
  "schemas.agentskills.io",
  "developers.google.com",
  "console.cloud.google.com",
  "contentsignals.org",
  "litestream.io",
]);

/** Follows every link from the origin. */
beforeAll(async () => {
  const queue = [{ url: `${service.url}/`, from: "the origin" }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { url, from } = next;
    if (new URL(url).origin !== service.url) {
      external.set(new URL(url).host, from);
      continue;
    }
    const path = url.slice(service.url.length);
    if (found.has(path)) continue;
    const response = await fetch(url, { redirect: "manual", headers: { Accept: "*/*" } });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const ids = new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!));
    found.set(path, { status: response.status, type, ids, from });
    const location = response.headers.get("location");
    if (location) queue.push({ url: new URL(location, url).href.split("#")[0]!, from: path });
    // An archive has no links, though its bytes may look like some.
    if (/zip/.test(type)) continue;
    const targets = linksIn(response, text, service.url);
    queue.push(...targets.links.map((link) => ({ url: link, from: path })));
    fragments.push(...targets.fragments.map((link) => ({ url: link, from: path })));
  }
});

test("every link of every page, document and description works", () => {
  const dead = [...found].filter(([path, { status }]) => !isFine(path, status));
  expect(dead.map(([path, { status, from }]) => `${status} ${path}, linked from ${from}`)).toEqual([]);
});

test("every kind of document can be reached from the origin", () => {
  const ofType = (part: string) => [...found.values()].filter(({ type }) => type.includes(part)).length;
  expect(ofType("text/html")).toBeGreaterThan(60);
  expect(ofType("text/markdown")).toBeGreaterThan(60);
  expect(ofType("json")).toBeGreaterThan(10);
  for (const path of [
    "/openapi.json",
    "/llms.txt",
    "/llms-full.txt",
    "/auth.md",
    "/mcp/server-card",
    "/.well-known/agent-card.json",
    "/.well-known/api-catalog",
    "/.well-known/ai-catalog.json",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/api/v1",
    "/.well-known/oauth-protected-resource/a2a",
    "/.well-known/jwks.json",
    "/healthz",
    "/api/v1",
    "/mcp",
    "/a2a",
    "/oauth/register",
    "/api/agent/identity",
  ])
    expect(found.get(path), path).toBeDefined();
});

test("the fragment of every link exists", () => {
  const pages = fragments.filter(({ url }) => found.get(pathOf(url))?.type.includes("html"));
  const missing = pages.filter(({ url }) => !found.get(pathOf(url))!.ids.has(decodeURIComponent(url.split("#")[1]!)));
  expect(missing).toEqual([]);
});

test.each([...new Set([...Object.keys(ERRORS), ...Object.keys(OAUTH_ERRORS)])])(
  "200: the page of the error %s is found, as HTML and as Markdown",
  (code) => {
    for (const path of [`/docs/errors/${code}`, `/docs/errors/${code}.md`])
      expect(found.get(path)?.status, path).toBe(200);
  },
);

test("an error links to a page that exists", async () => {
  const { error } = (await (await fetch(`${service.url}/api/v1/account`)).json()) as { error: { docs: string } };
  expect(error.docs).toBe(`${service.url}/docs/errors/unauthorized`);
  expect(found.get(pathOf(error.docs))?.status).toBe(200);
});

test("links lead to few other hosts, all of them listed", () => {
  const strange = [...external].filter(([host]) => !KNOWN_HOSTS.has(host) && !/(^|\.)example(\.com)?$/.test(host));
  expect(strange).toEqual([]);
});

function pathOf(url: string): string {
  return url.slice(service.url.length).split("#")[0]!;
}

function isFine(path: string, status: number): boolean {
  if (path === BASE || MADE_UP.test(path)) return status === 404;
  return (ENDPOINTS.test(path.split("?")[0]!) ? STATUSES_OF_ENDPOINTS : [200, 303]).includes(status);
}
