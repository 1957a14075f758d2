import { describe, expect, test } from "vitest";
import { requireFactor } from "../../../../src/domain/factors/factors.ts";
import {
  addPasskey,
  registrationOptions,
  verifyRegistration,
} from "../../../../src/domain/factors/register-passkey.ts";
import { authenticationOptions } from "../../../../src/domain/factors/verify-passkey.ts";
import { completeSignIn, confirmByFactor, signInByPasskey } from "../../../../src/domain/users/factor-sign-in.ts";
import { pendingSignInOf } from "../../../../src/domain/users/pending-sign-ins.ts";
import { isRecent, sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { type AssertionChanges, TestPasskey } from "../../../support/website/test-passkey.ts";
import { PASSWORD, testUsers, visitor, withoutSignIns } from "../../../support/website/test-users.ts";

const users = eachTest(testUsers);
const RP = { id: "beckon.test", origin: "https://beckon.test" };
const ANN = visitor("ann's laptop");

/** A person with a passkey that was registered in Ann's browser. */
async function withPasskey(email = "ann@example.com", counter = 0) {
  const accountId = await users.member(email);
  const personId = await ownerOf(users.store.db, accountId);
  const passkey = new TestPasskey();
  passkey.counter = counter;
  const { db, clock } = users.store;
  const now = clock.now();
  const person = { id: personId, email };
  const options = await registrationOptions(db, { person, relyingParty: RP, visitorHash: ANN.hash, now });
  const response = passkey.register(options);
  const made = await verifyRegistration(db, { response, relyingParty: RP, visitorHash: ANN.hash, now });
  await db.tx((tx) => addPasskey(tx, { personId, name: "Laptop", credential: made!, now }));
  return { accountId, personId, email, passkey };
}

async function challenge(personId: string | null = null, browser = ANN) {
  const { db, clock } = users.store;
  const request = { personId, relyingParty: RP, visitorHash: browser.hash, now: clock.now() };
  return authenticationOptions(db, request);
}

async function signInWith(response: string, browser = ANN) {
  const now = users.store.clock.now();
  return signInByPasskey(users.services, { response, relyingParty: RP, visitor: browser, now });
}

describe("signing in with a passkey", () => {
  test("opens a session that counts as confirmed, without a password", async () => {
    const { accountId, personId, passkey } = await withPasskey();
    const result = await signInWith(passkey.assert(await challenge(), personId));
    const { db, clock } = users.store;
    const session = await sessionOf(db, (result as { value: string }).value, clock.now());
    expect(session).toMatchObject({ accountId, hasFactor: true });
    expect(isRecent(session!, clock.now())).toBe(true);
    expect(await users.events(accountId)).toEqual(["signed_in"]);
  });

  test("a response is accepted once: a replay is refused", async () => {
    const { personId, passkey } = await withPasskey();
    const response = passkey.assert(await challenge(), personId);
    const results = await Promise.all([signInWith(response), signInWith(response), signInWith(response)]);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["shown", "wrong", "wrong"]);
  });

  test("a challenge that was given to another browser, or more than five minutes ago, is refused", async () => {
    const { personId, passkey } = await withPasskey();
    const response = passkey.assert(await challenge(), personId);
    expect(await signInWith(response, visitor("mallory"))).toEqual({ outcome: "wrong" });
    users.store.clock.pass(5 * MINUTE);
    expect(await signInWith(response)).toEqual({ outcome: "wrong" });
  });

  test.each<[string, AssertionChanges]>([
    ["the passkey of another site", { rpId: "evil.example", origin: "https://evil.example" }],
    ["another origin", { origin: "https://beckon.test.evil.example" }],
    ["another origin of the same host", { origin: "http://beckon.test" }],
    ["another relying party id", { rpId: "test" }],
    ["the response to a registration", { type: "webauthn.create" }],
    ["a challenge that was never given", { challenge: Buffer.alloc(32, 9).toString("base64url") }],
    ["no user handle, so that nobody is named", { userHandle: null }],
    ["the user handle of another account", { userHandle: Buffer.from("acc_somebody_else").toString("base64url") }],
    ["a user who was not verified", { flags: 0x01 }],
    ["a user who was not present", { flags: 0x04 }],
    ["a page in a frame of another site", { crossOrigin: true }],
    ["a page below a page of another site", { topOrigin: "https://evil.example" }],
    ["a backup of what cannot be backed up", { flags: 0x01 | 0x04 | 0x10 }],
  ])("%s is refused", async (_what, changes) => {
    const { accountId, personId, passkey } = await withPasskey();
    expect(await signInWith(passkey.assert(await challenge(), personId, changes))).toEqual({ outcome: "wrong" });
    expect(await users.events(accountId)).toEqual([]);
  });

  test("a signature of another key, for a credential that is registered, is refused", async () => {
    const { personId, passkey } = await withPasskey();
    const forger = new TestPasskey();
    const forged = JSON.parse(forger.assert(await challenge(), personId));
    const response = JSON.stringify({ ...forged, id: passkey.id, rawId: passkey.id });
    expect(await signInWith(response)).toEqual({ outcome: "wrong" });
  });

  test.each([
    "",
    "null",
    "[]",
    "{}",
    "1",
    '{"id":"x"}',
    '{"id":"x","response":{"clientDataJSON":7}}',
    "{".repeat(9_000),
  ])("%j is refused", async (response) => {
    expect(await signInWith(response)).toEqual({ outcome: "wrong" });
  });
});

