import { expect, test } from "vitest";
import { CHALLENGE_LIFETIME, purgeChallenges, storeChallenge } from "../../../../src/domain/factors/challenges.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("expired challenges are deleted, more of them than one transaction takes, and open ones are kept", async () => {
  const { db, clock } = store;
  const give = (challenge: string, now: number) =>
    db.tx((tx) => storeChallenge(tx, { challenge, purpose: "authenticate", visitorHash: "v", now }));
  const now = clock.now();
  const expiresAt = now - 1;
  const old = Array.from({ length: 1_001 }, (_, n) => ({
    challenge: `${n}`,
    purpose: "register",
    visitorHash: "v",
    expiresAt,
  }));
  await db.tx((tx) => tx.q.insert(tx.t.passkeyChallenges).values(old));
  await give("over", now - CHALLENGE_LIFETIME);
  await give("open", now - CHALLENGE_LIFETIME + 1);
  await purgeChallenges(db, now);
  const left = await db.q.select().from(db.t.passkeyChallenges);
  expect(left.map(({ challenge }) => challenge)).toEqual(["open"]);
});
