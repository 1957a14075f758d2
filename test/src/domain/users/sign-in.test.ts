import argon2 from "@node-rs/argon2";
import { beforeEach, expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { purgeWindows } from "../../../../src/domain/limits/window.ts";
import { rememberBrowser } from "../../../../src/domain/users/known-browsers.ts";
import { requestPasswordReset, resetPassword } from "../../../../src/domain/users/reset.ts";
import { sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { recordCalls, rememberingVerify } from "../../../support/service/argon2-calls.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor, withoutSignIns } from "../../../support/website/test-users.ts";

const EMAIL = "ann@example.com";
const realVerify = rememberingVerify(argon2.verify);
const verify = recordCalls("verify");

const t = eachTest(testUsers);
let id: string;
beforeEach(async () => {
  id = await t.member(EMAIL);
  verify.mockClear();
  verify.mockImplementation(realVerify);
});

const now = () => t.store.clock.now();
const tryIn = (password = PASSWORD, ip = "192.0.2.1", email = EMAIL) =>
  signIn(t.services, { email, password, visitor: visitor("mine", ip), now: now() });
/** "in", "wrong", or the code of the refusal. */
const outcome = (...args: Parameters<typeof tryIn>) =>
  tryIn(...args).then(
    (session) => (session ? "in" : "wrong"),
    (thrown) => thrown.code as string,
  );
const guess = async (count: number, ip?: string, email?: string) => {
  const all = [];
  for (let n = 0; n < count; n++) all.push(await outcome(`wrong ${n}`, ip, email));
  return [...new Set(all)];
};

test("each sign-in opens a new session, and the log says from where", async () => {
  const [first, second] = [await tryIn(), await tryIn(PASSWORD, "192.0.2.1", " ANN@example.com ")];
  expect(first).toMatch(/^ses_[\w-]{43}$/);
  expect(second).not.toBe(first);
  expect(await sessionOf(t.services.db, second!, now())).toMatchObject({ accountId: id, browser: "Firefox on Linux" });
  expect(await t.events(id)).toEqual(["signed_in", "signed_in"]);
});

test("law: an unknown address, an account without a password, no address and a wrong password get the same answer after the same work", async () => {
  await t.store.db.tx((tx) => createAccount(tx, { email: "operator@example.com", now: now() }));
  const emails = [EMAIL, "nobody@example.com", "operator@example.com", "no address", ""];
  for (const [n, email] of emails.entries()) {
    verify.mockClear();
    expect(await outcome("wrong", `192.0.2.${n}`, email)).toBe("wrong");
    expect(verify.mock.calls.map(([hash]) => argon2.parseOptions(hash).memoryCost)).toEqual([19_456]);
  }
  for (const [n, email] of emails.entries()) {
    const all = [];
    for (let i = 0; i < 6; i++) all.push(await outcome("wrong", `192.0.3.${n}`, email));
    expect(all, email).toEqual([...Array(5).fill("wrong"), "rate_limited"]);
  }
});

test("429 after five failures from one network, for the right password too, until the 15 minutes end", async () => {
  expect(await guess(5)).toEqual(["wrong"]);
  await expect(tryIn()).rejects.toMatchObject({ code: "rate_limited", headers: { "Retry-After": "900" } });
  t.store.clock.pass(15 * MINUTE);
  expect(await outcome()).toBe("in");
});

test("law: guesses from another network lock nobody out", async () => {
  for (let n = 1; n <= 8; n++) await guess(5, `198.51.100.${n}`);
  expect(await outcome()).toBe("in");
});

test("law: thirty simultaneous guesses are all counted; five are checked", async () => {
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => outcome(`wrong ${n}`)));
  expect(all.filter((one) => one === "wrong")).toHaveLength(5);
  expect(all.filter((one) => one === "rate_limited")).toHaveLength(25);
  expect(verify).toHaveBeenCalledTimes(5);
});

test("law: a network may guess thirty times an hour over all addresses; an IPv6 /64 is one network", async () => {
  for (let n = 0; n < 10; n++) expect(await guess(3, `2001:db8::${n + 1}`, `n${n}@example.com`)).toEqual(["wrong"]);
  expect(await outcome("wrong", "2001:db8::ffff", "more@example.com")).toBe("rate_limited");
  expect(await outcome(PASSWORD, "2001:db8:0:1::1")).toBe("in");
  t.store.clock.pass(HOUR);
  expect(await outcome(PASSWORD, "2001:db8::1")).toBe("in");
});

test("a success clears the failures of this network at this address, and no others", async () => {
  await guess(4);
  expect(await outcome()).toBe("in");
  expect(await guess(4)).toEqual(["wrong"]);
  expect(await outcome()).toBe("in");
});

test("law: signing in to one's own account allows no more guesses at others", async () => {
  await t.member("eve@example.com");
  const all = [];
  for (let n = 0; n < 36; n++) {
    all.push(await outcome("wrong", "192.0.2.7", `n${n % 9}@example.com`));
    await outcome(PASSWORD, "192.0.2.7", "eve@example.com");
  }
  expect(all.filter((one) => one === "wrong")).toHaveLength(30);
});

