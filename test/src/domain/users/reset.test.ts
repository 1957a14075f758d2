import { beforeEach, expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { activeKeys, createKey } from "../../../../src/domain/credentials/keys.ts";
import { redeemCode } from "../../../../src/domain/oauth/codes.ts";
import { createGrant, grantsOf } from "../../../../src/domain/oauth/grants.ts";
import { rememberBrowser } from "../../../../src/domain/users/known-browsers.ts";
import { linkOf } from "../../../../src/domain/users/mailed-links.ts";
import { type PasswordReset, requestPasswordReset, resetPassword } from "../../../../src/domain/users/reset.ts";
import { sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { requestSignUp } from "../../../../src/domain/users/sign-up.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { CLIENT, codeFor, REDIRECT, VERIFIER } from "../../../support/oauth/app.ts";
import { recordCalls } from "../../../support/service/argon2-calls.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor, withoutSignIns } from "../../../support/website/test-users.ts";

const hash = recordCalls("hash");
const verify = recordCalls("verify");

const EMAIL = "ann@example.com";
const NEW = "four patient otters";

const t = eachTest(testUsers);
let id: string;
beforeEach(async () => {
  id = await t.member(EMAIL);
});

const now = () => t.store.clock.now();
const askFor = (email: string, ip = "192.0.2.1") =>
  requestPasswordReset(t.services, { email, returnTo: "/claim", visitor: visitor("mine", ip), now: now() });
async function link(email = EMAIL): Promise<string> {
  await askFor(email);
  return linkIn(t.outbox.at(-1));
}
const reset = (secret: string, more: Partial<PasswordReset> = {}) =>
  resetPassword(t.services, {
    link: secret,
    password: NEW,
    revokeAccess: false,
    visitor: visitor("phone"),
    now: now(),
    ...more,
  });
const trySignIn = (password: string, ip = "192.0.2.5") =>
  signIn(t.services, { email: EMAIL, password, visitor: visitor("mine", ip), now: now() });
/** The outcome of exchanging a code that was issued before. */
const redeem = (code: string) => {
  const app = { clientId: CLIENT, redirectUri: REDIRECT, verifier: VERIFIER, audience: undefined, ip: "192.0.2.1" };
  return t.store.db.tx((tx) => redeemCode(tx, { ...app, code, now: now() }));
};

/** What gives access to the account besides its password. */
async function connected(): Promise<void> {
  const { db } = t.store;
  await db.tx(async (tx) => {
    const of = { accountId: id, now: now() };
    await createGrant(tx, { ...of, kind: "oauth", clientId: "c", name: "App", scopes: ["read"] });
    await createGrant(tx, { ...of, kind: "agent", clientId: null, name: "Agent", scopes: ["read"] });
    await createKey(tx, { ...of, name: "CI", mode: "sandbox" });
  });
}

test("law: an address without an account, and what is no address, get the same answer: no mail, no hash, no error", async () => {
  hash.mockClear();
  verify.mockClear();
  for (const email of [EMAIL, "nobody@example.com", "no address\r\nBcc: bob@example.com"])
    expect(await askFor(email)).toBeUndefined();
  expect(t.outbox.map(({ to }) => to)).toEqual([EMAIL]);
  expect(t.outbox[0]!.text).toContain(`https://beckon.test/reset?link=${linkIn(t.outbox[0])}\n`);
  expect(hash).not.toHaveBeenCalled();
  expect(verify).not.toHaveBeenCalled();
});

test("law: an address gets five links an hour for requests from one network, and is skipped silently beyond", async () => {
  for (let n = 0; n < 6; n++) expect(await askFor(EMAIL)).toBeUndefined();
  expect(t.outbox).toHaveLength(5);
  t.store.clock.pass(HOUR);
  await askFor(EMAIL);
  expect(t.outbox).toHaveLength(6);
});

test("law: a stranger who requests many links of either kind does not block the owner from getting one", async () => {
  const signUp = { email: EMAIL, password: NEW, returnTo: "/", visitor: visitor("mine", "192.0.2.9"), now: now() };
  for (let n = 0; n < 7; n++) await requestSignUp(t.services, signUp);
  for (let n = 0; n < 7; n++) await askFor(EMAIL, "192.0.2.9");
  const before = t.outbox.length;
  await askFor(EMAIL);
  expect(t.outbox).toHaveLength(before + 1);
});

/** Requests of strangers, five of either kind from each of their networks. */
async function strangersAsk(networks: number): Promise<void> {
  for (let n = 0; n < networks; n++) {
    const ip = `203.0.113.${n}`;
    const signUp = { email: EMAIL, password: NEW, returnTo: "/", visitor: visitor("stranger", ip), now: now() };
    for (let i = 0; i < 5; i++) await askFor(EMAIL, ip);
    for (let i = 0; i < 5; i++) await requestSignUp(t.services, signUp);
  }
}

test("law: strangers cause at most twelve mails an hour to an address, from wherever they ask", async () => {
  await strangersAsk(6);
  expect(t.outbox).toHaveLength(12);
});

test("law: however much strangers ask, the browser that the owner has signed in with gets its link, on their network too", async () => {
  const mine = { ...visitor("mine", "203.0.113.1"), known: rememberBrowser("", (await t.personOf(EMAIL))!) };
  await strangersAsk(6);
  for (let n = 0; n < 10; n++) await askFor(`n${n}@example.com`, "203.0.113.1");
  expect(await codeOf(askFor(EMAIL, "203.0.113.1"))).toBe("rate_limited");
  for (let n = 1; n <= 6; n++) {
    await requestPasswordReset(t.services, { email: EMAIL, returnTo: "/claim", visitor: mine, now: now() });
    expect(t.outbox).toHaveLength(12 + Math.min(n, 5));
  }
  expect(await reset(linkIn(t.outbox.at(-1)))).not.toBeNull();
});

test("law: requests for an address without an account use up nothing that its owner needs to sign up", async () => {
  const email = "new@example.com";
  for (let n = 0; n < 30; n++) await askFor(email, `203.0.113.${n}`);
  const signUp = { email, password: NEW, returnTo: "/", visitor: visitor("mine", "203.0.113.99"), now: now() };
  await requestSignUp(t.services, signUp);
  expect(t.outbox.map(({ to }) => to)).toEqual([email]);
});

test("429: the 21st request of a network in an hour, for any address", async () => {
  for (let n = 0; n < 20; n++) await askFor(`n${n % 7}@example.com`);
  expect(await codeOf(askFor("more@example.com"))).toBe("rate_limited");
  expect(await codeOf(askFor("more@example.com", "192.0.2.2"))).toBe("done");
});

test("the new password works, the old one does not; every session ends and this browser gets a new one", async () => {
  const stolen = await t.session(id);
  const secret = await link();
  const done = await reset(secret);
  // Another browser requested the link: the path that it asked for is not used.
  expect(done).toMatchObject({ returnTo: "/dashboard" });
  expect(await sessionOf(t.services.db, done!.session, now())).toMatchObject({ accountId: id });
  expect(await sessionOf(t.services.db, stolen, now())).toBeNull();
  expect(await trySignIn(PASSWORD)).toBeNull();
  expect(await trySignIn(NEW)).toMatch(/^ses_/);
  expect(await t.events(id)).toEqual(["password_set", "signed_in"]);
  expect(withoutSignIns(t.outbox).at(-1)).toMatchObject({ to: EMAIL, subject: "Your Beckon password was changed" });
});

test("the browser that requested the link is sent on to where it was going", async () => {
  expect(await reset(await link(), { visitor: visitor("mine") })).toMatchObject({ returnTo: "/claim" });
});

test("law: a user over the limit of failed sign-ins can use the link at once", async () => {
  for (let n = 0; n < 5; n++) await trySignIn("wrong");
  expect(await codeOf(trySignIn(PASSWORD))).toBe("rate_limited");
  const done = await reset(await link(), { visitor: visitor("mine", "192.0.2.5") });
  expect(await sessionOf(t.services.db, done!.session, now())).not.toBeNull();
  expect(await trySignIn(NEW)).toMatch(/^ses_/);
});

test("law: of ten simultaneous uses exactly one sets its password, and the others' do not work", async () => {
  const secret = await link();
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) => reset(secret, { password: `four patient otters ${n}` })),
  );
  const winner = all.findIndex((one) => one !== null);
  expect(all.filter((one) => one !== null)).toHaveLength(1);
  expect(await trySignIn(`four patient otters ${winner}`)).toMatch(/^ses_/);
  expect(await trySignIn(`four patient otters ${(winner + 1) % 10}`)).toBeNull();
  expect(withoutSignIns(t.outbox)).toHaveLength(2);
});

