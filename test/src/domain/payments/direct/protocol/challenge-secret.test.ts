import { expect, test } from "vitest";
import { openDatabase } from "../../../../../../db/open.ts";
import { challengeSecret } from "../../../../../../src/domain/payments/direct/protocol/challenge-secret.ts";
import { testStore } from "../../../../../support/database/store.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("the secret is 32 random bytes, created once and kept", async () => {
  const secret = await challengeSecret(store.db);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(await challengeSecret(store.db)).toBe(secret);
});

test("processes that need it first at the same time agree on one", async () => {
  const other = await openDatabase(store.url, { durable: false });
  const secrets = await Promise.all([store.db, other, store.db, other].map((db) => challengeSecret(db)));
  expect(new Set(secrets).size).toBe(1);
  await other.close();
});
