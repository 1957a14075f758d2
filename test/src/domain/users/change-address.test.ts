import { beforeEach, expect, test } from "vitest";
import type { Tx } from "../../../../db/engine.ts";
import { createAccount, findAccount } from "../../../../src/domain/accounts/accounts.ts";
import { activeKeys, createKey } from "../../../../src/domain/credentials/keys.ts";
import { factorsOf } from "../../../../src/domain/factors/factors.ts";
import { createGrant, grantsOf } from "../../../../src/domain/oauth/grants.ts";
import { purgeAddressUndos, undoableUntil } from "../../../../src/domain/people/address-undos.ts";
import { confirmAddressChange, requestAddressChange } from "../../../../src/domain/users/change-address.ts";
import { confirmSignUp } from "../../../../src/domain/users/confirm.ts";
import { removeLostFactors, requestFactorRemoval } from "../../../../src/domain/users/lost-factors.ts";
import {
  removeApp,
  removePasskey,
  renewRecoveryCodes,
  setSecondStep,
} from "../../../../src/domain/users/manage-factors.ts";
import { requestPasswordReset, resetPassword } from "../../../../src/domain/users/reset.ts";
import { type Session, sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { DEMO_EMAIL } from "../../../../src/domain/users/sign-in-links.ts";
import { requestSignUp } from "../../../../src/domain/users/sign-up.ts";
import { undoAddressChange } from "../../../../src/domain/users/undo-address.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { giveFactors } from "../../../support/website/factors.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const t = eachTest(testUsers);
const [OLD, NEW, THIRD] = ["ann@example.com", "ann@new.example", "ann@third.example"];
const ANN = visitor("ann's laptop");
const THIEF = visitor("a thief's laptop");

let id: string;
let session: Session;
beforeEach(async () => {
  id = await t.member(OLD);
  session = await openSession();
});

const now = () => t.store.clock.now();
const openSession = async (accountId = id) => (await sessionOf(t.store.db, await t.session(accountId), now()))!;
const lastTo = (to: string) => t.outbox.findLast((mail) => mail.to === to);
const request = (email: string, by = session) =>
  requestAddressChange(t.services, { session: by, email, visitor: ANN, now: now() });
const confirm = (link: string, by = session) =>
  confirmAddressChange(t.services, { session: by, link, visitor: ANN, now: now() });
const undo = (link: string) => undoAddressChange(t.services, { link, visitor: ANN, now: now() });
const emailOf = async () => (await findAccount(t.store.db, id))?.email;
const trySignIn = (email: string, password = PASSWORD) =>
  signIn(t.services, { email, password, visitor: ANN, now: now() });

/** Changes the address. @returns the secret of the link that undoes it */
async function change(to: string): Promise<string> {
  const from = (await emailOf())!;
  session = await openSession();
  await request(to);
  expect(await confirm(linkIn(lastTo(to)))).toBe(true);
  return linkIn(lastTo(from));
}

test("the address changes when the link is used, and both addresses are told, before and after", async () => {
  await request("  Ann@NEW.example ");
  expect(await emailOf()).toBe(OLD);
  expect(t.outbox.map(({ to, subject }) => [to, subject])).toEqual([
    [OLD, "A new address was requested for your Beckon account"],
    [NEW, "Confirm your new e-mail address for Beckon"],
  ]);
  expect(await confirm(linkIn(lastTo(NEW)))).toBe(true);
  expect(await emailOf()).toBe(NEW);
  expect(t.outbox.slice(2).map(({ to, subject }) => [to, subject])).toEqual([
    [OLD, "The address of your Beckon account was changed"],
    [NEW, "Your Beckon account has this address now"],
  ]);
  expect(await trySignIn(NEW)).not.toBeNull();
  expect(await trySignIn(OLD)).toBeNull();
  expect(await t.events(id)).toEqual(expect.arrayContaining(["address_change_requested", "address_changed"]));
});

test.each([
  ["no address", "ann"],
  ["a second recipient", "ann@new.example\r\nBcc: bob@example.com"],
  ["two addresses", "ann@new.example, bob@example.com"],
  ["nothing", ""],
  ["the present address", OLD],
  ["the present address, written differently", " ANN@example.com"],
])("400 invalid_request: %s; nothing is mailed", async (_what, email) => {
  expect(await codeOf(request(email))).toBe("invalid_request");
  expect(t.outbox).toEqual([]);
});

test("400 invalid_request: the demo account of a sandbox keeps its address", async () => {
  id = await t.member(DEMO_EMAIL);
  expect(await codeOf(request(NEW, await openSession()))).toBe("invalid_request");
  expect(t.outbox).toEqual([]);
});

test("an ordinary change leads back to the earlier address, too, and the one in between can undo that", async () => {
  const first = await change(NEW);
  const second = await change(OLD);
  expect(await emailOf()).toBe(OLD);
  expect(await undo(second)).not.toBeNull();
  expect(await emailOf()).toBe(NEW);
  expect(await undo(first)).not.toBeNull();
  expect(await emailOf()).toBe(OLD);
});

test("law: only the address itself learns whether another account has it", async () => {
  await t.member(THIRD);
  expect(await request(NEW)).toBe(await request(THIRD));
  expect(await t.events(id)).toEqual(["address_change_requested", "address_change_requested"]);
  expect(lastTo(THIRD)!.subject).toBe("This address already has a Beckon account");
  expect(lastTo(THIRD)!.text).not.toContain(OLD);
  expect(t.outbox.filter(({ to }) => to === OLD)).toHaveLength(2);
});

test("429: after five requests of an account in an hour, and a stranger's mailbox gets no more of them", async () => {
  for (let n = 0; n < LIMITS.address_changes.count; n++)
    expect(await codeOf(request(`n${n}@new.example`))).toBe("done");
  expect(await codeOf(request(NEW))).toBe("rate_limited");
  expect(lastTo(NEW)).toBeUndefined();
  t.store.clock.pass(HOUR);
  expect(await codeOf(request(NEW))).toBe("done");
});

test("a link changes the address once, for 24 hours, and for its account alone", async () => {
  await request(NEW);
  const link = linkIn(lastTo(NEW));
  const bob = await t.member("bob@example.com");
  const bobs = await openSession(bob);
  expect(await confirm(link, bobs)).toBe(false);
  expect(await confirm(link, await openSession())).toBe(true);
  expect(await confirm(link)).toBe(false);
  await request(THIRD, await openSession());
  t.store.clock.pass(DAY);
  session = await openSession();
  expect(await confirm(linkIn(lastTo(THIRD)))).toBe(false);
  expect(await emailOf()).toBe(NEW);
});

test("of two changes confirmed at once one takes place, and the links of the other are void", async () => {
  await request(NEW);
  await request(THIRD);
  const links = [linkIn(lastTo(NEW)), linkIn(lastTo(THIRD))];
  const changed = await Promise.all(links.map((link) => confirm(link)));
  expect(changed.filter(Boolean)).toHaveLength(1);
  expect(await emailOf()).toBe(changed[0] ? NEW : THIRD);
  expect(await Promise.all(links.map((link) => confirm(link)))).toEqual([false, false]);
  expect(t.outbox.filter(({ subject }) => subject === "The address of your Beckon account was changed")).toHaveLength(
    1,
  );
});

test("two accounts that want the same address at once: one gets it", async () => {
  const bob = await t.member("bob@example.com");
  const bobs = await openSession(bob);
  await request(NEW);
  const anns = linkIn(lastTo(NEW));
  await request(NEW, bobs);
  const changed = await Promise.all([confirm(anns), confirm(linkIn(lastTo(NEW)), bobs)]);
  expect(changed.filter(Boolean)).toHaveLength(1);
});

test("an address that somebody signed up with meanwhile is not taken over", async () => {
  await request(NEW);
  const link = linkIn(lastTo(NEW));
  await t.store.db.tx((tx) => createAccount(tx, { email: NEW, now: now() }));
  expect(await confirm(link)).toBe(false);
  expect(await emailOf()).toBe(OLD);
});

test("a new password stops a change that somebody else has asked for", async () => {
  await request(NEW);
  await requestPasswordReset(t.services, { email: OLD, returnTo: "/dashboard", visitor: ANN, now: now() });
  const reset = { link: linkIn(lastTo(OLD)), password: "nine loud herons again", revokeAccess: false };
  await resetPassword(t.services, { ...reset, visitor: ANN, now: now() });
  expect(await confirm(linkIn(lastTo(NEW)), await openSession())).toBe(false);
});

test("a link to set a new password that the earlier address has is void after the change", async () => {
  await requestPasswordReset(t.services, { email: OLD, returnTo: "/dashboard", visitor: ANN, now: now() });
  const link = linkIn(lastTo(OLD));
  await change(NEW);
  const reset = { link, password: "nine loud herons again", revokeAccess: false, visitor: ANN, now: now() };
  expect(await resetPassword(t.services, reset)).toBeNull();
});

test("law: undoing restores the address, ends every session, grant and key, and asks for a new password", async () => {
  const { db } = t.store;
  const link = await change(NEW);
  const cookie = await t.session(id);
  await db.tx(async (tx) => {
    const of = { accountId: id, now: now() };
    await createGrant(tx, { ...of, kind: "oauth", clientId: "c", name: "App", scopes: ["read"] });
    await createGrant(tx, { ...of, kind: "agent", clientId: null, name: "Agent", scopes: ["read"] });
    await createKey(tx, { ...of, name: "CI", mode: "sandbox" });
  });
  const path = await undo(link);
  expect(await emailOf()).toBe(OLD);
  expect(await sessionOf(db, cookie, now())).toBeNull();
  expect(await sessionOf(db, await t.session(id), now())).not.toBeNull();
  expect([await grantsOf(db, id), await activeKeys(db, id, now())]).toEqual([[], 0]);
  expect([await trySignIn(OLD), await trySignIn(NEW)]).toEqual([null, null]);
  expect(lastTo(OLD)!.text).toContain(path);
  expect(lastTo(NEW)!.subject).toBe("The change of your Beckon address was undone");
  const reset = { link: path!.split("=")[1]!, password: "nine loud herons again", revokeAccess: false };
  expect(await resetPassword(t.services, { ...reset, visitor: ANN, now: now() })).not.toBeNull();
  expect(await trySignIn(OLD, "nine loud herons again")).not.toBeNull();
  expect(await undoableUntil(db, session.personId, now())).toBeNull();
});

test("undoing works once, also at the same time, and for seven days", async () => {
  const link = await change(NEW);
  expect((await Promise.all([undo(link), undo(link), undo(link)])).filter((path) => path !== null)).toHaveLength(1);
  expect(await undo(link)).toBeNull();
  const other = await change(THIRD);
  t.store.clock.pass(7 * DAY);
  expect(await undo(other)).toBeNull();
  expect(await emailOf()).toBe(THIRD);
});

test("law: the first address keeps its right to undo through further changes, and later ones lose theirs with it", async () => {
  const first = await change(NEW);
  t.store.clock.pass(DAY);
  const second = await change(THIRD);
  t.store.clock.pass(DAY);
  expect(await undo(first)).not.toBeNull();
  expect(await emailOf()).toBe(OLD);
  expect(await undo(second)).toBeNull();
  expect(await emailOf()).toBe(OLD);
});

test("undoing a later change leaves the first address its right", async () => {
  const first = await change(NEW);
  const second = await change(THIRD);
  expect(await undo(second)).not.toBeNull();
  expect(await emailOf()).toBe(NEW);
  expect(await undo(first)).not.toBeNull();
  expect(await emailOf()).toBe(OLD);
});

test("undoing and changing again at once: the earlier address wins, or undoes the later change too", async () => {
  const first = await change(NEW);
  await request(THIRD);
  const link = linkIn(lastTo(THIRD));
  await Promise.allSettled([undo(first), confirm(link)]);
  expect(await emailOf()).toBe(OLD);
  expect(await confirm(link).catch(() => "ended")).toBe("ended");
});

test("law: while a change can be undone, nobody else gets the earlier address; afterwards anybody may", async () => {
  await requestSignUp(t.services, { email: THIRD, password: PASSWORD, returnTo: "/", visitor: THIEF, now: now() });
  const early = linkIn(lastTo(THIRD));
  await change(THIRD);
  await change(NEW);
  const signUp = (email: string) =>
    requestSignUp(t.services, { email, password: PASSWORD, returnTo: "/", visitor: THIEF, now: now() });
  expect(await confirmSignUp(t.services, { link: early, password: PASSWORD, visitor: THIEF, now: now() })).toEqual({
    outcome: "gone",
  });
  await signUp(OLD);
  expect(lastTo(OLD)!.subject).toBe("This address is still kept for a Beckon account");
  const bob = await t.member("bob@example.com");
  await request(OLD, await openSession(bob));
  expect(lastTo(OLD)!.subject).toBe("This address is still kept for a Beckon account");
  await expect(t.store.db.tx((tx) => createAccount(tx, { email: OLD, now: now() }))).rejects.toThrow("take it back");
  t.store.clock.pass(7 * DAY);
  await signUp(OLD);
  expect(
    await confirmSignUp(t.services, { link: linkIn(lastTo(OLD)), password: PASSWORD, visitor: THIEF, now: now() }),
  ).toMatchObject({ outcome: "signed_in" });
});

test("law: until seven days are over, no factor is removed, and none is weakened", async () => {
  await giveFactors(t.store, t.services.secretBox, id, false);
  const before = await factorsOf(t.store.db, session.personId);
  await requestFactorRemoval(t.services, { personId: session.personId, visitor: ANN, now: now() });
  t.store.clock.pass(6 * DAY);
  await change(NEW);
  const by = { session, visitor: ANN, now: now() };
  const { db } = t.store;
  for (const attempt of [
    (tx: Tx) => removePasskey(tx, t.services, { ...by, id: `psk_of_${id}` }),
    (tx: Tx) => removeApp(tx, t.services, by),
    (tx: Tx) => renewRecoveryCodes(tx, by),
    (tx: Tx) => setSecondStep(tx, { ...by, isRequired: false }),
  ])
    expect(await codeOf(db.tx<unknown>(attempt))).toBe("invalid_request");
  t.store.clock.pass(6 * DAY);
  await removeLostFactors(t.services, now());
  expect(await factorsOf(db, session.personId)).toEqual(before);
  t.store.clock.pass(DAY);
  await removeLostFactors(t.services, now());
  expect(await factorsOf(db, session.personId)).toMatchObject({ passkeys: 0, hasApp: false });
});

test("undoing removes the factors that were added since the change was asked for, and no earlier one", async () => {
  const { db } = t.store;
  await giveFactors(t.store, t.services.secretBox, id);
  t.store.clock.pass(DAY);
  const link = await change(NEW);
  await db.tx((tx) =>
    tx.q.insert(tx.t.passkeys).values({
      ...{
        id: "psk_thief",
        personId: session.personId,
        credentialId: "thief",
        publicKey: "",
        signCount: 0,
        transports: "usb",
      },
      ...{ isBackedUp: false, name: "A thief's", createdAt: now(), lastUsedAt: null },
    }),
  );
  expect(await undo(link)).not.toBeNull();
  expect(await factorsOf(db, session.personId)).toMatchObject({ passkeys: 1, hasApp: true });
  expect(await db.q.select({ id: db.t.passkeys.id }).from(db.t.passkeys)).toEqual([{ id: `psk_of_${id}` }]);
});

test("what can no longer be undone is purged", async () => {
  await change(NEW);
  const { db } = t.store;
  await purgeAddressUndos(db, now());
  expect(await db.q.select().from(db.t.addressUndos)).toHaveLength(1);
  t.store.clock.pass(7 * DAY);
  await purgeAddressUndos(db, now());
  expect(await db.q.select().from(db.t.addressUndos)).toEqual([]);
});