test("law: a used link voids the others of its address, and none of another address", async () => {
  await t.member("bob@example.com");
  const [first, second, bobs] = [await link(), await link(), await link("bob@example.com")];
  expect(await reset(second)).not.toBeNull();
  expect(await reset(first)).toBeNull();
  expect(await reset(second)).toBeNull();
  expect(await linkOf(t.services.db, bobs, now())).toMatchObject({ purpose: "reset", email: "bob@example.com" });
});

test("an expired link does nothing", async () => {
  const secret = await link();
  t.store.clock.pass(DAY);
  expect(await reset(secret)).toBeNull();
  expect(await trySignIn(PASSWORD)).toMatch(/^ses_/);
});

test("400 for a weak password: the link stays valid", async () => {
  const secret = await link();
  expect(await codeOf(reset(secret, { password: "ann@example.com" }))).toBe("invalid_request");
  expect(await reset(secret)).not.toBeNull();
});

test("a sign-up link sets no password", async () => {
  const email = "new@example.com";
  await requestSignUp(t.services, { email, password: PASSWORD, returnTo: "/", visitor: visitor("mine"), now: now() });
  const secret = linkIn(t.outbox.at(-1));
  await t.member(email);
  expect(await reset(secret)).toBeNull();
  expect(await reset("lnk_made-up")).toBeNull();
});

