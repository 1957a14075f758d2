import { afterAll, beforeEach, expect, test } from "vitest";
import { accountById } from "../../../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { DAY, HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { secretBoxOf } from "../../../../../src/platform/config/secrets-key.ts";
import { testService } from "../../../../support/service/service.ts";
import { connected } from "../../../../support/website/account-fixtures.ts";
import { giveFactors, showFactorIn } from "../../../../support/website/factors.ts";
import { lastLink, type Member, member, signInAs } from "../../../../support/website/member.ts";
import { User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(HOUR));

const PATH = "/dashboard/security/address";
let mailbox = 0;
const anyEmail = () => `new${++mailbox}@example.net`;

/** Somebody who has just signed in. */
async function signedInUser(who: Member): Promise<User> {
  const user = new User(service);
  await signInAs(user, who);
  return user;
}

/** Requests a change. @returns the path in the mail to the new address */
async function request(user: User, email: string): Promise<string> {
  const sent = await user.submit(await user.get(PATH), { email }, PATH);
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("Check your new mailbox")]);
  return lastLink(service, email);
}

async function addressOf({ accountId }: Member): Promise<string> {
  return (await accountById(service.db, accountId)).email;
}

test("303: asks for the password again when the sign-in is older than an hour, before the form and before it is sent", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  const page = await user.get(PATH);
  service.clock.pass(61 * MINUTE);
  const again = "/sign-in?return_to=%2Fdashboard%2Fsecurity%2Faddress&again=1";
  expect((await user.get(PATH)).location).toBe(again);
  expect((await user.submit(page, { email: anyEmail() }, PATH)).location).toBe(again);
});

test("law: opening a link changes nothing, however often; the button does, and the page says the new address", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  const email = anyEmail();
  const link = await request(user, email);
  for (const any of [user, new User(service), user]) await any.get(link);
  expect(await addressOf(who)).toBe(who.email);
  const done = await user.submit(await user.get(link), {}, "/address/confirm");
  expect(done.location).toBe("/dashboard/profile?done=address_changed");
  const page = await user.follow(done);
  expect(page.text).toContain(`${email} . Change it`.replace(" .", "."));
  expect(page.text).toContain("nothing that guards the account can be removed");
  const undo = lastLink(service, who.email);
  for (const any of [user, new User(service)]) expect((await any.get(undo)).status).toBe(200);
  expect(await addressOf(who)).toBe(email);
});

test("another browser has to be signed in to the same account: 303 without a session, 403 with another one", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  const link = await request(user, anyEmail());
  const phone = new User(service);
  expect((await phone.get(link)).location).toBe(`/sign-in?${new URLSearchParams({ return_to: link })}`);
  const other = await signedInUser(await member(service));
  const refused = await other.get(link);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("This link is for another account")]);
  expect(refused.html).not.toContain(who.email);
  const back = await signInAs(phone, who, link);
  expect(back.location).toBe(link);
  expect((await phone.submit(await phone.get(link), {}, "/address/confirm")).status).toBe(303);
});

test("410: a link that was used, has expired, or never existed; sent by a form too", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  const email = anyEmail();
  const link = await request(user, email);
  const page = await user.get(link);
  await user.submit(page, {}, "/address/confirm");
  expect((await user.get(link)).status).toBe(410);
  expect((await user.submit(page, {}, "/address/confirm")).status).toBe(410);
  const late = await request(user, anyEmail());
  const undo = lastLink(service, who.email);
  service.clock.pass(DAY);
  for (const path of [late, "/address/confirm", "/address/confirm?link=gone", "/address/undo?link=gone"])
    expect((await user.get(path)).status, path).toBe(410);
  const undoPage = await user.get(undo);
  service.clock.pass(6 * DAY);
  expect((await user.submit(undoPage, {}, "/address/undo")).status).toBe(410);
});

test("law: the page is the same whether another account has the address or not", async () => {
  const [who, other] = [await member(service), await member(service)];
  const user = await signedInUser(who);
  const seen = [];
  for (const email of [anyEmail(), other.email]) {
    const { status, html } = await user.submit(await user.get(PATH), { email }, PATH);
    seen.push([status, html.replace(/value="[^"]*"/g, "")]);
  }
  expect(seen[0]).toEqual(seen[1]);
});

test("400: no valid address, or the present one; 429 with Retry-After after five in an hour", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  const page = await user.get(PATH);
  for (const email of ["ann", "", who.email.toUpperCase()])
    expect((await user.submit(page, { email }, PATH)).status).toBe(400);
  for (let n = 0; n < 5; n++) await request(user, anyEmail());
  const refused = await user.submit(page, { email: anyEmail() }, PATH);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect((await user.submit(page, { email: [anyEmail(), anyEmail()] }, PATH)).status).toBe(400);
});

test("law: undoing lets every browser, key, app and agent out, and leads to a new password, which signs in", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  const now = service.clock.now();
  const key = await service.db.tx((tx) => createKey(tx, { accountId: who.accountId, name: "k", mode: "sandbox", now }));
  const app = await connected(service, who.accountId);
  const agent = await connected(service, who.accountId, { kind: "agent" });
  const credentials = [key, app.token, agent.token];
  const answers = () =>
    Promise.all(credentials.map(async (one) => (await service.request("GET", "/account", { key: one })).status));
  await user.submit(await user.get(await request(user, anyEmail())), {}, "/address/confirm");
  expect(await answers()).toEqual([200, 200, 200]);

  const victim = new User(service);
  const done = await victim.submit(await victim.get(lastLink(service, who.email)), {}, "/address/undo");
  expect(done.location).toMatch(/^\/reset\?link=lnk_/);
  expect(await addressOf(who)).toBe(who.email);
  expect(await answers()).toEqual([401, 401, 401]);
  expect((await user.get("/dashboard")).status).toBe(303);
  expect((await signInAs(new User(service), who)).status).toBe(401);
  const signedIn = await victim.submit(await victim.follow(done), { password: "four patient otters" }, "/reset");
  expect((await victim.follow(signedIn)).status).toBe(200);
  expect((await victim.get(PATH)).text).toContain(who.email);
});

test("400: a factor cannot be removed while the change can be undone, and the page says so", async () => {
  const who = await member(service);
  const user = await signedInUser(who);
  await giveFactors(service, secretBoxOf(service.config), who.accountId);
  await showFactorIn(service, who.accountId);
  const before = await user.get("/dashboard/security");
  await user.submit(await user.get(await request(user, anyEmail())), {}, "/address/confirm");
  const page = await user.get("/dashboard/security");
  expect(page.text).toContain("nothing here can be removed: the change of your e-mail address can be undone");
  expect(page.forms.map(({ action }) => action)).not.toContain("/dashboard/security/app/remove");
  const refused = await user.submit(before, {}, "/dashboard/security/app/remove");
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("that can be undone")]);
});
