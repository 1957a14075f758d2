import { expect, test } from "vitest";
import { MAX_WRONG_CODES } from "../../../../src/domain/factors/authenticator-app.ts";
import { factorsOf } from "../../../../src/domain/factors/factors.ts";
import { RECOVERY_CODES, unusedRecoveryCodes } from "../../../../src/domain/factors/recovery-codes.ts";
import { removalOf } from "../../../../src/domain/factors/removals.ts";
import { completeSignIn } from "../../../../src/domain/users/factor-sign-in.ts";
import {
  cancelRemovalByLink,
  removeLostFactors,
  requestFactorRemoval,
} from "../../../../src/domain/users/lost-factors.ts";
import { pendingSignInOf } from "../../../../src/domain/users/pending-sign-ins.ts";
import { requestPasswordReset, resetPassword } from "../../../../src/domain/users/reset.ts";
import { sessionOf } from "../../../../src/domain/users/sessions.ts";
import type { FactorProof } from "../../../../src/domain/users/show-factor.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { codeAt, giveFactors } from "../../../support/website/factors.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const users = eachTest(testUsers);
const EMAIL = "ann@example.com";
const ANN = visitor("ann's laptop");
const now = () => users.store.clock.now();

async function guarded() {
  const accountId = await users.member(EMAIL);
  const codes = await giveFactors(users.store, users.services.secretBox, accountId);
  return { personId: await ownerOf(users.store.db, accountId), codes };
}

/** A sign-in whose password was right. */
async function enterPassword() {
  const secret = (await signIn(users.services, { email: EMAIL, password: PASSWORD, visitor: ANN, now: now() }))!;
  return (await pendingSignInOf(users.store.db, secret, now()))!;
}

async function show(proof: FactorProof, pending?: Awaited<ReturnType<typeof enterPassword>>) {
  const step = { pending: pending ?? (await enterPassword()), proof, visitor: ANN, now: now() };
  return (await completeSignIn(users.services, step)).outcome;
}

const code = (text: string): FactorProof => ({ kind: "code", code: text });
const recovery = (text: string): FactorProof => ({ kind: "recovery_code", code: text });

test("a code is accepted once: used twice, also at the same time, it is refused", async () => {
  await guarded();
  const [one, other] = [await enterPassword(), await enterPassword()];
  const text = codeAt(now());
  const outcomes = await Promise.all([show(code(text), one), show(code(text), other)]);
  expect(outcomes.sort()).toEqual(["shown", "wrong"]);
  expect(await show(code(text))).toBe("wrong");
});

test("an earlier code than the last is refused, the next one is accepted", async () => {
  await guarded();
  const text = codeAt(now());
  const before = codeAt(now() - 30 * SECOND);
  expect(await show(code(text))).toBe("shown");
  expect(await show(code(before))).toBe("wrong");
  users.store.clock.pass(30 * SECOND);
  expect(await show(code(codeAt(now())))).toBe("shown");
});

test.each([
  [-30 * SECOND, "shown"],
  [30 * SECOND, "shown"],
  [-90 * SECOND, "wrong"],
  [90 * SECOND, "wrong"],
  [-10 * MINUTE, "wrong"],
  [10 * MINUTE, "wrong"],
])("the code of a clock that is off by %i ms: %s", async (off, outcome) => {
  await guarded();
  expect(await show(code(codeAt(now(), off)))).toBe(outcome);
});

test.each(["", "12345", "1234567", "abcdef", "１２３４５６"])("%j is no code", async (text) => {
  await guarded();
  expect(await show(code(text))).toBe("wrong");
});

test("law: of fifty simultaneous wrong codes ten are checked, and the right one is refused until the time is over", async () => {
  await guarded();
  const pending = await enterPassword();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => codeOf(show(code("000000"), pending), "checked")),
  );
  expect(outcomes.filter((outcome) => outcome === "checked")).toHaveLength(LIMITS.wrong_codes.count);
  expect(await codeOf(show(code(codeAt(now())), pending))).toBe("rate_limited");
  users.store.clock.pass(15 * MINUTE);
  expect(await show(code(codeAt(now())))).toBe("shown");
});

test("law: after a hundred wrong codes in a row no code is accepted, until another factor was shown", async () => {
  const { codes } = await guarded();
  const { authenticatorApps } = users.store.db.t;
  await users.store.db.tx((tx) => tx.q.update(authenticatorApps).set({ wrongCodes: MAX_WRONG_CODES - 1 }));
  expect(await show(code("000000"))).toBe("wrong");
  expect(await show(code(codeAt(now())))).toBe("locked");
  expect(await show(recovery(codes[0]!))).toBe("shown");
  expect(await show(code(codeAt(now())))).toBe("shown");
});