test("fifty-one right passwords are not counted as failures of their network or address", async () => {
  for (let n = 0; n < 51; n++) expect(await outcome()).toBe("in");
  expect(await outcome("wrong")).toBe("wrong");
  expect(withoutSignIns(t.outbox)).toEqual([]);
});

test("law: after 50 failures in a day the owner is notified, once a day, and nobody is locked out", async () => {
  const tenPlaces = async () => {
    for (let n = 0; n < 11; n++) await guess(5, `203.0.113.${n}`);
  };
  for (let n = 0; n < 10; n++) await guess(5, `203.0.113.${n}`);
  expect(t.outbox).toEqual([]);
  expect(await outcome("wrong", "203.0.113.99")).toBe("wrong");
  expect(t.outbox.map(({ to, subject }) => [to, subject])).toEqual([[EMAIL, "Failed sign-ins to your Beckon account"]]);
  expect(await guess(3, "203.0.113.98")).toEqual(["wrong"]);
  expect(await t.events(id)).toEqual(["sign_in_failing"]);
  expect(await outcome()).toBe("in");

  t.store.clock.pass(DAY);
  await tenPlaces();
  expect(withoutSignIns(t.outbox)).toHaveLength(2);
  expect(await t.events(id)).toEqual(["sign_in_failing", "signed_in", "sign_in_failing"]);
});

/** A hundred wrong passwords, from as many networks as it takes. */
async function guessHundred(email = EMAIL): Promise<void> {
  for (let n = 0; n < 20; n++) expect(await guess(5, `198.18.0.${n}`, email)).toEqual(["wrong"]);
}

test("law: after 100 wrong passwords in a row no password is checked any more, from whatever network (NIST SP 800-63B)", async () => {
  await guessHundred();
  verify.mockClear();
  t.store.clock.pass(1_000 * DAY);
  await purgeWindows(t.store.db, now());
  await expect(tryIn(PASSWORD, "198.18.1.1")).rejects.toMatchObject({ code: "rate_limited", headers: {} });
  expect(verify).not.toHaveBeenCalled();
});

test("law: the owner passes by a mailed link at once, and passwords are checked again", async () => {
  await guessHundred();
  const mine = visitor("mine", "198.18.1.1");
  await requestPasswordReset(t.services, { email: EMAIL, returnTo: "/", visitor: mine, now: now() });
  const link = linkIn(t.outbox.at(-1));
  const reset = { link, password: "four patient otters", revokeAccess: false, visitor: mine, now: now() };
  expect(await resetPassword(t.services, reset)).not.toBeNull();
  expect(await outcome("four patient otters", "198.18.1.2")).toBe("in");
});

test("law: a browser that the owner has signed in with is never locked out by others, on their network either", async () => {
  const known = rememberBrowser("", (await t.personOf(EMAIL))!);
  const tryKnown = (password: string) =>
    codeOf(
      signIn(t.services, { email: EMAIL, password, visitor: { ...visitor("mine", "198.18.0.1"), known }, now: now() }),
    );
  await guessHundred();
  await guess(30, "198.18.0.1", "others@example.com");
  expect(await tryKnown(PASSWORD)).toBe("done");
  // Its own limit holds: whoever sits at it may guess no more than anybody.
  for (let n = 0; n < 5; n++) expect(await tryKnown("wrong")).toBe("done");
  expect(await tryKnown(PASSWORD)).toBe("rate_limited");
});

test("a sign-in forgets the wrong passwords in a row", async () => {
  for (let n = 0; n < 12; n++) await guess(5, `198.18.0.${n}`);
  expect(await outcome()).toBe("in");
  for (let n = 20; n < 32; n++) expect(await guess(5, `198.18.0.${n}`)).toEqual(["wrong"]);
});

test("an address without an account is refused after 100 wrong passwords as one with an account is", async () => {
  await guessHundred("nobody@example.com");
  expect(await outcome("wrong", "198.18.1.1", "nobody@example.com")).toBe("rate_limited");
});

test("an address without an account is never mailed, however many guesses there are", async () => {
  for (let n = 0; n < 12; n++) await guess(5, `203.0.113.${n}`, "nobody@example.com");
  expect(t.outbox).toEqual([]);
});

test("503: a password that could not be checked is not counted as a failure", async () => {
  verify.mockRejectedValue(Object.assign(new Error("busy"), { code: "unavailable" }));
  for (let n = 0; n < 8; n++) expect(await codeOf(tryIn())).toBe("unavailable");
  verify.mockImplementation(realVerify);
  expect(await outcome()).toBe("in");
});

test("a password that was changed while it was being checked signs nobody in", async () => {
  const { db } = t.store;
  verify.mockImplementationOnce(async (hash, password) => {
    await db.tx((tx) => tx.q.update(tx.t.people).set({ passwordHash: "$other" }));
    return realVerify(hash, password);
  });
  expect(await outcome()).toBe("wrong");
  expect(await db.q.select().from(db.t.sessions)).toEqual([]);
});
