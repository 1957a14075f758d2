import { afterAll, beforeEach, expect, test } from "vitest";
import { sessionsOf } from "../../../../../../src/domain/users/sessions.ts";
import { HOUR, MINUTE } from "../../../../../../src/platform/clock.ts";
import { ownerOf, securityLogOf } from "../../../../../support/database/people.ts";
import { testService } from "../../../../../support/service/service.ts";
import { member, PASSWORD, signInAs } from "../../../../../support/website/member.ts";
import { type PageSeen, signedIn, User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(HOUR));

const sessions = async (accountId: string) =>
  sessionsOf(service.db, await ownerOf(service.db, accountId), service.clock.now());

async function attempt(user: User, email: string, password: string, query = ""): Promise<PageSeen> {
  return user.submit(await user.get(`/sign-in${query}`), { email, password });
}

test("303 with the right password; the case of the address does not matter", async () => {
  const who = await member(service);
  const user = new User(service);
  const page = await attempt(user, who.email.toUpperCase(), PASSWORD);
  expect([page.status, page.location]).toEqual([303, "/dashboard"]);
  expect(await sessions(who.accountId)).toMatchObject([{ browser: "Firefox on Linux", ip: "127.0.0.1" }]);
  const { rows } = await securityLogOf(service.db, who.accountId, { limit: 9, offset: 0 });
  expect(rows).toMatchObject([{ kind: "signed_in", subject: "Firefox on Linux" }]);
});

test("401 law: the same page for a wrong password, an unknown address, and one that is not confirmed", async () => {
  const who = await member(service);
  const unconfirmed = "unconfirmed@example.com";
  const asking = new User(service);
  await asking.submit(await asking.get("/sign-up"), { email: unconfirmed, password: PASSWORD });
  const { email: without } = await signedIn(service);
  const seen = [];
  for (const [email, password] of [
    [who.email, "not the password"],
    ["nobody@example.com", PASSWORD],
    [unconfirmed, PASSWORD],
    [without, PASSWORD],
    ["no address", PASSWORD],
  ] as const) {
    const user = new User(service);
    const page = await attempt(user, email, password, "?return_to=/claim");
    expect(page.text).toContain(
      "The e-mail address or the password is wrong. If you have not confirmed the address yet",
    );
    expect(page.html).toContain('href="/forgot?return_to=%2Fclaim"');
    const fields = new Map(page.forms[0]!.fields);
    expect([fields.get("email"), fields.get("password"), fields.get("return_to")]).toEqual([email, "", "/claim"]);
    expect((await user.get("/dashboard")).status).toBe(303);
    seen.push([page.status, page.html.replaceAll(email, "").replace(/name="token" value="[\w-]+"/g, "")]);
  }
  for (const one of seen) expect(one).toEqual(seen[0]);
  expect(seen[0]![0]).toBe(401);
});

