import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  approveClaim,
  declineClaim,
  isMeantFor,
  registrationOfAttempt,
} from "../../../../src/domain/agents/claiming.ts";
import { pollRegistration } from "../../../../src/domain/agents/polling.ts";
import {
  registerAgent,
  registrationOf,
  reissueAttempt,
  withdrawRegistration,
} from "../../../../src/domain/agents/registrations.ts";
import { grantOf, grantsOf } from "../../../../src/domain/oauth/grants.ts";
import { securityEventsOf } from "../../../../src/domain/security-log/security-log.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import { SCOPES, type Scope } from "../../../../src/platform/principal.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const PERSON = { accountId: "acc_person", personId: "per_person", email: "person@example.com", verifiedAt: 1 };
const siteUrl = "http://beckon.test";

const store = eachTest(testStore);

type Registered = Awaited<ReturnType<typeof begin>>;

const begin = (more: { email?: string; ip?: string; scopes?: readonly Scope[] } = {}) =>
  registerAgent(store.db, {
    ...{ email: PERSON.email, agentName: "Helper", scopes: SCOPES, ip: "192.0.2.1" },
    ...more,
    now: store.clock.now(),
  });
const act = (attempt: string, claimant = PERSON) => ({
  attempt,
  claimant,
  ip: "198.51.100.7",
  now: store.clock.now(),
});
const type = (attempt: string, code: string, more: { claimant?: typeof PERSON; scopes?: readonly Scope[] } = {}) =>
  store.db.tx((tx) => approveClaim(tx, { ...act(attempt, more.claimant), code, scopes: more.scopes ?? SCOPES }));
const no = (attempt: string, claimant = PERSON) => store.db.tx((tx) => declineClaim(tx, act(attempt, claimant)));
const ask = ({ claimToken }: { claimToken: string }) =>
  pollRegistration(store.db, { claimToken, siteUrl, audience: "", now: store.clock.now() });
const rowOf = async ({ claimToken }: Registered) => (await registrationOf(store.db, claimToken))!;
const again = async (registered: Registered) => {
  const attempt = await reissueAttempt(store.db, await rowOf(registered), store.clock.now());
  if (typeof attempt === "string") throw new Error(attempt);
  return attempt;
};
/** A code that is not the right one, whatever that is. */
const wrong = (code: string, n = 0) => `${code.slice(0, 5)}${code.endsWith("K") ? "M" : "K"}${"X".repeat(n)}`;
const kinds = async () =>
  (await securityEventsOf(store.db, { ...PERSON, isWhole: true }, { limit: 100, offset: 0 })).rows.map((e) => e.kind);

test("polls: pending; slow_down adds 5 seconds for good; once approved, tokens are delivered once and at once", async () => {
  const registered = await begin();
  expect(await ask(registered)).toBe("pending");
  expect(await ask(registered)).toBe("too_fast");
  expect((await rowOf(registered)).interval).toBe(10);
  store.clock.pass(10 * SECOND - 1);
  expect(await ask(registered)).toBe("too_fast");
  store.clock.pass(15 * SECOND);
  expect(await ask(registered)).toBe("pending");
  store.clock.pass(15 * SECOND - 1);
  expect(await ask(registered)).toBe("too_fast");
  expect((await type(registered.attempt, registered.userCode)).outcome).toBe("claimed");
  expect(await ask(registered)).toMatchObject({ scopes: SCOPES });
  expect(await ask(registered)).toBe("used");
  store.clock.pass(2 * DAY);
  expect(await ask(registered)).toBe("used");
});

test("polls: a poll exactly after the interval is not too fast", async () => {
  const registered = await begin();
  for (let i = 0; i < 3; i++) {
    expect(await ask(registered)).toBe("pending");
    store.clock.pass(5 * SECOND);
  }
});

test("polls: of ten simultaneous polls one is in time, and each of the others lengthens the interval", async () => {
  const registered = await begin();
  const all = await Promise.all(Array.from({ length: 10 }, () => ask(registered)));
  expect(all.filter((one) => one === "pending")).toHaveLength(1);
  expect((await rowOf(registered)).interval).toBe(5 + 9 * 5);
});

test("polls: of ten simultaneous polls after the claim exactly one gets the tokens", async () => {
  const registered = await begin();
  await type(registered.attempt, registered.userCode);
  const all = await Promise.all(Array.from({ length: 10 }, () => ask(registered)));
  expect(all.filter((one) => typeof one === "object")).toHaveLength(1);
  expect(all.filter((one) => one === "used")).toHaveLength(9);
});

