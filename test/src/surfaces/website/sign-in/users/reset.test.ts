import { afterAll, beforeEach, expect, test } from "vitest";
import { createAccount } from "../../../../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../../../../src/domain/credentials/keys.ts";
import { personById } from "../../../../../../src/domain/people/people.ts";
import { DAY, HOUR } from "../../../../../../src/platform/clock.ts";
import { testService } from "../../../../../support/service/service.ts";
import { connected, statusOf } from "../../../../../support/website/account-fixtures.ts";
import { lastLink, member, PASSWORD, signInAs } from "../../../../../support/website/member.ts";
import { type PageSeen, User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(HOUR));

const NEW_PASSWORD = "eight loud magpies";

/** Requests a link. @returns the page that it opens */
async function asked(user: User, email: string, returnTo = ""): Promise<PageSeen> {
  const page = await user.get(`/forgot?${new URLSearchParams({ return_to: returnTo })}`);
  await user.submit(page, { email });
  return user.get(lastLink(service, email));
}

/** An account with an app, and a key. */
async function equipped() {
  const who = await member(service);
  const { token } = await connected(service, who.accountId);
  const now = service.clock.now();
  const key = await service.db.tx((tx) => createKey(tx, { accountId: who.accountId, name: "k", mode: "sandbox", now }));
  return { ...who, credentials: [token, key] };
}

test("303: opens the mailed link, sets a new password, is signed in, and continues to the page asked for", async () => {
  const who = await member(service);
  const [other, user] = [new User(service), new User(service)];
  await signInAs(other, who);
  const page = await asked(user, who.email, "/claim?attempt=x");
  expect(new Map(page.forms[0]!.fields).get("email")).toBe(who.email);
  const done = await user.submit(page, { password: NEW_PASSWORD });
  expect([done.status, done.location]).toEqual([303, "/claim?attempt=x"]);
  expect((await user.get("/dashboard")).status).toBe(200);
  expect((await other.get("/dashboard")).status).toBe(303);
  const statuses = [];
  for (const password of [PASSWORD, NEW_PASSWORD])
    statuses.push((await other.submit(await other.get("/sign-in"), { email: who.email, password })).status);
  expect(statuses).toEqual([401, 303]);
});

test("law: the pages are the same for an address without an account, and no mail is sent", async () => {
  const { email } = await member(service);
  const seen = [];
  const before = service.outbox.length;
  for (const address of [email, "nobody@example.com"]) {
    const user = new User(service);
    const answer = await user.submit(await user.get("/forgot?return_to=/claim"), { email: address });
    const page = await user.follow(answer);
    const html = page.html.replaceAll(address, "ADDRESS");
    seen.push([answer.status, answer.location, [...answer.headers.keys()], page.status, html]);
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(service.outbox.slice(before).map(({ to }) => to)).toEqual([email]);
});

for (const [everything, status] of [
  [null, 200],
  ["yes", 401],
] as const) {
  test(`${status} for apps and keys after a reset, the box to revoke them ${everything ? "ticked" : "not ticked"}`, async () => {
    const who = await equipped();
    const user = new User(service);
    const page = await asked(user, who.email);
    expect(page.text).toContain("Also disconnect all apps and agents, and revoke all API keys");
    expect(page.forms[0]!.boxes).toEqual(["everything=yes"]);
    await user.submit(page, { password: NEW_PASSWORD, everything });
    for (const credential of who.credentials) expect(await statusOf(service, credential)).toBe(status);
  });
}

test("an account that never had a password: no box, and the link confirms its address", async () => {
  const email = "operated@example.com";
  const now = service.clock.now();
  const { ownerId } = await service.db.tx((tx) => createAccount(tx, { email, now }));
  const user = new User(service);
  const page = await asked(user, email);
  expect(page.text).toContain("Choose a password");
  expect(page.forms[0]!.boxes).toEqual([]);
  expect((await user.submit(page, { password: NEW_PASSWORD })).status).toBe(303);
  expect((await personById(service.db, ownerId)).verifiedAt).toBe(now);
});

test("400 for a bad password: says why, keeps the box as it was, and the link still works", async () => {
  const { email } = await member(service);
  const user = new User(service);
  const page = await asked(user, email);
  const again = await user.submit(page, { password: "short", everything: "yes" });
  expect([again.status, again.text]).toEqual([400, expect.stringContaining("at least 10 characters")]);
  const fields = new Map(again.forms[0]!.fields);
  expect([fields.get("everything"), fields.get("password")]).toEqual(["yes", ""]);
  expect((await user.submit(again, { password: NEW_PASSWORD, everything: null })).status).toBe(303);
});

test("400 for text that is not an e-mail address", async () => {
  const user = new User(service);
  const page = await user.submit(await user.get("/forgot"), { email: "<b>ann" });
  expect([page.status, page.text]).toEqual([400, expect.stringContaining("Enter an e-mail address")]);
  expect(page.html).not.toContain("<b>");
});

test("410: a link that was used, that has expired, or that never existed, with a good password or a bad one", async () => {
  const { email } = await member(service);
  const [first, second] = [new User(service), new User(service)];
  const page = await asked(first, email);
  const link = lastLink(service, email);
  // The same link, open in another browser.
  const late = await second.get(link);
  expect((await first.submit(page, { password: NEW_PASSWORD })).status).toBe(303);
  for (const password of [PASSWORD, "short"]) expect((await second.submit(late, { password })).status).toBe(410);
  const gone = await asked(second, email);
  service.clock.pass(DAY);
  expect((await second.submit(gone, { password: PASSWORD })).status).toBe(410);
  for (const path of [link, "/reset", "/reset?link=x", `/reset?link=lnk_${"a".repeat(43)}`]) {
    const seen = await second.get(path);
    expect([path, seen.status]).toEqual([path, 410]);
    expect(seen.html).toContain('href="/forgot"');
  }
  expect((await first.get("/dashboard")).status).toBe(200);
});

test("law: opening the link does not use it up", async () => {
  const { email } = await member(service);
  const user = new User(service);
  const page = await asked(user, email);
  for (let n = 0; n < 3; n++) expect((await new User(service).get(lastLink(service, email))).status).toBe(200);
  expect((await user.submit(page, { password: NEW_PASSWORD })).status).toBe(303);
});

test("429 with Retry-After after too many requests from one network", async () => {
  const user = new User(service);
  const ask = async () => user.submit(await user.get("/forgot"), { email: "nobody@example.com" });
  let page = await ask();
  for (let n = 0; n < 20 && page.status === 303; n++) page = await ask();
  expect(page.status).toBe(429);
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(page.text).toContain("Too many attempts. Try again in");
});