test("a browser that was signed in stays known after it signed out: strangers cannot keep it out", async () => {
  const who = await member(service);
  const user = new User(service);
  const page = await signInAs(user, who);
  const cookie = page.headers.getSetCookie().find((line) => line.startsWith("known="));
  expect(cookie).toMatch(/^known=[\w.-]+; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  await user.submit(await user.get("/sign-out"));
  expect((await user.get("/dashboard")).status).toBe(303);
  const stranger = new User(service);
  for (let n = 0; n < 5; n++) expect((await attempt(stranger, who.email, "wrong")).status).toBe(401);
  expect((await attempt(stranger, who.email, PASSWORD)).status).toBe(429);
  expect((await attempt(user, who.email, PASSWORD)).status).toBe(303);
});

test("400 without an address or a password: counts as no attempt", async () => {
  const who = await member(service);
  const user = new User(service);
  for (let n = 0; n < 8; n++) expect((await attempt(user, who.email, "")).status).toBe(400);
  expect((await attempt(user, "", PASSWORD)).status).toBe(400);
  expect((await attempt(user, who.email, PASSWORD)).status).toBe(303);
});

test("429 after five failures: shows when to try again, and how to sign in by mail", async () => {
  const who = await member(service);
  const user = new User(service);
  for (let n = 0; n < 5; n++) expect((await attempt(user, who.email, "not the password")).status).toBe(401);
  const page = await attempt(user, who.email, PASSWORD, "?return_to=/claim");
  expect([page.status, page.headers.get("retry-after")]).toEqual([429, "900"]);
  expect(page.text).toContain(
    "Too many attempts. Try again in 15 minutes. Or request a link by e-mail, which signs you in at once.",
  );
  expect(page.html).toContain('href="/forgot?return_to=%2Fclaim">request a link by e-mail');
  expect(page.forms).toHaveLength(1);
  service.clock.pass(15 * MINUTE);
  expect((await attempt(user, who.email, PASSWORD)).status).toBe(303);
});

test("the address is escaped when the form is shown again", async () => {
  const email = `"><script>alert(1)</script>`;
  const page = await attempt(new User(service), email, PASSWORD);
  expect(page.status).toBe(401);
  expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
  expect(new Map(page.forms[0]!.fields).get("email")).toBe(email);
});

test("303: somebody who is signed in is redirected; again=1 asks for the password of the same account", async () => {
  const who = await member(service);
  const other = await member(service);
  const user = new User(service);
  await signInAs(user, who);
  expect((await user.get("/sign-in?return_to=/pricing")).location).toBe("/pricing");
  const before = user.cookies.get("sid");
  service.clock.pass(HOUR);
  const page = await user.get("/sign-in?return_to=/pricing&again=1");
  expect(page.html).toMatch(/<input id="email"[^>]* value="[^"]+"[^>]* readonly\/?>/);
  expect(new Map(page.forms[0]!.fields).get("email")).toBe(who.email);
  const wrong = await user.submit(page, { password: "not the password" });
  expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining("The password is wrong.")]);
  const done = await user.submit(page, { email: other.email, password: PASSWORD });
  expect([done.status, done.location]).toEqual([303, "/pricing"]);
  expect(user.cookies.get("sid")).not.toBe(before);
  // The session of before has ended with its secret.
  expect(await sessions(who.accountId)).toMatchObject([{ authenticatedAt: service.clock.now() }]);
  expect(await sessions(other.accountId)).toEqual([]);
});

test("303: signing out ends the session for every holder of its cookie, and no other session", async () => {
  const { user, accountId, email } = await signedIn(service);
  const secret = user.cookies.get("sid")!;
  const elsewhere = new User(service);
  const page = await user.get("/sign-out");
  expect(page.text).toContain(`You are signed in as ${email}`);
  expect(await sessions(accountId)).toHaveLength(1);
  const out = await user.submit(page);
  expect([out.status, out.location]).toEqual([303, "/"]);
  expect(user.cookies.get("sid")).not.toBe(secret);
  expect(await sessions(accountId)).toEqual([]);
  elsewhere.cookies.set("sid", secret);
  for (const one of [user, elsewhere]) expect((await one.get("/dashboard")).status).toBe(303);
  expect((await user.get("/sign-out")).text).toContain("You are not signed in");
});

test.each(["https://evil.example/", "//evil.example", "javascript:alert(1)"])(
  "303: signing out does not redirect to another site: return_to %s",
  async (returnTo) => {
    const { user } = await signedIn(service);
    const page = await user.get(`/sign-out?${new URLSearchParams({ return_to: returnTo })}`);
    expect((await user.submit(page)).location).toBe("/sign-in");
  },
);

test("pages for signed-out readers link to the sign-in page; pages that are the same for everybody link to the dashboard", async () => {
  const link = '<div class="account"><a href="/sign-in">Sign in</a></div>';
  const { user } = await signedIn(service);
  const front = await user.get("/");
  expect(front.html).not.toContain(link);
  expect(front.html).toContain('<a href="/dashboard">Dashboard</a>');
  expect((await new User(service).get("/forgot")).html).toContain(link);
  expect((await user.get("/forgot")).html).not.toContain(link);
});
