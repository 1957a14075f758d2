import { afterAll, expect, test } from "vitest";
import { recordSecurityEvent } from "../../../../../src/domain/security-log/security-log.ts";
import { hashPassword } from "../../../../../src/domain/users/passwords.ts";
import { changeOwner, openSessionOf } from "../../../../support/database/people.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE } from "../../../../support/website/account-fixtures.ts";
import { PASSWORD } from "../../../../support/website/test-users.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/security";
const NEXT = "nine patient otters";

/** Another browser of the same user. */
async function elsewhere(accountId: string): Promise<{ user: User; id: string }> {
  const user = new User(service);
  const browser = "Safari on iOS";
  const id = await db.tx(async (tx) => {
    const before = new Set((await tx.q.select().from(tx.t.sessions)).map((session) => session.id));
    user.cookies.set("sid", await openSessionOf(tx, { accountId, browser, ip: "203.0.113.9", now: clock.now() }));
    return (await tx.q.select().from(tx.t.sessions)).find((session) => !before.has(session.id))!.id;
  });
  return { user, id };
}

const isIn = async (user: User) => (await user.get("/dashboard")).status === 200;

test("303: ends one session of another browser, and no other", async () => {
  const { user, accountId } = await signedIn(service);
  const [phone, tablet] = [await elsewhere(accountId), await elsewhere(accountId)];
  const page = await user.get(PATH);
  expect(page.text).toContain("Firefox on Linux this browser");
  expect(page.text).toContain("Safari on iOS");
  expect(page.text).toContain("from 203.0.113.9");
  const done = await user.submit(page, {}, `${PATH}/sessions/${phone.id}/end`);
  expect([done.status, done.location]).toEqual([303, `${PATH}?done=ended`]);
  expect([await isIn(phone.user), await isIn(tablet.user), await isIn(user)]).toEqual([false, true, true]);
  expect((await user.follow(done)).text).toContain("Session ended Safari on iOS");
  expect((await user.submit(page, {}, `${PATH}/sessions/${phone.id}/end`)).status).toBe(404);
});

test("303: ends all other sessions at once", async () => {
  const { user, accountId } = await signedIn(service);
  const stranger = await signedIn(service);
  const others = [await elsewhere(accountId), await elsewhere(accountId)];
  await user.submit(await user.get(PATH), {}, `${PATH}/sessions/end-others`);
  expect([await isIn(others[0]!.user), await isIn(others[1]!.user)]).toEqual([false, false]);
  expect([await isIn(user), await isIn(stranger.user)]).toEqual([true, true]);
  const page = await user.get(PATH);
  expect(page.text.match(/Session ended Safari on iOS/g)).toHaveLength(2);
  expect(page.forms.map(({ action }) => action)).not.toContain(`${PATH}/sessions/end-others`);
});

test("404: a session of another account is not shown and cannot be ended", async () => {
  const { user, accountId } = await signedIn(service);
  const mine = await elsewhere(accountId);
  const other = await signedIn(service);
  const theirs = await elsewhere(other.accountId);
  const page = await user.get(PATH);
  expect(page.html).not.toContain(theirs.id);
  const { fields } = page.forms.find(({ action }) => action.includes(mine.id))!;
  expect((await user.post(`${PATH}/sessions/${theirs.id}/end`, fields)).status).toBe(404);
  expect(await isIn(theirs.user)).toBe(true);
});

test("303: changes the password if the current one is right, and signs out other browsers", async () => {
  const { user, accountId } = await signedIn(service);
  const passwordHash = await hashPassword(PASSWORD);
  await db.tx((tx) => changeOwner(tx, accountId, { passwordHash }));
  const other = await elsewhere(accountId);
  const send = async (current: string, password: string) =>
    user.submit(await user.get(PATH), { current, password }, `${PATH}/password`);

  const wrong = await send("not it, whatever it is", NEXT);
  expect([wrong.status, wrong.html.includes(NEXT)]).toEqual([400, false]);
  expect(wrong.text).toContain("the current password is wrong");
  const short = await send(PASSWORD, "short");
  expect(short.status).toBe(400);
  expect(short.text).toContain("Use at least 10 characters");
  expect(await isIn(other.user)).toBe(true);

  // A copy of the cookie of this browser, which somebody has taken.
  const copy = new User(service);
  copy.cookies.set("sid", user.cookies.get("sid")!);
  expect(await isIn(copy)).toBe(true);
  const changed = await send(PASSWORD, NEXT);
  expect(await isIn(copy)).toBe(false);
  expect([changed.status, changed.location]).toEqual([303, `${PATH}?done=changed`]);
  expect((await user.follow(changed)).text).toContain("Your password was changed");
  expect([await isIn(user), await isIn(other.user)]).toEqual([true, false]);
  expect((await send(PASSWORD, NEXT)).status).toBe(400);
});

test("200: the security log of this account only, in pages of 50, newest first, escaped", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  const note = (to: string, subject: string) =>
    db.tx((tx) =>
      recordSecurityEvent(tx, { accountId: to, kind: "app_connected", subject, ip: "2001:db8::1", now: clock.now() }),
    );
  expect((await user.get(PATH)).text).toContain("Nothing here yet. Sign-ins");
  await note(other.accountId, "Not mine");
  await note(accountId, HOSTILE);
  for (let n = 1; n <= 50; n++) await note(accountId, `app ${n}.`);

  const first = await user.get(PATH);
  expect(first.text).toContain("App connected app 50. 2001:db8::1");
  expect(first.text).toContain("app 1.");
  expect(first.text).not.toContain("Not mine");
  const second = await user.get(`${PATH}?page=2`);
  expect(second.html).toContain(ESCAPED);
  expect(second.html).not.toContain("<b onclick");
  expect(second.text).not.toContain("app 1.");
});
