import { beforeEach, expect, test } from "vitest";
import { grantsOf } from "../../../../../../src/domain/oauth/grants.ts";
import { MINUTE, SECOND } from "../../../../../../src/platform/clock.ts";
import { changeOwner, securityLogOf } from "../../../../../support/database/people.ts";
import { Agent } from "../../../../../support/oauth/agent.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { testService } from "../../../../../support/service/service.ts";
import { signedIn, User } from "../../../../../support/website/user.ts";

const service = eachTest(testService);
let agent: Agent;
beforeEach(async () => {
  agent = new Agent(service);
});

/** Somebody signed in, and an agent that waits to be claimed. */
async function asked(more: object = {}) {
  const one = await signedIn(service);
  const { claim, claim_token } = (await agent.register(one.email, more)).body;
  const link = new URL(claim.verification_uri);
  return {
    ...one,
    claim,
    claimToken: claim_token as string,
    path: `${link.pathname}${link.search}`,
    code: claim.user_code as string,
  };
}
const pollOf = async (claimToken: string) => (await agent.poll(claimToken)).body;
const kindsOf = async (accountId: string) =>
  (await securityLogOf(service.db, accountId, { limit: 50, offset: 0 })).rows.map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );

test("200: shows who asks for what, from where, and what it can cost, and never the code", async () => {
  service.clock.pass(0);
  const { user, path, email, code } = await asked();
  service.clock.pass(2 * MINUTE);
  const page = await user.get(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Connect “Release helper” to your account?");
  expect(page.text).toContain("The agent chose this name itself. We have not verified it.");
  expect(page.text).toContain("2 minutes ago");
  expect(page.text).toContain("127.0.0.1");
  expect(page.text).toContain(email);
  expect(page.text).toContain("spend your credits within the limits below and start purchases");
  expect(page.text).toContain("Only continue if you started this yourself");
  expect(page.text).toContain("Never enter a code that somebody sent you");
  expect(page.html).not.toContain(code);
  const [form] = page.forms;
  expect(form).toMatchObject({ action: "/claim", method: "post", buttons: ["decision=allow", "decision=decline"] });
  expect(form!.boxes).toEqual(["scope=read", "scope=index", "scope=purchase"]);
  // What spends is not ticked in advance.
  expect(form!.fields.filter(([name]) => name === "scope")).toEqual([["scope", "read"]]);
  expect(page.html).toMatch(/name="user_code"[^>]*autocomplete="off"/);
});

test("headers: no framing, no caching, and the referrer stays on this site", async () => {
  const { user, path } = await asked();
  const { headers } = await user.get(path);
  expect(headers.get("content-security-policy")).toMatch(/form-action 'self';.*frame-ancestors 'none'/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

test("303: connects the agent with the ticked scopes, and mails its owner where to disconnect it", async () => {
  const { user, path, code, claimToken, accountId, email } = await asked();
  const page = await user.get(path);
  const answer = await user.submit(page, {
    user_code: ` ${code.toLowerCase().slice(0, 3)}-${code.slice(3)} `,
    scope: ["read"],
    decision: "allow",
  });
  expect([answer.status, answer.location]).toEqual([303, path]);
  const done = await user.follow(answer);
  expect(done.text).toContain("The agent is connected");
  expect(done.text).toContain("You can close this page");
  expect(done.html).toContain('href="/dashboard/apps"');
  expect(done.forms).toEqual([]);
  expect((await pollOf(claimToken)).scope).toBe("read");
  expect(await grantsOf(service.db, accountId)).toMatchObject([
    { kind: "agent", name: "Release helper", scopes: "read" },
  ]);
  expect(await kindsOf(accountId)).toEqual(["agent_connected Release helper"]);
  expect(service.outbox).toHaveLength(1);
  const [mail] = service.outbox;
  expect(mail).toMatchObject({ to: email, subject: "An agent was connected to your account" });
  expect(mail!.text).toContain("http://beckon.test/dashboard/apps");
  expect(mail!.text).toContain("See your balance");
  expect(mail!.text).not.toContain("purchase");
});

test("303: declining needs no code; the agent is notified, and the security log has an entry", async () => {
  const { user, path, claimToken, accountId } = await asked();
  const done = await user.follow(await user.submit(await user.get(path), { decision: "decline" }));
  expect(done.text).toContain("You declined");
  expect((await pollOf(claimToken)).error).toBe("access_denied");
  expect(await kindsOf(accountId)).toEqual(["agent_declined Release helper"]);
  expect(service.outbox).toEqual([]);
});

test("400: a wrong code shows how many tries are left and keeps unticked scopes; the fifth locks the registration", async () => {
  const { user, path, code, claimToken, accountId } = await asked();
  const page = await user.get(path);
  const type = (text: string) => user.submit(page, { user_code: text, scope: ["read"], decision: "allow" });
  for (const left of ["4 more tries", "3 more tries", "2 more tries", "one more try"]) {
    const again = await type("000000");
    expect(again.status).toBe(400);
    expect(again.text).toContain(left);
    expect(again.forms[0]!.fields.filter(([name]) => name === "scope")).toEqual([["scope", "read"]]);
    expect(again.html.split("</style>")[1]).not.toContain("000000");
  }
  expect((await user.follow(await type("000000"))).text).toContain("Too many wrong codes");
  expect((await user.follow(await type(code))).text).toContain("This registration is locked");
  expect((await pollOf(claimToken)).error).toBe("access_denied");
  expect((await kindsOf(accountId))[0]).toBe("claim_locked Release helper");
});

test("400 without a code, a scope or a decision: no try is counted", async () => {
  const { user, path, code, accountId } = await asked();
  const page = await user.get(path);
  expect((await user.submit(page, { user_code: " ", decision: "allow" })).text).toContain("Enter the code");
  expect((await user.submit(page, { user_code: code, scope: null, decision: "allow" })).text).toContain(
    "Tick at least one",
  );
  const sly = await user.submit(page, { user_code: code, scope: ["everything"], decision: "allow" });
  expect([sly.status, sly.text]).toEqual([400, expect.stringContaining("Tick at least one")]);
  expect((await user.submit(page, { user_code: code })).status).toBe(400);
  expect(await kindsOf(accountId)).toEqual([]);
});

test("a scope that the agent did not ask for is not granted by ticking it", async () => {
  const { user, path, code, claimToken } = await asked({ scope: "read" });
  const page = await user.get(path);
  expect(page.forms[0]!.boxes).toEqual(["scope=read"]);
  await user.submit(page, { user_code: code, scope: ["read", "purchase"], decision: "allow" });
  expect((await pollOf(claimToken)).scope).toBe("read");
});

test("303 to sign in and back when signed out, without telling anything of the registration", async () => {
  const { path } = await asked();
  const page = await new User(service).get(path);
  expect(page.status).toBe(303);
  const target = new URL(page.location!, service.url);
  expect([target.pathname, target.searchParams.get("return_to")]).toEqual(["/sign-in", path]);
});

test("303 to sign in again more than an hour after the last sign-in, also for a form that was open before", async () => {
  const one = await signedIn(service);
  service.clock.pass(60 * MINUTE);
  const { claim } = (await agent.register(one.email)).body;
  const page = await one.user.get(claim.verification_uri);
  expect(page.status).toBe(200);
  service.clock.pass(SECOND);
  for (const seen of [
    await one.user.get(claim.verification_uri),
    await one.user.submit(page, { user_code: claim.user_code, decision: "allow" }),
  ]) {
    const target = new URL(seen.location!, service.url);
    expect([seen.status, target.pathname, target.searchParams.get("again")]).toEqual([303, "/sign-in", "1"]);
    expect(target.searchParams.get("return_to")).toMatch(/^\/claim\?attempt=cat_/);
  }
  expect(await grantsOf(service.db, one.accountId)).toEqual([]);
});

test("403: another account can neither see nor decide it, even with the right code", async () => {
  const { path, code, email, claimToken } = await asked();
  const other = await signedIn(service);
  const page = await other.user.get(path);
  expect(page.status).toBe(403);
  expect(page.text).toContain(other.email);
  for (const secret of [email, "Release helper", "127.0.0.1"]) expect(page.html).not.toContain(secret);
  expect(page.forms.map(({ action }) => action)).toEqual(["/sign-out"]);
  const token = page.forms[0]!.fields.find(([name]) => name === "token")![1];
  for (const decision of ["allow", "decline"]) {
    const attempt = new URLSearchParams(path.split("?")[1]).get("attempt")!;
    const fields = { token, attempt, user_code: code, scope: "read", decision };
    expect((await other.user.post("/claim", Object.entries(fields))).status).toBe(403);
  }
  expect((await pollOf(claimToken)).error).toBe("authorization_pending");
});

test("403: an account with the right address that is not confirmed", async () => {
  const { user, email, accountId } = await signedIn(service, { verified: false });
  const { claim, claim_token } = (await agent.register(email)).body;
  const page = await user.get(claim.verification_uri);
  expect([page.status, page.text]).toEqual([403, expect.stringContaining("Confirm your e-mail address first")]);
  expect(page.html).not.toContain("Release helper");
  const prove = (verifiedAt: number | null) => service.db.tx((tx) => changeOwner(tx, accountId, { verifiedAt }));
  await prove(1);
  const open = await user.get(claim.verification_uri);
  await prove(null);
  expect((await user.submit(open, { user_code: claim.user_code, decision: "allow" })).status).toBe(403);
  expect((await pollOf(claim_token)).error).toBe("authorization_pending");
});

test("410 names the next step: no link, an unknown one, a replaced one, one that has expired", async () => {
  const { user, path, claimToken, code } = await asked();
  const page = await user.get(path);
  const next = (await agent.reissue(claimToken)).body.claim;
  const gone = ["/claim", "/claim?attempt=x", `/claim?attempt=cat_${"a".repeat(43)}`, path];
  for (const one of gone) {
    const seen = await user.get(one);
    expect([seen.status, seen.text]).toEqual([410, expect.stringContaining("Ask your agent for a new link and code")]);
  }
  expect((await user.submit(page, { user_code: code, decision: "allow" })).status).toBe(410);
  expect((await user.submit(page, { user_code: next.user_code, decision: "allow" })).status).toBe(410);
  service.clock.pass(10 * MINUTE);
  expect((await user.get(next.verification_uri)).status).toBe(410);
  expect((await new User(service).get(next.verification_uri)).status).toBe(410);
});

test("the name of an agent is escaped in page and mail", async () => {
  const name = `"><img src=x onerror=alert(1)>\u202e<b>`;
  const { user, path, code } = await asked({ agent_name: name });
  const page = await user.get(path);
  expect(page.html).toContain("&quot;>&lt;img src=x onerror=alert(1)>&lt;b>");
  expect(page.html).not.toMatch(/<img|<b>|\u202e/);
  const done = await user.follow(await user.submit(page, { user_code: code, decision: "allow" }));
  expect(done.html).not.toMatch(/<img|<b>/);
  const { text, html } = service.outbox[0]!;
  expect(text.replaceAll("\n", " ")).toContain('calls itself ""><img');
  expect(html).not.toMatch(/<img|<b>|\u202e/);
});

test("403: a form without the CSRF token, or with another browser's", async () => {
  const { user, path, code, claimToken } = await asked();
  const page = await user.get(path);
  const fill = { user_code: code, decision: "allow" };
  expect((await user.submit(page, fill, "/claim", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await user.submit(page, { ...fill, token: "x" })).status).toBe(403);
  expect((await user.submit(page, { ...fill, token: null })).status).toBe(403);
  const elsewhere = await signedIn(service);
  expect((await elsewhere.user.submit(page, fill)).status).toBe(403);
  expect((await user.get(`${path}&attempt=x`)).status).toBe(400);
  expect((await pollOf(claimToken)).error).toBe("authorization_pending");
});
