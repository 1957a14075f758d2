import { beforeEach, expect, test } from "vitest";
import { redeemCode } from "../../../../src/domain/oauth/codes.ts";
import { changePassword } from "../../../../src/domain/users/change-password.ts";
import { linkOf } from "../../../../src/domain/users/mailed-links.ts";
import { requestPasswordReset } from "../../../../src/domain/users/reset.ts";
import { endSession, type Session, sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { CLIENT, codeFor, REDIRECT, VERIFIER } from "../../../support/oauth/app.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const EMAIL = "ann@example.com";
const NEW = "four patient otters";

const t = eachTest(testUsers);
let id: string;
let secret: string;
beforeEach(async () => {
  id = await t.member(EMAIL);
  secret = await t.session(id);
  t.store.clock.pass(1_000);
});

const now = () => t.store.clock.now();
const mine = async () => (await sessionOf(t.services.db, secret, now())) as Session;
/** Changes the password; the browser keeps the new secret of its session. */
const change = async (current: string, password = NEW) => {
  const attempt = { session: await mine(), current, password, visitor: visitor("mine"), now: now() };
  const renewed = await changePassword(t.services, attempt);
  secret = renewed ?? secret;
  return renewed === null ? "wrong" : "changed";
};
const trySignIn = (password: string) =>
  signIn(t.services, { email: EMAIL, password, visitor: visitor("phone"), now: now() });
/** The outcome of exchanging a code that was issued before. */
const redeem = (code: string) => {
  const app = { clientId: CLIENT, redirectUri: REDIRECT, verifier: VERIFIER, audience: undefined, ip: "192.0.2.1" };
  return t.store.db.tx((tx) => redeemCode(tx, { ...app, code, now: now() }));
};

test("ends the other sessions and the mailed links, keeps this session as recently authenticated; a mail and the log say so", async () => {
  const other = await t.session(id);
  await requestPasswordReset(t.services, { email: EMAIL, returnTo: "/", visitor: visitor("phone"), now: now() });
  const link = linkIn(t.outbox.pop());
  expect(await change(PASSWORD)).toBe("changed");
  expect(await sessionOf(t.services.db, other, now())).toBeNull();
  expect(await linkOf(t.services.db, link, now())).toBeNull();
  expect(await mine()).toMatchObject({ accountId: id, authenticatedAt: now() });
  expect(t.outbox.map(({ to, subject }) => [to, subject])).toEqual([[EMAIL, "Your Beckon password was changed"]]);
  expect(await t.events(id)).toEqual(["password_set"]);
  expect(await trySignIn(PASSWORD)).toBeNull();
  expect(await trySignIn(NEW)).toMatch(/^ses_/);
});

test("law: the session of the browser that changed it gets a new secret: a copy of the old cookie is signed out", async () => {
  const [copy, { id: session }] = [secret, await mine()];
  expect(await change("wrong")).toBe("wrong");
  expect(await sessionOf(t.services.db, copy, now())).toMatchObject({ id: session });
  expect(await change(PASSWORD)).toBe("changed");
  expect(await sessionOf(t.services.db, copy, now())).toBeNull();
  expect(await mine()).toMatchObject({ id: session, accountId: id });
});

test("law: voids authorization codes issued before; a wrong password voids none", async () => {
  const code = () => codeFor(t.store.db, now(), { accountId: id });
  const [early, late] = [await code(), await code()];
  expect(await change("wrong")).toBe("wrong");
  expect(await redeem(early)).toHaveProperty("access");
  expect(await change(PASSWORD)).toBe("changed");
  expect(await redeem(late)).toBe("reused");
  expect(await redeem(await code())).toHaveProperty("access");
});

test("law: ending another session voids the codes it may have approved; ending an unknown session voids none", async () => {
  const { db } = t.store;
  const { id: other } = (await sessionOf(db, await t.session(id), now()))!;
  const bob = await t.member("bob@example.com");
  const code = () => codeFor(db, now(), { accountId: id });
  const [early, late] = [await code(), await code()];
  const bobs = await codeFor(db, now(), { accountId: bob });
  expect(await db.tx(async (tx) => endSession(tx, { personId: await ownerOf(tx, bob), id: other }, now()))).toBeNull();
  expect(await redeem(early)).toHaveProperty("access");
  expect(
    await db.tx(async (tx) => endSession(tx, { personId: await ownerOf(tx, id), id: other }, now())),
  ).not.toBeNull();
  expect(await redeem(late)).toBe("reused");
  expect(await redeem(bobs)).toHaveProperty("access");
});

test("a wrong current password changes nothing; five of them are 429, as at sign-in", async () => {
  for (let n = 0; n < 5; n++) expect(await change(`wrong ${n}`)).toBe("wrong");
  expect(await codeOf(change(PASSWORD))).toBe("rate_limited");
  expect(t.outbox).toEqual([]);
  expect(await trySignIn(PASSWORD)).toMatch(/^ses_/);
});

test("law: of ten simultaneous changes exactly one succeeds", async () => {
  const session = await mine();
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const password = `four patient otters ${n}`;
      const place = visitor("mine", `192.0.2.${n}`);
      return changePassword(t.services, { session, current: PASSWORD, password, visitor: place, now: now() });
    }),
  );
  expect(all.filter((renewed) => renewed !== null)).toHaveLength(1);
  expect(t.outbox).toHaveLength(1);
});

test("400: a weak new password is not counted as a sign-in attempt", async () => {
  for (let n = 0; n < 6; n++) expect(await codeOf(change("wrong", "short"))).toBe("invalid_request");
  expect(await change(PASSWORD)).toBe("changed");
});