test("polls: an unknown token, a malformed one, an expired code, an expired registration", async () => {
  const registered = await begin();
  expect(await ask({ claimToken: `clm_${"a".repeat(43)}` })).toBe("unknown");
  expect(await ask({ claimToken: registered.attempt })).toBe("unknown");
  store.clock.pass(10 * MINUTE - 1);
  expect(await ask(registered)).toBe("pending");
  store.clock.pass(1);
  expect(await ask(registered)).toBe("expired");
  await again(registered);
  store.clock.pass(5 * SECOND);
  expect(await ask(registered)).toBe("pending");
  store.clock.pass(DAY);
  expect(await ask(registered)).toBe("expired");
});

test("polls: declined, locked and withdrawn are all denied", async () => {
  const [declined, locked, withdrawn] = [await begin(), await begin(), await begin()];
  expect(await no(declined.attempt)).toEqual({ outcome: "declined" });
  for (let i = 0; i < 5; i++) await type(locked.attempt, wrong(locked.userCode));
  expect(await withdrawRegistration(store.db, withdrawn.claimToken, { ip: "192.0.2.7", now: store.clock.now() })).toBe(
    true,
  );
  for (const one of [declined, locked, withdrawn]) expect(await ask(one)).toBe("denied");
});

test("polls: a claimed registration that was not collected expires after a day and ten minutes", async () => {
  const [registered, other] = [await begin(), await begin()];
  for (const { attempt, userCode } of [registered, other]) await type(attempt, userCode);
  store.clock.pass(DAY + 10 * MINUTE - 1);
  expect(await ask(other)).toMatchObject({ access: expect.any(String) });
  store.clock.pass(1);
  expect(await ask(registered)).toBe("expired");
});

test("polls: an agent that was disconnected before it collected its tokens gets none", async () => {
  const registered = await begin();
  await type(registered.attempt, registered.userCode);
  const { grantId } = await rowOf(registered);
  await store.db.tx((tx) =>
    tx.q.update(tx.t.grants).set({ revokedAt: store.clock.now() }).where(eq(tx.t.grants.id, grantId!)),
  );
  expect(await ask(registered)).toBe("disconnected");
  expect(await store.db.q.select().from(store.db.t.accessTokens)).toEqual([]);
});

test("a claim connects the agent with the scopes that were requested and ticked, and no others", async () => {
  const registered = await begin({ scopes: ["read", "index"] });
  await type(registered.attempt, registered.userCode, { scopes: ["index", "purchase"] });
  const [grant, ...more] = await grantsOf(store.db, PERSON.accountId);
  expect(grant).toMatchObject({ kind: "agent", clientId: null, name: "Helper", scopes: "index" });
  expect(more).toEqual([]);
  expect(await kinds()).toEqual(["agent_connected"]);
  expect(await ask(registered)).toMatchObject({ scopes: ["index"] });
});

test("a code may be typed in any case, with spaces and dashes", async () => {
  const registered = await begin();
  const code = registered.userCode.toLowerCase();
  const typed = ` ${code.slice(0, 2)} ${code.slice(2, 3)}-${code.slice(3)}\u2011 `;
  expect((await type(registered.attempt, typed)).outcome).toBe("claimed");
});

test("codes have 6 characters of an alphabet without vowels and look-alikes, and are stored as a hash", async () => {
  const registered = await begin();
  expect(registered.userCode).toMatch(/^[BCDFGHJKMNPQRTVWXY3479]{6}$/);
  const kept = JSON.stringify(await rowOf(registered));
  for (const secret of [registered.userCode, registered.attempt, registered.claimToken])
    expect(kept).not.toContain(secret);
});

test("five wrong codes lock a registration for good: the right one is refused, after a new code too", async () => {
  const registered = await begin();
  const left = [];
  for (let i = 0; i < 4; i++) left.push(await type(registered.attempt, wrong(registered.userCode, i)));
  expect(left).toEqual([4, 3, 2, 1].map((one) => ({ outcome: "wrong_code", left: one })));
  expect(await type(registered.attempt, wrong(registered.userCode))).toEqual({ outcome: "locked" });
  expect(await type(registered.attempt, registered.userCode)).toEqual({ outcome: "decided_before" });
  expect(await reissueAttempt(store.db, await rowOf(registered), store.clock.now())).toBe("answered");
  expect(await grantsOf(store.db, PERSON.accountId)).toEqual([]);
  expect((await kinds()).sort()).toEqual([...Array(5).fill("claim_code_wrong"), "claim_locked"]);
});

test("of thirty simultaneous wrong codes five are counted, and the right one is refused afterwards", async () => {
  const registered = await begin();
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, n) => type(registered.attempt, wrong(registered.userCode, n))),
  );
  expect(all.filter(({ outcome }) => outcome === "wrong_code")).toHaveLength(4);
  expect(all.filter(({ outcome }) => outcome === "locked")).toHaveLength(1);
  expect(await rowOf(registered)).toMatchObject({ wrongCodes: 5, status: "locked" });
  expect(await type(registered.attempt, registered.userCode)).toEqual({ outcome: "decided_before" });
});

