import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { accountById } from "../../../../../src/domain/accounts/accounts.ts";
import { createKey, keysOf } from "../../../../../src/domain/credentials/keys.ts";
import { createGrant } from "../../../../../src/domain/oauth/grants.ts";
import { invitationsOf } from "../../../../../src/domain/people/invitations.ts";
import { membersOf } from "../../../../../src/domain/people/members.ts";
import { personByEmail } from "../../../../../src/domain/people/people.ts";
import { requestApproval } from "../../../../../src/domain/spending/approvals.ts";
import { budgetOf } from "../../../../../src/domain/spending/budgets.ts";
import { openSession } from "../../../../../src/domain/users/sessions.ts";
import { DAY } from "../../../../../src/platform/clock.ts";
import type { Role } from "../../../../../src/platform/principal.ts";
import { newMember } from "../../../../support/database/people.ts";
import { testService } from "../../../../support/service/service.ts";
import { lastLink, PASSWORD } from "../../../../support/website/member.ts";
import { type PageSeen, signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;

const PEOPLE = "/dashboard/people";
const ACCOUNTS = "/dashboard/accounts";
let owner: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  owner = await signedIn(service);
});

const anyEmail = () => `${randomUUID()}@example.com`;
const roles = async (accountId = owner.accountId) =>
  Object.fromEntries((await membersOf(db, accountId)).map(({ email, role }) => [email, role]));
const invite = async (email: string, role: Role = "member", by = owner.user): Promise<PageSeen> =>
  by.submit(await by.get(PEOPLE), { email, role }, PEOPLE);
const join = async (user: User) => user.submit(await user.get(ACCOUNTS), {}, `${ACCOUNTS}/join`);
const idOf = async (email: string) => (await personByEmail(db, email))!.id;
const remove = async (email: string, made: string, by = owner.user) => {
  const path = `${PEOPLE}/${await idOf(email)}/remove`;
  return by.submit(await by.get(PEOPLE), { made }, path);
};

test("an invited person with an account joins, works in the account, and changes back", async () => {
  const guest = await signedIn(service);
  expect((await invite(guest.email)).status).toBe(303);
  expect(service.outbox.at(-1)).toMatchObject({ to: guest.email, subject: "You are invited to an account on Beckon" });
  expect((await join(guest.user)).status).toBe(303);
  expect(await roles()).toEqual({ [owner.email]: "owner", [guest.email]: "member" });
  expect((await guest.user.get("/dashboard")).text).toContain("Switch account");
  expect((await guest.user.get(PEOPLE)).text).not.toContain(owner.email);
  const chosen = { account: guest.accountId };
  const own = await guest.user.get(ACCOUNTS);
  await guest.user.post(ACCOUNTS, Object.entries({ ...Object.fromEntries(own.forms.at(-1)!.fields), ...chosen }));
  expect((await guest.user.get(PEOPLE)).text).toContain(guest.email);
});

test("law: an invitation is for its address alone, is used once, and ends after seven days or when it is taken back", async () => {
  const [guest, other] = [await signedIn(service), await signedIn(service)];
  await invite(guest.email);
  const [invitation] = await invitationsOf(db, owner.accountId, clock.now());
  const { id } = invitation!;
  const tokenOf = async (user: User) => Object.fromEntries((await user.get(ACCOUNTS)).forms[0]!.fields).token!;
  const accept = async ({ user }: { user: User }) =>
    (
      await user.post(`${ACCOUNTS}/join`, [
        ["token", await tokenOf(user)],
        ["invitation", id],
      ])
    ).status;
  expect(await accept(other)).toBe(404);
  const token = await tokenOf(guest.user);
  const form = [
    ["token", token],
    ["invitation", id],
  ] as const;
  const raced = await Promise.all([1, 2, 3].map(() => guest.user.post(`${ACCOUNTS}/join`, form)));
  expect(raced.filter(({ location }) => location === "/dashboard")).toHaveLength(1);
  expect(Object.keys(await roles())).toHaveLength(2);
  await invite(other.email);
  const page = await owner.user.get(PEOPLE);
  expect(
    (await owner.user.submit(page, {}, page.forms.find(({ action }) => action.endsWith("/revoke"))!.action)).status,
  ).toBe(303);
  expect((await other.user.get(ACCOUNTS)).text).toContain("Nobody has invited");
  await invite(other.email);
  clock.pass(7 * DAY);
  expect(await invitationsOf(db, owner.accountId, clock.now())).toEqual([]);
});