test("a recovery code works once: raced, one of ten gets in, and its owner is mailed", async () => {
  const { personId, codes } = await guarded();
  const pending = [];
  for (let n = 0; n < 10; n++) pending.push(await enterPassword());
  const outcomes = await Promise.all(pending.map((one) => show(recovery(codes[3]!), one)));
  expect(outcomes.filter((outcome) => outcome === "shown")).toHaveLength(1);
  expect(await unusedRecoveryCodes(users.store.db, personId)).toBe(RECOVERY_CODES - 1);
  expect(users.outbox.map(({ subject }) => subject)).toEqual(["A recovery code of your Beckon account was used"]);
  expect(users.outbox[0]!.text).toContain("9 recovery codes are left");
});

test("a recovery code is read as it was meant: capitals, spaces, and letters that look like digits", async () => {
  const { codes } = await guarded();
  const typed = codes[0]!.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
  expect(await show(recovery(typed))).toBe("shown");
});

test("recovery codes are stored as hashes, and the secret of an app is sealed", async () => {
  const { codes } = await guarded();
  const { db } = users.store;
  const rows = [await db.q.select().from(db.t.recoveryCodes), await db.q.select().from(db.t.authenticatorApps)];
  const stored = JSON.stringify(rows);
  for (const one of codes) expect(stored).not.toContain(one.replaceAll("-", ""));
  expect(stored).toContain("s1.");
  expect(stored).not.toContain("JBSWY3DP");
});

test("a reset of the password opens no session where a factor is required, and removes none", async () => {
  const { personId } = await guarded();
  const before = await factorsOf(users.store.db, personId);
  await requestPasswordReset(users.services, { email: EMAIL, returnTo: "/dashboard", visitor: ANN, now: now() });
  const reset = { link: linkIn(users.outbox.at(-1)), password: "nine loud herons again", revokeAccess: true };
  const done = await resetPassword(users.services, { ...reset, visitor: ANN, now: now() });
  expect(await sessionOf(users.store.db, done!.session, now())).toBeNull();
  expect(await pendingSignInOf(users.store.db, done!.session, now())).toMatchObject({ personId });
  expect(await factorsOf(users.store.db, personId)).toEqual(before);
});

test("a new password ends sign-ins that wait for a factor", async () => {
  await guarded();
  const pending = await enterPassword();
  await requestPasswordReset(users.services, { email: EMAIL, returnTo: "/dashboard", visitor: ANN, now: now() });
  const reset = { link: linkIn(users.outbox.at(-1)), password: "nine loud herons again", revokeAccess: false };
  await resetPassword(users.services, { ...reset, visitor: ANN, now: now() });
  const step = { pending, proof: code(codeAt(now())), visitor: ANN, now: now() };
  expect(await completeSignIn(users.services, step)).toEqual({ outcome: "shown", value: null });
});

test("lost factors are removed after seven days, with a mail each day, and not a minute earlier", async () => {
  const { personId } = await guarded();
  expect(await requestFactorRemoval(users.services, { personId, visitor: ANN, now: now() })).toBe(true);
  expect(await requestFactorRemoval(users.services, { personId, visitor: ANN, now: now() })).toBe(false);
  for (let hour = 1; hour < 7 * 24; hour++) {
    users.store.clock.pass(60 * MINUTE);
    await removeLostFactors(users.services, now());
  }
  expect(await factorsOf(users.store.db, personId)).toMatchObject({ passkeys: 1, hasApp: true });
  expect(users.outbox).toHaveLength(1 + 6);
  users.store.clock.pass(60 * MINUTE);
  await removeLostFactors(users.services, now());
  expect(await factorsOf(users.store.db, personId)).toEqual({ passkeys: 0, hasApp: false, recoveryCodes: 0 });
  expect(users.outbox.at(-1)!.subject).toBe("Your passkeys and codes were removed from Beckon");
  const secret = (await signIn(users.services, { email: EMAIL, password: PASSWORD, visitor: ANN, now: now() }))!;
  expect(await sessionOf(users.store.db, secret, now())).toMatchObject({ personId });
});

test("the mailed link cancels a removal, and so does whoever shows a factor", async () => {
  const { personId } = await guarded();
  const request = { personId, visitor: ANN, now: now() };
  await requestFactorRemoval(users.services, request);
  const link = linkIn(users.outbox.at(-1));
  expect(await cancelRemovalByLink(users.services, { link, visitor: ANN, now: now() })).toBe(true);
  expect(await cancelRemovalByLink(users.services, { link, visitor: ANN, now: now() })).toBe(false);
  await requestFactorRemoval(users.services, request);
  expect(await show(code(codeAt(now())))).toBe("shown");
  expect(await removalOf(users.store.db, personId)).toBeNull();
  users.store.clock.pass(8 * DAY);
  await removeLostFactors(users.services, now());
  expect(await factorsOf(users.store.db, personId)).toMatchObject({ hasApp: true });
});