test("ten simultaneous right codes connect one agent", async () => {
  const registered = await begin();
  const all = await Promise.all(Array.from({ length: 10 }, () => type(registered.attempt, registered.userCode)));
  expect(all.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
  expect(await grantsOf(store.db, PERSON.accountId)).toHaveLength(1);
});

test("a new code voids the previous link and code, and keeps the count of wrong ones", async () => {
  const registered = await begin();
  for (let i = 0; i < 4; i++) await type(registered.attempt, wrong(registered.userCode, i));
  const next = await again(registered);
  expect(await registrationOfAttempt(store.db, registered.attempt, store.clock.now())).toBeNull();
  expect(await type(registered.attempt, registered.userCode)).toEqual({ outcome: "link_expired" });
  expect((await rowOf(registered)).wrongCodes).toBe(4);
  expect(await type(next.attempt, wrong(next.userCode))).toEqual({ outcome: "locked" });
});

test("a new code expires with the registration", async () => {
  const registered = await begin();
  store.clock.pass(DAY - 3 * MINUTE);
  const next = await again(registered);
  expect(next.codeExpiresAt).toBe(registered.expiresAt);
  store.clock.pass(3 * MINUTE);
  expect(await type(next.attempt, next.userCode)).toEqual({ outcome: "link_expired" });
  expect(await reissueAttempt(store.db, await rowOf(registered), store.clock.now())).toBe("expired");
});

test.each([
  ["another account", { ...PERSON, accountId: "acc_other", email: "other@example.com" }],
  ["the address unproved", { ...PERSON, verifiedAt: null as unknown as number }],
])(
  "%s can neither see nor decide a registration, even with the right code, and no code is counted",
  async (_name, claimant) => {
    const registered = await begin();
    expect(isMeantFor(await rowOf(registered), claimant)).toBe(false);
    expect(await type(registered.attempt, registered.userCode, { claimant })).toEqual({ outcome: "other_account" });
    expect(await type(registered.attempt, wrong(registered.userCode), { claimant })).toEqual({
      outcome: "other_account",
    });
    expect(await no(registered.attempt, claimant)).toEqual({ outcome: "other_account" });
    expect(await rowOf(registered)).toMatchObject({ status: "pending", wrongCodes: 0 });
  },
);

test("a declined registration cannot be claimed, and a claimed one cannot be declined", async () => {
  const [declined, claimed] = [await begin(), await begin()];
  await no(declined.attempt);
  expect(await type(declined.attempt, declined.userCode)).toEqual({ outcome: "decided_before" });
  await type(claimed.attempt, claimed.userCode);
  expect(await no(claimed.attempt)).toEqual({ outcome: "decided_before" });
  expect(await rowOf(claimed)).toMatchObject({ status: "claimed" });
  expect(await kinds()).toEqual(["agent_connected", "agent_declined"]);
});

test("the claim token withdraws a registration: pending, claimed or collected", async () => {
  const [open, claimed, collected] = [await begin(), await begin(), await begin()];
  for (const one of [claimed, collected]) await type(one.attempt, one.userCode);
  await ask(collected);
  for (const one of [open, claimed, collected]) {
    expect(await withdrawRegistration(store.db, one.claimToken, { ip: "192.0.2.7", now: store.clock.now() })).toBe(
      true,
    );
    const { status, grantId } = await rowOf(one);
    expect(status).toBe("withdrawn");
    if (grantId) expect(await grantOf(store.db, grantId)).toBeNull();
  }
  expect(await type(open.attempt, open.userCode)).toEqual({ outcome: "decided_before" });
  expect(
    await withdrawRegistration(store.db, `clm_${"a".repeat(43)}`, { ip: "192.0.2.7", now: store.clock.now() }),
  ).toBe(false);
});

test("ten an hour from one network; registrations from other networks for the same e-mail address keep nobody out", async () => {
  const outcome = (of: { email?: string; ip?: string }) =>
    begin(of).then(
      () => "registered",
      (thrown: Refusal) => thrown.code,
    );
  const many = async (count: number, of: (n: number) => { email?: string; ip?: string }) => {
    const all = [];
    for (let n = 0; n < count; n++) all.push(await outcome(of(n)));
    return all.filter((one) => one === "registered").length;
  };
  expect(await many(12, (n) => ({ ip: `2001:db8::${n + 1}`, email: `n${n}@example.com` }))).toBe(10);
  expect(await many(1, () => ({ ip: "2001:db8:0:1::1", email: "n@example.com" }))).toBe(1);
  expect(await many(40, (n) => ({ ip: `192.0.2.${n}` }))).toBe(40);
  // One of its ten was for that address.
  expect(await many(12, (n) => ({ ip: "192.0.2.39", email: `m${n}@example.com` }))).toBe(9);
  store.clock.pass(HOUR);
  expect(await outcome({ ip: "192.0.2.39" })).toBe("registered");
});
