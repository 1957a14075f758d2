import { expect, test } from "vitest";
import { purgeRegistrations } from "../../../../src/domain/agents/purge.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { LIFETIMES } from "../../../../src/domain/oauth/tokens.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const now = () => store.clock.now();
const purge = () => purgeRegistrations(store.db, now());
const count = async () => (await store.db.q.select().from(store.db.t.registrations)).length;
const grant = async () => {
  const accountId = await store.account(10);
  const agent = { accountId, kind: "agent", clientId: null, name: "x", scopes: ["read"], now: now() } as const;
  return store.db.tx((tx) => createGrant(tx, agent));
};
const statusOf = async (id: string) => {
  const rows = await store.db.q.select().from(store.db.t.grants);
  return rows.find((row) => row.id === id)!.endedBy;
};

const registration = async (status: string, more: { grantId?: string; deliveredAt?: number } = {}) => {
  const id = `reg_${Math.random()}`;
  await store.db.tx(async (tx) => {
    await tx.q.insert(tx.t.registrations).values({
      id,
      email: "ann@example.com",
      agentName: "x",
      scopes: "read",
      status,
      claimHash: id,
      attemptHash: id,
      codeHash: id,
      codeExpiresAt: now(),
      wrongCodes: 0,
      interval: 5,
      polledAt: null,
      grantId: null,
      deliveredAt: null,
      ip: "192.0.2.1",
      createdAt: now(),
      expiresAt: now() + DAY,
      ...more,
    });
  });
};

test("never_collected: an agent that does not collect its tokens within 24 hours and ten minutes is disconnected", async () => {
  const [late, collected] = [await grant(), await grant()];
  await registration("claimed", { grantId: late });
  await registration("claimed", { grantId: collected, deliveredAt: now() });
  store.clock.pass(DAY + LIFETIMES.collection - 1);
  await purge();
  expect(await statusOf(late)).toBeNull();
  store.clock.pass(1);
  await purge();
  expect([await statusOf(late), await statusOf(collected)]).toEqual(["never_collected", null]);
});

test("a registration of any status is kept as long as its assertion may be valid", async () => {
  for (const status of ["pending", "claimed", "denied", "locked", "withdrawn"]) await registration(status);
  store.clock.pass(31 * DAY - 1);
  await purge();
  expect(await count()).toBe(5);
  store.clock.pass(1);
  await purge();
  expect(await count()).toBe(0);
});
