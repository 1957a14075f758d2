import { afterEach, beforeEach, expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { createLink, type LinkPurpose } from "../../../../src/domain/users/mailed-links.ts";
import { pendingSignInOf } from "../../../../src/domain/users/pending-sign-ins.ts";
import { resetPassword } from "../../../../src/domain/users/reset.ts";
import { sessionOf } from "../../../../src/domain/users/sessions.ts";
import { createSignInLink, DEMO_EMAIL, signInByLink } from "../../../../src/domain/users/sign-in-links.ts";
import { HOUR } from "../../../../src/platform/clock.ts";
import { giveFactors } from "../../../support/website/factors.ts";
import { PASSWORD, type TestUsers, testUsers, visitor } from "../../../support/website/test-users.ts";

let t: TestUsers;
beforeEach(async () => {
  t = await testUsers();
});
afterEach(() => t.close());

const now = () => t.store.clock.now();
const openDemo = () => t.store.db.tx((tx) => createAccount(tx, { email: DEMO_EMAIL, now: now() }));
const newLink = () => t.store.db.tx((tx) => createSignInLink(tx, { kind: "demo", email: DEMO_EMAIL, now: now() }));
const signIn = (link: string) =>
  signInByLink(t.services, { kind: "demo", secret: link, visitor: visitor("mine"), now: now() });
/** A link that the service itself never creates. */
const otherLink = (purpose: LinkPurpose, email: string) =>
  t.store.db.tx((tx) =>
    createLink(tx, { purpose, email, passwordHash: null, visitor: null, returnTo: "/", now: now() }),
  );

test("signs in to the demo account once, and verifies its address", async () => {
  const { id } = await openDemo();
  const link = await newLink();
  const session = await sessionOf(t.store.db, (await signIn(link))!, now());
  expect(session).toMatchObject({ accountId: id, email: DEMO_EMAIL, verifiedAt: now() });
  expect(await signIn(link)).toBeNull();
  expect(await t.events(id)).toEqual(["signed_in"]);
});

test("of two simultaneous uses one is signed in", async () => {
  await openDemo();
  const link = await newLink();
  const sessions = await Promise.all([signIn(link), signIn(link)]);
  expect(sessions.filter((session) => session !== null)).toHaveLength(1);
});

test("is valid for an hour", async () => {
  await openDemo();
  const early = await newLink();
  t.store.clock.pass(HOUR - 1);
  expect(await signIn(early)).not.toBeNull();
  const late = await newLink();
  t.store.clock.pass(HOUR);
  expect(await signIn(late)).toBeNull();
});

test("is void when the next one is created; other links of the account are not", async () => {
  await openDemo();
  const reset = await otherLink("reset", DEMO_EMAIL);
  const [first, second] = [await newLink(), await newLink()];
  expect(await signIn(first)).toBeNull();
  expect(await signIn(second)).not.toBeNull();
  const ask = { link: reset, password: PASSWORD, revokeAccess: false, visitor: visitor("mine"), now: now() };
  expect(await resetPassword(t.services, ask)).not.toBeNull();
});

test("signs in to no other account, and no other link signs in this way", async () => {
  await openDemo();
  await t.member("ann@example.com");
  for (const [purpose, email] of [
    ["demo", "ann@example.com"],
    ["reset", DEMO_EMAIL],
    ["sign_up", DEMO_EMAIL],
  ] as const)
    expect(await signIn(await otherLink(purpose, email))).toBeNull();
  expect(await signIn(`lnk_${"A".repeat(43)}`)).toBeNull();
});

test("sets no password", async () => {
  await openDemo();
  const link = await newLink();
  const ask = { link, password: PASSWORD, revokeAccess: false, visitor: visitor("mine"), now: now() };
  expect(await resetPassword(t.services, ask)).toBeNull();
  expect((await t.personOf(DEMO_EMAIL))!.passwordHash).toBeNull();
});

test("an operator's link signs in one person, once, and passes no second step", async () => {
  const [ann, bob] = [await t.member("ann@example.com"), await t.member("bob@example.com")];
  const linkTo = (email: string) =>
    t.store.db.tx((tx) => createSignInLink(tx, { kind: "operator", email, now: now() }));
  const use = (secret: string) =>
    signInByLink(t.services, { kind: "operator", secret, visitor: visitor("x"), now: now() });
  const link = await linkTo("ann@example.com");
  expect(await signIn(link)).toBeNull();
  const session = await sessionOf(t.store.db, (await use(link))!, now());
  expect(session).toMatchObject({ accountId: ann, email: "ann@example.com" });
  expect(await use(link)).toBeNull();
  await giveFactors(t.store, t.services.secretBox, bob);
  const secret = (await use(await linkTo("bob@example.com")))!;
  expect(await sessionOf(t.store.db, secret, now())).toBeNull();
  expect(await pendingSignInOf(t.store.db, secret, now())).not.toBeNull();
  const late = await linkTo("ann@example.com");
  t.store.clock.pass(HOUR);
  expect(await use(late)).toBeNull();
});

test("without a demo account it signs in nobody", async () => {
  expect(await signIn(await newLink())).toBeNull();
});
