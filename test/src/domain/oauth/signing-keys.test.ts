import { importJWK, jwtVerify, SignJWT } from "jose";
import { expect, test } from "vitest";
import { openDatabase } from "../../../../db/open.ts";
import { currentKey, jwksOf, rotateKeys, rotateOldKeys } from "../../../../src/domain/oauth/signing-keys.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const now = () => store.clock.now();
const kids = async () => (await jwksOf(store.db, now())).keys.map(({ kid }) => kid);

test("the key is created at its first use, and stays", async () => {
  expect(await kids()).toEqual([]);
  const { kid } = await currentKey(store.db, now());
  store.clock.pass(DAY);
  expect((await currentKey(store.db, now())).kid).toBe(kid);
  expect(await kids()).toEqual([kid]);
});

test("two simultaneous processes agree on one key", async () => {
  const other = await openDatabase(store.url, { durable: false });
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, n) => currentKey(n % 2 ? other : store.db, now()).then(({ kid }) => kid)),
  );
  await other.close();
  expect(new Set(made).size).toBe(1);
  expect(await store.db.q.select().from(store.db.t.signingKeys)).toHaveLength(1);
});

test("the published key verifies what the current key signs, and has no private member", async () => {
  const { kid, jwk } = await currentKey(store.db, now());
  const jwt = await new SignJWT({}).setProtectedHeader({ alg: "ES256", kid }).sign(await importJWK(jwk, "ES256"));
  const [published] = (await jwksOf(store.db, now())).keys;
  expect(published).toEqual({
    kty: "EC",
    crv: "P-256",
    x: jwk.x,
    y: jwk.y,
    kid,
    alg: "ES256",
    use: "sig",
  });
  expect(jwk.d).toMatch(/^[\w-]{43}$/);
  expect(await jwtVerify(jwt, await importJWK(published!, "ES256"))).toHaveProperty("payload");
});

test("after a rotation the new key signs, and the old one stays published for 31 days", async () => {
  const old = await currentKey(store.db, now());
  store.clock.pass(DAY);
  const { kid, retired } = await rotateKeys(store.db, now());
  expect(retired).toEqual([old.kid]);
  expect((await currentKey(store.db, now())).kid).toBe(kid);
  expect(await kids()).toEqual([kid, old.kid]);
  store.clock.pass(31 * DAY - 1);
  expect(await kids()).toEqual([kid, old.kid]);
  store.clock.pass(1);
  expect(await kids()).toEqual([kid]);
});

test("a rotation before the first use creates the first key", async () => {
  const { kid, retired } = await rotateKeys(store.db, now());
  expect(retired).toEqual([]);
  expect((await currentKey(store.db, now())).kid).toBe(kid);
});

test("after 90 days one of several processes replaces the key; without a key none is created", async () => {
  await rotateOldKeys(store.db, now());
  expect(await kids()).toEqual([]);
  const { kid } = await currentKey(store.db, now());
  store.clock.pass(90 * DAY - 1);
  await rotateOldKeys(store.db, now());
  expect(await kids()).toEqual([kid]);
  store.clock.pass(1);
  await Promise.all([1, 2, 3].map(() => rotateOldKeys(store.db, now())));
  expect(await kids()).toEqual([expect.not.stringMatching(kid), kid]);
});
