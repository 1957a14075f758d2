import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { hashOf } from "../../../../../../src/domain/credentials/secrets.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { CHALLENGE } from "../../../../../support/oauth/app.ts";
import { type Changes, redirectParameters, registerApp } from "../../../../../support/oauth/authorizing-app.ts";
import { testService } from "../../../../../support/service/service.ts";
import { type PageSeen, signedIn, User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const app = await registerApp(service);
const SITE = service.config.siteUrl;
const { user, accountId } = await signedIn(service);
const other = await signedIn(service);

async function codes() {
  return service.db.q.select().from(service.db.t.codes);
}

/** The request that the form of a page carries, changed. */
function tampered(page: PageSeen, change: (query: URLSearchParams) => void): string {
  const query = new URLSearchParams(page.forms[0]!.fields.find(([name]) => name === "request")![1]);
  change(query);
  return query.toString();
}

test("200, and on to the app, with a code for the ticked scopes, the state unchanged, and the issuer", async () => {
  const page = await user.get(app.address());
  const { status, location, headers } = await user.submit(page, { decision: "allow", scope: ["read", "index"] });
  expect([status, headers.get("referrer-policy")]).toEqual([200, "no-referrer"]);
  expect(location!.split("?")[0]).toBe(app.redirectUri);
  const { code, ...rest } = redirectParameters(location);
  expect(rest).toEqual({ state: "from the app", iss: SITE });
  expect(headers.get("cache-control")).toBe("no-store, no-transform");
  expect((await codes()).find(({ hash }) => hash === hashOf(code!))).toMatchObject({
    accountId,
    clientId: app.clientId,
    clientName: "Test app",
    redirectUri: app.redirectUri,
    challenge: CHALLENGE,
    scopes: "read index",
    audience: "",
    expiresAt: service.clock.now() + MINUTE,
  });
});

const EVERY = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join("");

test.each([
  ["letters", "x".repeat(4_096)],
  ["quotes, each of which takes three characters", '"'.repeat(4_096)],
  ["every printable character", EVERY.repeat(44).slice(0, 4_096)],
])("200: a state of 4,096 %s comes back, and its request survives the sign-in", async (_, state) => {
  const { location = "" } = (await headOf(app.address({ state }))).headers;
  expect((await headOf(location)).statusCode).toBe(200);
  const page = await user.get(new URL(location, SITE).searchParams.get("return_to")!);
  const answer = await user.submit(page, { decision: "allow", scope: ["read"] });
  expect(redirectParameters(answer.location)).toMatchObject({ code: expect.any(String), state });
});

/** Asks as a browser that is not signed in, which reads longer heads than fetch. */
async function headOf(path: string): Promise<IncomingMessage> {
  const [response] = await once(request(`${service.url}${path}`, { maxHeaderSize: 65_536 }).end(), "response");
  response.resume();
  return response;
}

test("200 with a code for the one resource of the request", async () => {
  const page = await user.get(app.address({ resource: `${SITE}/mcp/`, state: null }));
  const { location } = await user.submit(page, { decision: "allow", scope: ["read", "index", "purchase"] });
  const { code, ...rest } = redirectParameters(location);
  expect(rest).toEqual({ iss: SITE });
  expect((await codes()).find(({ hash }) => hash === hashOf(code!))).toMatchObject({
    audience: "/mcp",
    scopes: "read index purchase",
  });
});

describe("200 access_denied, and no code", () => {
  test.each<[string, Record<string, string | null | readonly string[]>]>([
    ["by the button", { decision: "deny" }],
    ["without a decision", {}],
    ["by another word", { decision: "ALLOW" }],
    ["with nothing ticked", { decision: "allow", scope: null }],
    ["with a scope ticked that does not exist", { decision: "allow", scope: ["admin", ""] }],
  ])("%s", async (_, fill) => {
    const before = (await codes()).length;
    const { status, location } = await user.submit(await user.get(app.address()), fill);
    expect(status).toBe(200);
    expect(redirectParameters(location)).toEqual({
      error: "access_denied",
      error_description: "The user declined.",
      state: "from the app",
      iss: SITE,
    });
    expect(await codes()).toHaveLength(before);
  });
});

test("200 access_denied: only a scope that was not requested is ticked", async () => {
  const page = await user.get(app.address({ scope: "read" }));
  expect(page.forms[0]!.boxes).toEqual(["scope=read"]);
  const { location } = await user.submit(page, { decision: "allow", scope: "purchase" });
  expect(redirectParameters(location).error).toBe("access_denied");
});

test("200: a scope that was not requested is not granted along with one that was", async () => {
  const page = await user.get(app.address({ scope: "read" }));
  const { location } = await user.submit(page, { decision: "allow", scope: ["read", "purchase", "read"] });
  const code = (await codes()).find(({ hash }) => hash === hashOf(redirectParameters(location).code!));
  expect(code).toMatchObject({ scopes: "read" });
});

test("200: without a scope in the request all are offered, and only read is ticked", async () => {
  const { forms } = await user.get(app.address({ scope: null }));
  expect(forms[0]!.boxes).toEqual(["scope=read", "scope=index", "scope=purchase"]);
  expect(forms[0]!.fields.filter(([name]) => name === "scope")).toEqual([["scope", "read"]]);
});

describe("a request that was changed in the form is checked again", () => {
  test.each<[string, (query: URLSearchParams) => void]>([
    ["another redirect_uri", (query) => query.set("redirect_uri", "https://evil.example/")],
    ["a second redirect_uri", (query) => query.append("redirect_uri", "https://evil.example/")],
    ["no redirect_uri", (query) => query.delete("redirect_uri")],
    ["another client", (query) => query.set("client_id", "cli_00000000000000000000")],
    ["a second client", (query) => query.append("client_id", "cli_00000000000000000000")],
    ["nothing at all", (query) => void [...query.keys()].map((name) => query.delete(name))],
  ])("400, and no redirect: %s", async (_, change) => {
    const page = await user.get(app.address());
    const answer = await user.submit(page, { decision: "allow", request: tampered(page, change) });
    expect([answer.status, answer.location]).toEqual([400, null]);
  });

  test.each<[string, string, (query: URLSearchParams) => void]>([
    ["no PKCE", "invalid_request", (query) => query.delete("code_challenge")],
    ["plain PKCE", "invalid_request", (query) => query.set("code_challenge_method", "plain")],
    ["a scope that does not exist", "invalid_scope", (query) => query.set("scope", "admin")],
    ["a resource elsewhere", "invalid_target", (query) => query.set("resource", "https://evil.example/")],
    ["a token instead of a code", "unsupported_response_type", (query) => query.set("response_type", "token")],
    ["a line break in state", "invalid_request", (query) => query.set("state", "x\r\nSet-Cookie: a=b")],
  ])("400, and a link with the error: %s", async (_, error, change) => {
    const page = await user.get(app.address());
    const answer = await user.submit(page, { decision: "allow", request: tampered(page, change) });
    expect([answer.status, answer.location]).toEqual([400, null]);
    expect(redirectParameters(linkBack(answer))).toMatchObject({ error, iss: SITE });
    expect(answer.html).not.toContain("code=");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("200 access_denied: the form requests other scopes than were shown, and none of those shown is ticked", async () => {
    const page = await user.get(app.address({ scope: "read" }));
    const request = tampered(page, (query) => query.set("scope", "index"));
    expect(redirectParameters((await user.submit(page, { decision: "allow", request })).location).error).toBe(
      "access_denied",
    );
  });

  test("400: the request twice", async () => {
    const page = await user.get(app.address());
    const request = tampered(page, () => undefined);
    expect((await user.submit(page, { decision: "allow", request: [request, request] })).status).toBe(400);
  });
});

describe("400, and no redirect", () => {
  test.each<[string, Changes]>([
    ["an unknown client", { client_id: "cli_00000000000000000000" }],
    ["no client", { client_id: null }],
    ["two clients", { client_id: [app.clientId, "cli_x"] }],
    ["a redirect elsewhere", { redirect_uri: "https://evil.example/callback" }],
    ["a redirect to a path below", { redirect_uri: `${app.redirectUri}/../evil` }],
    ["a redirect that runs", { redirect_uri: "javascript:alert(1)" }],
    ["two redirects", { redirect_uri: [app.redirectUri, app.redirectUri] }],
    ["a request too long", { state: "x".repeat(16_001) }],
  ])("%s", async (_, changes) => {
    const page = await user.get(app.address(changes));
    expect([page.status, page.location, page.forms]).toEqual([400, null, []]);
    expect(page.text).toContain("This app cannot be connected");
    expect(page.html).not.toMatch(/evil|alert/);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'none'");
  });
});

describe("400, and a link to the app with the error and the issuer: nobody is taken there without a click", () => {
  test.each<[string, string, Changes]>([
    ["PKCE missing", "invalid_request", { code_challenge: null, code_challenge_method: null }],
    ["PKCE plain", "invalid_request", { code_challenge_method: "plain" }],
    ["PKCE short", "invalid_request", { code_challenge: "abc" }],
    ["a parameter twice", "invalid_request", { scope: ["read", "index"] }],
    ["no known scope", "invalid_scope", { scope: "openid" }],
    ["a resource elsewhere", "invalid_target", { resource: "https://evil.example/" }],
  ])("%s", async (_, error, changes) => {
    const page = await user.get(app.address(changes));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.html).not.toContain("http-equiv");
    expect(linkBack(page).startsWith(`${app.redirectUri}?`)).toBe(true);
    expect(redirectParameters(linkBack(page))).toMatchObject({ error, state: "from the app", iss: SITE });
  });
});

describe("requests that need a sign-in, a confirmed address or a CSRF token", () => {
  test("303 to sign in and back when signed out", async () => {
    const nobody = new User(service);
    const { status, location } = await nobody.get(app.address({ state: "a\\b 'c' ü%" }));
    expect(status).toBe(303);
    const { pathname, searchParams } = new URL(location!, service.url);
    expect(pathname).toBe("/sign-in");
    const back = searchParams.get("return_to")!;
    expect(back).toMatch(/^\/oauth\/authorize\?[\x21-\x5b\x5d-\x7e]+$/);
    expect(new URLSearchParams(back.split("?")[1]).get("state")).toBe("a\\b 'c' ü%");
  });

  test.each([
    ["no app", { client_id: null }],
    ["an app that nobody knows", { client_id: "cli_nobody" }],
    ["another redirect", { redirect_uri: "https://evil.example/" }],
    ["no redirect", { redirect_uri: null }],
  ])("400 before the sign-in: %s", async (_, changes) => {
    const { status, location, text } = await new User(service).get(app.address(changes));
    expect([status, location]).toEqual([400, null]);
    expect(text).toContain("This app cannot be connected");
  });

  test("303 to sign in before any other error is answered, so that nobody is redirected to an app unasked (RFC 9700 section 4.11.2)", async () => {
    const { location } = await new User(service).get(app.address({ response_type: "token" }));
    expect(location).toMatch(/^\/sign-in\?/);
  });

  test("303 to sign in for an app with a document, which is not fetched before", async () => {
    const { location } = await new User(service).get(app.address({ client_id: "https://app.example/client.json" }));
    expect(location).toMatch(/^\/sign-in\?/);
  });

  test("303 to sign in and back when the session ended while the page was open", async () => {
    const { user: leaving, accountId: id } = await signedIn(service);
    const page = await leaving.get(app.address());
    const { sessions } = service.db.t;
    await service.db.tx(async (tx) => void (await tx.q.delete(sessions).where(eq(sessions.accountId, id))));
    const { status, location } = await leaving.submit(page, { decision: "allow" });
    expect([status, location!.startsWith("/sign-in?return_to=%2Foauth%2Fauthorize%3F")]).toEqual([303, true]);
  });

  test("403: an address that is not confirmed, for the page and for the form", async () => {
    const { user: unproven } = await signedIn(service, { verified: false });
    const page = await unproven.get(app.address());
    expect([page.status, page.forms]).toEqual([403, []]);
    expect(page.text).toContain("Confirm your e-mail address first");
    expect(page.html).toContain('href="/forgot?return_to=%2Foauth%2Fauthorize%3F');
    const asked = await user.get(app.address());
    const token = tokenOf(unproven);
    const answer = await unproven.submit(asked, { decision: "allow", token });
    expect([answer.status, answer.location]).toEqual([403, null]);
  });

  test.each<[string, Record<string, string | null>, Record<string, string>]>([
    ["without a token", { token: null }, {}],
    ["with the token of another session", { token: tokenOf(other.user) }, {}],
    ["sent by another site, as its fetch metadata says", {}, { "Sec-Fetch-Site": "cross-site" }],
    ["sent by a site beside ours", {}, { "Sec-Fetch-Site": "same-site" }],
  ])("403: %s", async (_, fill, headers) => {
    const before = (await codes()).length;
    const page = await user.get(app.address());
    const answer = await user.submit(page, { decision: "allow", ...fill }, undefined, headers);
    expect([answer.status, answer.location]).toEqual([403, null]);
    expect(await codes()).toHaveLength(before);
  });

  test.each([
    ["403", "https://evil.example"],
    ["403", "null"],
    ["200", SITE],
  ])("%s: sent by a page of %s, as an older browser says", async (status, origin) => {
    const [form] = (await user.get(app.address())).forms;
    const answer = await fetch(`${service.url}/oauth/authorize`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: `sid=${user.cookies.get("sid")}`, Origin: origin },
      body: new URLSearchParams([...form!.fields, ["decision", "allow"]] as [string, string][]),
    });
    expect(String(answer.status)).toBe(status);
  });
});

test("a GET never grants a code", async () => {
  const before = (await codes()).length;
  const page = await user.get(app.address({ decision: "allow", token: "x" }));
  expect(page.status).toBe(200);
  expect(await codes()).toHaveLength(before);
});

test("consent is asked for every time, with the scopes of that request", async () => {
  await user.submit(await user.get(app.address({ scope: "read" })), { decision: "allow" });
  const page = await user.get(app.address());
  expect(page.status).toBe(200);
  expect(page.forms[0]!.boxes).toHaveLength(3);
});

/** The link to the app, with an error for it. */
function linkBack(page: PageSeen): string {
  return /<a href="([^"]+)" rel="noreferrer">return to/.exec(page.html)![1]!.replaceAll("&amp;", "&");
}

/** A form token of somebody's browser, as any page of theirs holds it. */
function tokenOf(of: User): string {
  return createHmac("sha256", of.cookies.get("sid")!).update("form").digest("base64url");
}