test("an account that the operator created gets its password and its verified address by the link", async () => {
  const email = "operator@example.com";
  await t.store.db.tx((tx) => createAccount(tx, { email, now: now() }));
  t.store.clock.pass(1);
  expect(await reset(await link(email))).not.toBeNull();
  expect(await t.personOf(email)).toMatchObject({ verifiedAt: now() });
  expect(await reset(await link(EMAIL))).not.toBeNull();
  expect(await t.personOf(EMAIL)).toMatchObject({ verifiedAt: now() - 1 });
});

test("apps, agents and keys stay connected unless access is revoked too: then they end at once, each in the log", async () => {
  const { db } = t.store;
  await connected();
  await reset(await link());
  expect(await grantsOf(db, id)).toHaveLength(2);
  expect(await activeKeys(db, id, t.store.clock.now())).toBe(1);
  const before = (await t.events(id)).length;
  await reset(await link(), { revokeAccess: true });
  expect(await grantsOf(db, id)).toEqual([]);
  expect(await activeKeys(db, id, t.store.clock.now())).toBe(0);
  const ends = await db.q.select({ by: db.t.grants.endedBy }).from(db.t.grants);
  expect(ends.map(({ by }) => by)).toEqual(["password_reset", "password_reset"]);
  expect((await t.events(id)).slice(before)).toEqual(["password_set", "disconnected", "disconnected", "key_revoked"]);
});

test.each([false, true])(
  "law: codes from before are good for nothing, if all is to end or not: %j",
  async (revokeAccess) => {
    const { db } = t.store;
    const mine = await codeFor(db, now(), { accountId: id });
    const bobs = await codeFor(db, now(), { accountId: await t.member("bob@example.com") });
    expect(await reset(await link(), { revokeAccess })).not.toBeNull();
    expect(await redeem(mine)).toBe("reused");
    expect(await grantsOf(db, id)).toEqual([]);
    expect(await redeem(bobs)).toHaveProperty("access");
  },
);