test("400 for an invitation of oneself, of a member, and of what is no address", async () => {
  const guest = await signedIn(service);
  await invite(guest.email);
  await join(guest.user);
  for (const email of [owner.email, guest.email, "nobody"]) expect((await invite(email)).status).toBe(400);
});

test("who signs up with an invited address joins the account, and gets no account besides", async () => {
  const email = anyEmail();
  await invite(email, "viewer");
  const user = new User(service);
  await user.submit(await user.get("/sign-up"), { email, password: PASSWORD }, "/sign-up");
  await user.submit(await user.get(lastLink(service, email)), {}, "/confirm");
  expect(await roles()).toMatchObject({ [email]: "viewer" });
  expect((await user.get(ACCOUNTS)).text).not.toContain("Work in");
  expect((await user.get("/dashboard/keys")).status).toBe(200);
});

test("law: the last owner neither leaves nor is lowered; of two who leave at the same time one stays", async () => {
  const own = `${PEOPLE}/${await idOf(owner.email)}`;
  const offered = async () => (await owner.user.get(PEOPLE)).forms.map(({ action }) => action);
  await db.tx((tx) => newMember(tx, { ...owner, role: "viewer", email: anyEmail(), now: clock.now() }));
  expect((await offered()).filter((action) => action.startsWith(own))).toEqual([]);
  expect((await owner.user.get(PEOPLE)).text).toContain("make somebody else an owner first");
  const second = await signedIn(service);
  await invite(second.email, "owner");
  await join(second.user);
  expect((await offered()).filter((action) => action.startsWith(own))).toEqual([`${own}/role`, `${own}/remove`]);
  const leave = async ({ user, email }: { user: User; email: string }) => {
    const [page, path] = [await user.get(PEOPLE), `${PEOPLE}/${await idOf(email)}/remove`];
    return () => user.submit(page, { made: "ends" }, path);
  };
  const both = [await leave(owner), await leave(second)];
  const left = await Promise.all(both.map((go) => go()));
  expect(left.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(Object.values(await roles()).sort()).toEqual(["owner", "viewer"]);
});

test("a manager invites no owner, and changes none", async () => {
  const manager = await signedIn(service);
  await invite(manager.email, "manager");
  await join(manager.user);
  expect((await invite(anyEmail(), "owner", manager.user)).status).toBe(403);
  const page = await manager.user.get(PEOPLE);
  const token = Object.fromEntries(page.forms[0]!.fields).token!;
  const path = `${PEOPLE}/${await idOf(owner.email)}`;
  expect(
    (
      await manager.user.post(`${path}/role`, [
        ["token", token],
        ["role", "viewer"],
      ])
    ).status,
  ).toBe(403);
  expect(
    (
      await manager.user.post(`${path}/remove`, [
        ["token", token],
        ["made", "ends"],
      ])
    ).status,
  ).toBe(403);
});

test("law: an invitation ends when the one who invites is removed, or gets another role", async () => {
  const manager = await signedIn(service);
  await invite(manager.email, "manager");
  await join(manager.user);
  const changed = async (role: Role) => {
    const path = `${PEOPLE}/${await idOf(manager.email)}/role`;
    await owner.user.submit(await owner.user.get(PEOPLE), { role }, path);
  };
  const open = async () => (await invitationsOf(db, owner.accountId, clock.now())).length;
  await invite(anyEmail(), "member", manager.user);
  expect(await open()).toBe(1);
  await changed("member");
  expect(await open()).toBe(0);
  await changed("manager");
  await invite(anyEmail(), "member", manager.user);
  await remove(manager.email, "ends");
  expect(await open()).toBe(0);
});

test("what a removed member made ends, or is handed over; who is in no other account is deleted", async () => {
  const [left, kept] = [anyEmail(), anyEmail()];
  const now = clock.now();
  const { accountId } = owner;
  await db.tx(async (tx) => {
    for (const email of [left, kept]) {
      const personId = await newMember(tx, { accountId, role: "manager", email, now });
      await createKey(tx, { accountId, personId, name: `key of ${email}`, mode: "sandbox", now });
    }
  });
  expect((await remove(left, "ends")).status).toBe(303);
  expect((await remove(kept, await idOf(owner.email))).status).toBe(303);
  expect((await keysOf(db, accountId)).map(({ name, personId }) => [name, personId])).toEqual([
    [`key of ${kept}`, await idOf(owner.email)],
  ]);
  expect([await personByEmail(db, left), await personByEmail(db, kept)]).toEqual([null, null]);
  expect(await roles()).toEqual({ [owner.email]: "owner" });
  expect((await accountById(db, accountId)).email).toBe(owner.email);
});

test("403 for a form of another tab, which shows the account that was chosen before", async () => {
  const guest = await signedIn(service);
  await invite(guest.email);
  const stale = await guest.user.get("/dashboard/keys");
  await join(guest.user);
  const sent = await guest.user.submit(stale, { name: "k" }, "/dashboard/keys");
  expect([sent.status, await keysOf(db, owner.accountId), await keysOf(db, guest.accountId)]).toEqual([403, [], []]);
});

test("a manager approves no call of a credential of their own; an owner does", async () => {
  const { accountId } = owner;
  const now = clock.now();
  const manager = new User(service);
  const own = await db.tx(async (tx) => {
    const personId = await newMember(tx, { accountId, role: "manager", email: anyEmail(), now });
    manager.cookies.set("sid", await openSession(tx, { personId, browser: "Firefox", ip: "127.0.0.1", now }));
    return createGrant(tx, { accountId, personId, kind: "oauth", clientId: "x", name: "x", scopes: ["index"], now });
  });
  const call = { operation: "submit_urls", inputHash: "i", digest: "d", credits: 9, about: "{}", holder: "x" };
  const asked = { ...call, accountId, credential: own, credentialName: "x", now };
  const approval = (await db.tx((tx) => requestApproval(tx, asked)))!;
  const path = `/dashboard/approvals/${approval.id}`;
  const decide = async (user: User) => {
    const { forms } = await user.get("/dashboard/accounts");
    const { token } = Object.fromEntries(forms[0]!.fields);
    return (
      await user.post(path, [
        ["token", token!],
        ["decision", "yes"],
      ])
    ).status;
  };
  expect([await decide(manager), await decide(owner.user)]).toEqual([403, 303]);
});

test("law: each owner is told of a requested deletion, and can keep the account", async () => {
  const second = await signedIn(service);
  clock.pass(1);
  await invite(second.email, "owner");
  await join(second.user);
  const page = await owner.user.get("/dashboard/security/delete");
  expect((await owner.user.submit(page, { email: owner.email }, "/dashboard/security/delete")).status).toBe(303);
  const told = service.outbox.filter(({ subject }) => /deleted/.test(subject)).map(({ to }) => to);
  expect(told).toEqual(expect.arrayContaining([owner.email, second.email]));
  const again = new User(service);
  const now = clock.now();
  const session = { personId: await idOf(second.email), browser: "Firefox", ip: "127.0.0.1", now };
  again.cookies.set("sid", await db.tx((tx) => openSession(tx, session)));
  expect((await again.submit(await again.get("/account/deletion"), {}, "/account/deletion")).status).toBe(303);
  expect((await owner.user.get("/dashboard")).status).toBe(200);
});

test("SIGNUP=invite: only an invited address gets a link to sign up; the page says the same to all", async () => {
  const closed = await testService({ config: { signUp: "invite" } });
  const host = await signedIn(closed);
  const [guest, stranger] = [anyEmail(), anyEmail()];
  await host.user.submit(await host.user.get(PEOPLE), { email: guest, role: "member" }, PEOPLE);
  const seen = [];
  for (const email of [guest, stranger]) {
    const user = new User(closed);
    const { status, location } = await user.submit(
      await user.get("/sign-up"),
      { email, password: PASSWORD },
      "/sign-up",
    );
    seen.push([status, location]);
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(closed.outbox.filter(({ to }) => to === stranger)).toEqual([]);
  const user = new User(closed);
  await user.submit(await user.get(lastLink(closed, guest)), { password: PASSWORD }, "/confirm");
  const members = await membersOf(closed.db, host.accountId);
  expect(members.map(({ email }) => email).sort()).toEqual([host.email, guest].sort());
  await closed.close();
});

describe("the budget of a member", () => {
  const spendingOf = async (email: string) =>
    (await budgetOf(db, { accountId: owner.accountId, holder: await idOf(email) }))!;
  const memberOf = async (role: Role = "member") => {
    const member = await signedIn(service);
    await invite(member.email, role);
    await join(member.user);
    return member;
  };
  const limit = async (email: string, limits: Record<string, string>, by = owner.user) => {
    const form = { per_call: "", per_day: "", per_month: "", total: "", ...limits };
    return by.submit(await by.get(PEOPLE), form, `${PEOPLE}/${await idOf(email)}/budget`);
  };

  test("a new member may spend as much as a new app; owners and managers change it; another role has none", async () => {
    const member = await memberOf();
    expect(await spendingOf(member.email)).toMatchObject({ perCall: 100, perDay: 300, perMonth: 1_000, total: null });
    const manager = await memberOf("manager");
    expect((await limit(member.email, { total: "7" }, manager.user)).status).toBe(303);
    expect(await spendingOf(member.email)).toMatchObject({ perCall: null, perDay: null, perMonth: null, total: 7 });
    const page = async (user: User) => (await user.get(PEOPLE)).text;
    expect(await page(owner.user)).toContain("in total 0, 7 left");
    expect(await page(member.user)).toContain("in total 0, 7 left");
    expect(await page(member.user)).not.toContain("Save the limits");
    expect((await limit(member.email, { total: "much" })).status).toBe(400);
    const path = `${PEOPLE}/${await idOf(member.email)}/role`;
    await owner.user.submit(await owner.user.get(PEOPLE), { role: "manager" }, path);
    expect(await spendingOf(member.email)).toMatchObject({ total: null });
    await owner.user.submit(await owner.user.get(PEOPLE), { role: "member" }, path);
    expect(await spendingOf(member.email)).toMatchObject({ perCall: 100 });
    expect((await remove(member.email, "ends")).status).toBe(303);
  });

  test("400 for the budget of a role that has none; 403 by a member", async () => {
    const [member, manager] = [await memberOf(), await memberOf("manager")];
    const post = async (user: User, of: string) => {
      const { forms } = await user.get(ACCOUNTS);
      const { token } = Object.fromEntries(forms[0]!.fields);
      return (
        await user.post(`${PEOPLE}/${await idOf(of)}/budget`, [
          ["token", token!],
          ["total", "9"],
        ])
      ).status;
    };
    expect(await post(owner.user, manager.email)).toBe(400);
    expect(await post(manager.user, owner.email)).toBe(400);
    expect(await post(member.user, member.email)).toBe(403);
    expect(await spendingOf(member.email)).toMatchObject({ total: null });
  });
});