describe("the signature counter", () => {
  test("stays at 0 for a passkey that has none", async () => {
    const { personId, passkey } = await withPasskey();
    for (let n = 0; n < 3; n++)
      expect(await signInWith(passkey.assert(await challenge(), personId))).toMatchObject({ outcome: "shown" });
  });

  test.each([
    ["lower", 4],
    ["equal", 5],
    ["0", 0],
  ])("one that grows is accepted; %s than the last is refused, and its owner is mailed", async (_how, counter) => {
    const { accountId, personId, email, passkey } = await withPasskey("ann@example.com", 4);
    expect(await signInWith(passkey.assert(await challenge(), personId))).toMatchObject({ outcome: "shown" });
    const clone = passkey.assert(await challenge(), personId, { counter });
    expect(await signInWith(clone)).toEqual({ outcome: "cloned" });
    expect(withoutSignIns(users.outbox)).toMatchObject([
      { to: email, subject: "A passkey of your Beckon account was refused" },
    ]);
    expect(await users.events(accountId)).toEqual(["signed_in", "passkey_refused"]);
  });
});

describe("a second step after the password", () => {
  async function pendingSignIn() {
    const given = await withPasskey();
    const { db, clock } = users.store;
    await db.tx((tx) => requireFactor(tx, given.personId, true));
    const attempt = { email: given.email, password: PASSWORD, visitor: ANN, now: clock.now() };
    const secret = (await signIn(users.services, attempt))!;
    return { ...given, secret, pending: await pendingSignInOf(db, secret, clock.now()) };
  }

  test("the password opens no session; the passkey then does", async () => {
    const { accountId, personId, passkey, secret, pending } = await pendingSignIn();
    const { db, clock } = users.store;
    expect(await sessionOf(db, secret, clock.now())).toBeNull();
    expect(await users.events(accountId)).toEqual(["factor_asked"]);
    const proof = {
      kind: "passkey",
      response: passkey.assert(await challenge(personId), personId),
      relyingParty: RP,
    } as const;
    const step = { pending: pending!, proof, visitor: ANN, now: clock.now() };
    const result = await completeSignIn(users.services, step);
    expect(await sessionOf(db, (result as { value: string }).value, clock.now())).toMatchObject({ accountId });
    expect(await pendingSignInOf(db, secret, clock.now())).toBeNull();
    expect(await users.events(accountId)).toEqual(["factor_asked", "signed_in"]);
  });

  test("the passkey of another account is refused", async () => {
    const { pending } = await pendingSignIn();
    const other = await withPasskey("eve@example.com");
    const response = other.passkey.assert(await challenge(pending!.personId), other.personId);
    const proof = { kind: "passkey", response, relyingParty: RP } as const;
    const now = users.store.clock.now();
    expect(await completeSignIn(users.services, { pending: pending!, proof, visitor: ANN, now })).toEqual({
      outcome: "wrong",
    });
  });

  test("it is not asked for later than 15 minutes after the password", async () => {
    const { secret } = await pendingSignIn();
    users.store.clock.pass(15 * MINUTE);
    expect(await pendingSignInOf(users.store.db, secret, users.store.clock.now())).toBeNull();
  });
});

describe("confirming who one is", () => {
  test("a session by password alone is not confirmed where there is a passkey; showing it confirms it for an hour", async () => {
    const { accountId, personId, passkey } = await withPasskey();
    const { db, clock } = users.store;
    const secret = await users.session(accountId);
    const session = (await sessionOf(db, secret, clock.now()))!;
    expect(isRecent(session, clock.now())).toBe(false);
    const response = passkey.assert(await challenge(personId), personId);
    const proof = { kind: "passkey", response, relyingParty: RP } as const;
    const result = await confirmByFactor(users.services, { session, proof, visitor: ANN, now: clock.now() });
    const renewed = (await sessionOf(db, (result as { value: string }).value, clock.now()))!;
    expect(isRecent(renewed, clock.now())).toBe(true);
    expect(isRecent(renewed, clock.now() + 61 * MINUTE)).toBe(false);
    expect(isRecent(renewed, clock.now() + 61 * MINUTE, DAY)).toBe(true);
    // A copy of the cookie from before is worth nothing now.
    expect(await sessionOf(db, secret, clock.now())).toBeNull();
  });
});
