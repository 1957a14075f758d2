import { afterAll, describe, expect, test } from "vitest";
import { registerApp } from "../../../../../support/oauth/authorizing-app.ts";
import { testService } from "../../../../../support/service/service.ts";
import { signedIn } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { user, email } = await signedIn(service);

async function consent(more: Parameters<typeof registerApp>[1] = {}, changes = {}) {
  return user.get((await registerApp(service, more)).address(changes));
}

test("200: shows the app, where it is answered, the account, and the scopes", async () => {
  const { status, text, html, forms } = await consent({ name: "Cursor" });
  expect(status).toBe(200);
  expect(text).toContain("Connect “Cursor” to your account?");
  expect(text).toContain("The app chose this name itself. We have not verified it.");
  expect(html).toContain("<code>https://<strong>app.example</strong>/callback</code>");
  expect(forms[0]!.fields.filter(([name]) => name === "scope")).toEqual([["scope", "read"]]);
  expect(text).toContain(`Your account: ${email} Not you?`);
  expect(text).toContain("spends your credits");
  expect(text).toContain("Start purchases of credits");
  expect(forms).toHaveLength(1);
  expect(forms[0]).toMatchObject({
    action: "/oauth/authorize",
    method: "post",
    boxes: ["scope=read", "scope=index", "scope=purchase"],
    buttons: ["decision=allow", "decision=deny"],
  });
  expect(html).toMatch(/class="tick costly"><input [^>]*value="purchase"/);
});

test("200: no framing, no caching, no script, and no form that leads to another site", async () => {
  const { headers, html } = await consent();
  const policy = headers.get("content-security-policy");
  expect(policy).toContain("form-action 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("default-src 'none'");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img|style="|onclick/);
});

describe("where the redirect leads: the whole address is shown", () => {
  test.each([
    ["https://app.example:8443/cb;x?y=1", "https://<strong>app.example:8443</strong>/cb;x?y=1"],
    ["https://APP.example/cb", "<strong>https://APP.example/cb</strong>"],
    ["http://127.0.0.1:7777/cb", "http://<strong>127.0.0.1:7777</strong>/cb"],
    ["http://localhost/cb", "http://<strong>localhost</strong>/cb"],
    ["cursor://anysphere.cursor-mcp/cb", "<strong>cursor:</strong>//anysphere.cursor-mcp/cb"],
    ["com.example.app:/cb", "<strong>com.example.app:</strong>/cb"],
  ])("%s", async (redirectUri, shown) => {
    const { html, headers } = await consent({ redirectUri });
    expect(html).toContain(`<code>${shown}</code>`);
    expect(headers.get("content-security-policy")).toMatch(/; form-action 'self'; frame-ancestors 'none'$/);
  });

  test("the port of the request, which need not be the registered one", async () => {
    const changes = { redirect_uri: "http://127.0.0.1:49152/cb" };
    const { html } = await consent({ redirectUri: "http://127.0.0.1/cb" }, changes);
    expect(html).toContain("<code>http://<strong>127.0.0.1:49152</strong>/cb</code>");
  });

  test("the page warns of a program on this computer, and not of a web site", async () => {
    const warning = "Any program on it can ask for this";
    expect((await consent({ redirectUri: "http://127.0.0.1/cb" })).text).toContain(warning);
    expect((await consent({ redirectUri: "http://localhost:3000/cb" })).text).toContain(warning);
    expect((await consent()).text).not.toContain(warning);
  });
});

describe("what an app says of itself is escaped", () => {
  test.each([
    ["<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"],
    ['"><img src=x onerror=alert(1)>', "&quot;>&lt;img src=x onerror=alert(1)>"],
    ["</bdi></h1><form action=https://evil.example>", "&lt;/bdi>&lt;/h1>&lt;form action=https://evil.example>"],
    ["Beckon\u202e) yllaiciffo", "<bdi>Beckon) yllaiciffo</bdi>"],
    ["&lt;b&gt;", "&amp;lt;b&amp;gt;"],
  ])("a name: %j", async (name, shown) => {
    const { html, forms } = await consent({ name });
    expect(html).toContain(shown);
    expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img|<form action=https/);
    expect(forms).toHaveLength(1);
  });

  test("the state, which is returned unchanged", async () => {
    const state = `"><script>alert(1)</script>' \\ %00 &amp;`;
    const page = await consent({}, { state });
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
    const { location } = await user.submit(page, { decision: "deny" });
    expect(new URL(location!).searchParams.get("state")).toBe(state);
  });
});

test("“Not you?” signs out, asks for another sign-in, and returns to the request", async () => {
  const { user: leaving } = await signedIn(service);
  const { html } = await leaving.get((await registerApp(service)).address());
  const [, href] = /href="(\/sign-out[^"]*)">Not you\?/.exec(html)!;
  const out = await leaving.submit(await leaving.get(href!.replaceAll("&amp;", "&")));
  const signIn = new URL(out.location!, service.url);
  expect([out.status, signIn.pathname]).toEqual([303, "/sign-in"]);
  expect((await user.get(signIn.searchParams.get("return_to")!)).text).toContain("to your account?");
});
