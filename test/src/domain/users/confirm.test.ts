import { expect, test } from "vitest";
import { confirmSignUp } from "../../../../src/domain/users/confirm.ts";
import { linkOf } from "../../../../src/domain/users/mailed-links.ts";
import { sessionOf } from "../../../../src/domain/users/sessions.ts";
import { signIn } from "../../../../src/domain/users/sign-in.ts";
import { requestSignUp } from "../../../../src/domain/users/sign-up.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { recordCalls } from "../../../support/service/argon2-calls.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const verify = recordCalls("verify");

const EMAIL = "ann@example.com";

const t = eachTest(testUsers);

const now = () => t.store.clock.now();
/** @returns the secret that was mailed */
async function signUp(browser: string, password = PASSWORD): Promise<string> {
  await requestSignUp(t.services, {
    email: EMAIL,
    password,
    returnTo: "/claim",
    visitor: visitor(browser),
    now: now(),
  });
  return linkIn(t.outbox.at(-1));
}
const confirm = (link: string, browser: string, password: string | null = null) =>
  confirmSignUp(t.services, { link, password, visitor: visitor(browser), now: now() });
const trySignIn = (password: string) =>
  signIn(t.services, { email: EMAIL, password, visitor: visitor("elsewhere"), now: now() });

test("the browser that signed up needs no password: it gets a verified account, a session and the path to return to", async () => {
  const link = await signUp("mine");
  const confirmed = await confirm(link, "mine");
  expect(confirmed).toMatchObject({ outcome: "signed_in", returnTo: "/claim" });
  const session = await sessionOf(t.services.db, confirmed.outcome === "signed_in" ? confirmed.session : "", now());
  expect(session).toMatchObject({ email: EMAIL, verifiedAt: now() });
  expect(await t.events(session!.accountId)).toEqual(["account_opened"]);
  expect(await trySignIn(PASSWORD)).toMatch(/^ses_/);
});

test("another browser has to send the password", async () => {
  const link = await signUp("mine");
  for (const none of [null, ""]) expect(await confirm(link, "phone", none)).toEqual({ outcome: "wrong_password" });
  expect(await confirm(link, "phone", "seven quiet swans")).toEqual({ outcome: "wrong_password" });
  expect(await confirm(link, "phone", PASSWORD)).toMatchObject({ outcome: "signed_in" });
});

test("law: confirming a stranger's sign-up without its password creates no account that the stranger could enter", async () => {
  const theirs = await signUp("stranger", "a stranger's own words");
  expect(await confirm(theirs, "mine")).toEqual({ outcome: "wrong_password" });
  expect(await confirm(theirs, "mine", PASSWORD)).toEqual({ outcome: "wrong_password" });
  expect(await t.personOf(EMAIL)).toBeNull();
  const own = await signUp("mine");
  expect(await linkOf(t.services.db, theirs, now())).not.toBeNull();
  expect(await confirm(own, "mine")).toMatchObject({ outcome: "signed_in" });
  expect(await linkOf(t.services.db, theirs, now())).toBeNull();
  expect(await confirm(theirs, "stranger")).toEqual({ outcome: "gone" });
  expect(await trySignIn("a stranger's own words")).toBeNull();
  expect(await trySignIn(PASSWORD)).toMatch(/^ses_/);
});

test("law: the fifth wrong password voids the link, also for the right password and in every browser", async () => {
  const link = await signUp("mine");
  for (let n = 1; n <= 4; n++)
    expect(await confirm(link, "other", `wrong ${n}`)).toEqual({ outcome: "wrong_password" });
  expect(await confirm(link, "other", "wrong 5")).toEqual({ outcome: "gone" });
  expect(await confirm(link, "other", PASSWORD)).toEqual({ outcome: "gone" });
  expect(await confirm(link, "mine")).toEqual({ outcome: "gone" });
  expect(await linkOf(t.services.db, link, now())).toBeNull();
});

test("law: of thirty simultaneous wrong passwords five are checked", async () => {
  const link = await signUp("mine");
  verify.mockClear();
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => confirm(link, "other", `wrong ${n}`)));
  expect(all.filter(({ outcome }) => outcome === "wrong_password")).toHaveLength(4);
  expect(all.filter(({ outcome }) => outcome === "gone")).toHaveLength(26);
  expect(verify).toHaveBeenCalledTimes(5);
});

test("law: of ten simultaneous uses exactly one creates the account", async () => {
  const link = await signUp("mine");
  const all = await Promise.all(Array.from({ length: 10 }, () => confirm(link, "mine")));
  expect(all.map(({ outcome }) => outcome).sort()).toEqual([...Array(9).fill("gone"), "signed_in"]);
  expect(await t.services.db.q.select().from(t.services.db.t.accounts)).toHaveLength(1);
  expect(await t.services.db.q.select().from(t.services.db.t.sessions)).toHaveLength(1);
});

test("law: of two links of one address, used simultaneously, one creates the account", async () => {
  const links = [await signUp("mine"), await signUp("mine", "other words of mine")];
  const all = await Promise.all(links.map((link) => confirm(link, "mine")));
  expect(all.map(({ outcome }) => outcome).sort()).toEqual(["gone", "signed_in"]);
});

test("a link is valid for 24 hours, to the millisecond", async () => {
  const [first, second] = [await signUp("mine"), await signUp("mine")];
  t.store.clock.pass(DAY - 1);
  expect(await linkOf(t.services.db, first, now())).toMatchObject({
    purpose: "sign_up",
    email: EMAIL,
    returnTo: "/claim",
  });
  expect(await linkOf(t.services.db, second, now())).not.toBeNull();
  t.store.clock.pass(1);
  expect(await linkOf(t.services.db, first, now())).toBeNull();
  expect(await confirm(second, "mine")).toEqual({ outcome: "gone" });
});

test("an account that was created meanwhile is not changed", async () => {
  const link = await signUp("mine", "words that come too late");
  await t.member(EMAIL);
  expect(await confirm(link, "mine")).toEqual({ outcome: "gone" });
  expect(await trySignIn("words that come too late")).toBeNull();
  expect(await trySignIn(PASSWORD)).toMatch(/^ses_/);
});

test.each(["", "lnk_", `lnk_${"x".repeat(43)}`, "lnk_' OR 1=1 --", "ses_1"])("%j is no link", async (link) => {
  expect(await confirm(link, "mine", PASSWORD)).toEqual({ outcome: "gone" });
});
