import { expect, test } from "vitest";
import { linkOf } from "../../../../src/domain/users/mailed-links.ts";
import { purgeSessionsAndLinks } from "../../../../src/domain/users/purge.ts";
import { requestPasswordReset } from "../../../../src/domain/users/reset.ts";
import { sessionOf, touchSession } from "../../../../src/domain/users/sessions.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { linkIn, testUsers, visitor } from "../../../support/website/test-users.ts";

const t = eachTest(testUsers);

const now = () => t.store.clock.now();
const count = async () => {
  const { db } = t.store;
  await purgeSessionsAndLinks(db, now());
  return [(await db.q.select().from(db.t.sessions)).length, (await db.q.select().from(db.t.mailLinks)).length];
};

test("deletes expired links and sessions, and keeps valid ones", async () => {
  const id = await t.member("ann@example.com");
  const kept = await t.session(id);
  await t.session(id);
  await requestPasswordReset(t.services, {
    email: "ann@example.com",
    returnTo: "/",
    visitor: visitor("mine"),
    now: now(),
  });
  t.store.clock.pass(DAY - 1);
  expect(await count()).toEqual([2, 1]);
  expect(await linkOf(t.services.db, linkIn(t.outbox[0]), now())).not.toBeNull();
  t.store.clock.pass(1);
  expect(await count()).toEqual([2, 0]);
  for (let day = 1; day < 30; day += 5) {
    await touchSession(t.services.db, (await sessionOf(t.services.db, kept, now()))!, "192.0.2.1", now());
    t.store.clock.pass(day === 26 ? 4 * DAY - HOUR : 5 * DAY);
    expect(await count()).toEqual([day === 1 ? 2 : 1, 0]);
  }
  expect(await sessionOf(t.services.db, kept, now())).not.toBeNull();
  t.store.clock.pass(HOUR);
  expect(await count()).toEqual([0, 0]);
});

test("deletes more rows than one transaction takes", async () => {
  const { db } = t.store;
  const at = now();
  const row = { purpose: "reset", email: "a@example.com", passwordHash: null, visitorHash: "", returnTo: null };
  const life = { createdAt: at, expiresAt: at, usedAt: null, wrongPasswords: 0 };
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ ...row, ...life, hash: String(n) }));
  await db.tx((tx) => tx.q.insert(tx.t.mailLinks).values(rows));
  expect(await count()).toEqual([0, 0]);
});
