import { beforeEach, expect, test } from "vitest";
import { requireFactor } from "../../../../src/domain/factors/factors.ts";
import { createRecoveryCodes } from "../../../../src/domain/factors/recovery-codes.ts";
import { confirmSignUp } from "../../../../src/domain/users/confirm.ts";
import { completeSignIn } from "../../../../src/domain/users/factor-sign-in.ts";
import { rememberBrowser } from "../../../../src/domain/users/known-browsers.ts";
import { pendingSignInOf } from "../../../../src/domain/users/pending-sign-ins.ts";
import { requestPasswordReset, resetPassword } from "../../../../src/domain/users/reset.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { requestSignUp } from "../../../../src/domain/users/sign-up.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const EMAIL = "ann@example.com";
const SUBJECT = "New sign-in to your Beckon account";

const t = eachTest(testUsers);
let id: string;
beforeEach(async () => {
  id = await t.member(EMAIL);
});

const now = () => t.store.clock.now();
const subjects = () => t.outbox.map(({ subject }) => subject);
/** A browser with the cookie that it gets at a sign-in. */
const known = async (name = "mine") => ({
  ...visitor(name),
  known: rememberBrowser("", (await t.personOf(EMAIL))!),
});
const tryIn = (browser = visitor("mine"), password = PASSWORD) =>
  signIn(t.services, { email: EMAIL, password, visitor: browser, now: now() });

test("a sign-in by an unknown browser is mailed: when, which browser, what to do, and no IP address", async () => {
  expect(await tryIn()).not.toBeNull();
  expect(t.outbox).toMatchObject([{ to: EMAIL, subject: SUBJECT }]);
  const { text } = t.outbox[0]!;
  expect(text).toContain("2026-01-05 at 12:00 UTC");
  expect(text).toContain("Firefox on Linux");
  expect(text).toContain("\n\nhttps://beckon.test/forgot\n\n");
  expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
});

test("a known browser, and a wrong password, are not mailed", async () => {
  expect(await tryIn(await known())).not.toBeNull();
  expect(await tryIn(visitor("mine"), "wrong")).toBeNull();
  expect(t.outbox).toEqual([]);
});

test("the cookie of another account's browser does not count", async () => {
  const _bob = await t.member("bob@example.com");
  await tryIn({ ...visitor("bob's"), known: rememberBrowser("", (await t.personOf("bob@example.com"))!) });
  expect(subjects()).toEqual([SUBJECT]);
});

test("signing up opens the first session, and is not mailed", async () => {
  const email = "new@example.com";
  await requestSignUp(t.services, { email, password: PASSWORD, returnTo: "/", visitor: visitor("new"), now: now() });
  const confirmation = { link: linkIn(t.outbox.at(-1)), password: null, visitor: visitor("new"), now: now() };
  expect(await confirmSignUp(t.services, confirmation)).toMatchObject({ outcome: "signed_in" });
  expect(subjects()).toEqual(["Confirm your e-mail address for Beckon"]);
});

/** Requires a second step, which recovery codes can take. @returns the codes */
async function withSecondStep() {
  const { passkeys } = t.store.db.t;
  await t.store.db.tx(async (tx) => {
    const personId = await ownerOf(tx, id);
    const passkey = { id: "pk_1", personId, credentialId: "x", publicKey: "x", signCount: 0, transports: "" };
    await tx.q
      .insert(passkeys)
      .values({ ...passkey, isBackedUp: false, name: "x", createdAt: now(), lastUsedAt: null });
    await requireFactor(tx, personId, true);
  });
  return t.store.db.tx(async (tx) => createRecoveryCodes(tx, await ownerOf(tx, id), now()));
}

async function secondStep(secret: string, code: string, browser = visitor("mine")) {
  const pending = (await pendingSignInOf(t.store.db, secret, now()))!;
  const proof = { kind: "recovery_code", code } as const;
  return completeSignIn(t.services, { pending, proof, visitor: browser, now: now() });
}

test("a sign-in of two steps is mailed once, at its end: by a recovery code, in the mail about that", async () => {
  const [code] = await withSecondStep();
  const secret = await tryIn();
  expect(t.outbox).toEqual([]);
  await secondStep(secret!, code!);
  expect(subjects()).toEqual(["A recovery code of your Beckon account was used"]);
});

test("a new password, which makes all browsers unknown, is mailed once, also where a second step follows", async () => {
  await requestPasswordReset(t.services, { email: EMAIL, returnTo: "/", visitor: visitor("mine"), now: now() });
  const reset = { link: linkIn(t.outbox.at(-1)), password: "nine loud herons again", revokeAccess: false };
  expect(await resetPassword(t.services, { ...reset, visitor: visitor("mine"), now: now() })).not.toBeNull();
  await tryIn(visitor("mine"), "nine loud herons again");
  expect(subjects().slice(1)).toEqual(["Your Beckon password was changed"]);
  await tryIn(visitor("another", "203.0.113.7"), "nine loud herons again");
  t.store.clock.pass(HOUR);
  await tryIn(visitor("mine"), "nine loud herons again");
  expect(subjects().slice(2)).toEqual([SUBJECT, SUBJECT]);
});

test("an account gets at most ten such mails a day, and its owner is never refused", async () => {
  for (let n = 0; n < 12; n++) expect(await tryIn(visitor("mine", `203.0.113.${n}`))).not.toBeNull();
  expect(t.outbox).toHaveLength(10);
  t.store.clock.pass(DAY);
  await tryIn();
  expect(t.outbox).toHaveLength(11);
});
