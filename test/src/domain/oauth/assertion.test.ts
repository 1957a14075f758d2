import { createHash, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { beforeEach, expect, test } from "vitest";
import { hashOf } from "../../../../src/domain/credentials/secrets.ts";
import { grantOfAssertion, signAssertion } from "../../../../src/domain/oauth/assertion.ts";
import { createGrant, revokeGrant } from "../../../../src/domain/oauth/grants.ts";
import { currentKey, jwksOf, rotateKeys } from "../../../../src/domain/oauth/signing-keys.ts";
import { DAY, SECOND } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const siteUrl = "http://beckon.test";
const JTI = randomUUID();

const store = eachTest(testStore);
let grantId: string;
beforeEach(async () => {
  grantId = await store.db.tx((tx) =>
    createGrant(tx, {
      accountId: "acc_a",
      personId: "per_a",
      kind: "agent",
      clientId: null,
      name: "Helper",
      scopes: ["read"],
      now: 1,
    }),
  );
});

const now = () => store.clock.now();
const sign = async () => {
  const signed = await signAssertion(store.db, { siteUrl, registrationId: "reg_a", grantId, now: now() });
  await keep(signed.jtiHash);
  return signed;
};
/** Puts the hash of the `jti` where it must be found. */
const keep = (assertionHash: string) =>
  store.db.tx((tx) => tx.q.update(tx.t.grants).set({ assertionHash }).where(eq(tx.t.grants.id, grantId)));
const read = (assertion: string, site = siteUrl) => grantOfAssertion(store.db, [site], assertion, now());

test("an assertion names its registration and grant, is valid for 30 days, and is accepted", async () => {
  const { assertion, jtiHash, expiresAt } = await sign();
  const { keys } = await jwksOf(store.db, now());
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: "ES256", typ: "oauth-id-jag+jwt", kid: keys[0]!.kid });
  const { jti, ...payload } = decodeJwt(assertion);
  const iat = Math.floor(now() / 1000);
  expect(payload).toEqual({
    iss: siteUrl,
    aud: siteUrl,
    sub: "reg_a",
    grant: grantId,
    iat,
    exp: iat + (30 * DAY) / 1000,
  });
  expect(hashOf(jti!)).toBe(jtiHash);
  expect(expiresAt).toBe(payload.exp! * 1000);
  expect(await read(assertion)).toBe(grantId);
});

test("an assertion expires after 30 days to the second, by the clock of the service", async () => {
  const { assertion } = await sign();
  store.clock.pass(30 * DAY - SECOND);
  expect(await read(assertion)).toBe(grantId);
  store.clock.pass(SECOND);
  expect(await read(assertion)).toBeNull();
});

test("an assertion ends with its grant, and when a newer one replaces it", async () => {
  const [first, second] = [await sign(), await sign()];
  expect(await read(first.assertion)).toBeNull();
  expect(await read(second.assertion)).toBe(grantId);
  await store.db.tx((tx) => revokeGrant(tx, { grantId, by: "owner", now: now() }));
  expect(await read(second.assertion)).toBeNull();
});

test("keys rotate: k1, then k2 with k1 still published, then k2 alone", async () => {
  const { assertion } = await sign();
  await rotateKeys(store.db, now());
  expect((await jwksOf(store.db, now())).keys).toHaveLength(2);
  store.clock.pass(30 * DAY - SECOND);
  expect(await read(assertion)).toBe(grantId);
  const fresh = await sign();
  expect(decodeProtectedHeader(fresh.assertion).kid).not.toBe(decodeProtectedHeader(assertion).kid);
  store.clock.pass(DAY + SECOND);
  expect((await jwksOf(store.db, now())).keys).toHaveLength(1);
  expect(await read(fresh.assertion)).toBe(grantId);
});

test("an assertion signed with a key that is no longer published is refused, expired or not", async () => {
  const { assertion } = await sign();
  await store.db.tx((tx) => tx.q.delete(tx.t.signingKeys));
  expect(await read(assertion)).toBeNull();
  await currentKey(store.db, now());
  expect(await read(assertion)).toBeNull();
});

type Key = Awaited<ReturnType<typeof importJWK>>;

interface Forged {
  readonly header?: Record<string, unknown>;
  readonly payload?: Record<string, unknown>;
  readonly key?: Key;
}

/** As an assertion of ours is, but for what is changed; undefined leaves something out. */
async function forge({ header = {}, payload = {}, key }: Forged): Promise<string> {
  await keep(hashOf(JTI));
  const { kid, jwk } = await currentKey(store.db, now());
  const iat = Math.floor(now() / 1000);
  const whole = { iss: siteUrl, aud: siteUrl, sub: "reg_a", grant: grantId, jti: JTI, iat, exp: iat + 60, ...payload };
  const head = { alg: "ES256", typ: "oauth-id-jag+jwt", kid, ...header };
  return new SignJWT(whole).setProtectedHeader(head).sign(key ?? (await importJWK(jwk, "ES256")));
}

test("an unchanged assertion is accepted, which shows that the cases below are refused for their change", async () => {
  expect(await read(await forge({}))).toBe(grantId);
});

test.each<[string, () => Promise<Forged>]>([
  ["signed by a foreign key under our kid", async () => ({ key: (await generateKeyPair("ES256")).privateKey })],
  ["with a key of its own in the header", async () => own()],
  ["another type", async () => ({ header: { typ: "at+jwt" } })],
  ["no type", async () => ({ header: { typ: undefined } })],
  ["no kid", async () => ({ header: { kid: undefined } })],
  ["another kid", async () => ({ header: { kid: "k1" } })],
  ["another issuer", async () => ({ payload: { iss: "http://evil.test" } })],
  ["the issuer with a slash", async () => ({ payload: { iss: `${siteUrl}/` } })],
  ["another audience", async () => ({ payload: { aud: "http://evil.test" } })],
  ["no audience", async () => ({ payload: { aud: undefined } })],
  ["expired", async () => ({ payload: { exp: Math.floor(now() / 1000) } })],
  ["without an end", async () => ({ payload: { exp: undefined } })],
  ["another jti", async () => ({ payload: { jti: randomUUID() } })],
  ["no jti", async () => ({ payload: { jti: undefined } })],
  ["another grant", async () => ({ payload: { grant: "grt_other" } })],
  ["a grant that is no text", async () => ({ payload: { grant: [grantId] } })],
  ["no subject", async () => ({ payload: { sub: undefined } })],
  ["not valid yet", async () => ({ payload: { nbf: Math.floor(now() / 1000) + 60 } })],
])("refused: %s", async (_name, forged) => {
  expect(await read(await forge(await forged()))).toBeNull();
});

async function own(): Promise<Forged> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { key: privateKey, header: { jwk: await exportJWK(publicKey), jku: "http://evil.test/jwks" } };
}

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("refused: alg none, in any spelling, with and without a signature", async () => {
  const [, payload, signature] = (await forge({})).split(".");
  const { keys } = await jwksOf(store.db, now());
  for (const alg of ["none", "None", "NONE", "nOnE"]) {
    const header = b64({ alg, typ: "oauth-id-jag+jwt", kid: keys[0]!.kid });
    expect(await read(`${header}.${payload}.`)).toBeNull();
    expect(await read(`${header}.${payload}.${signature}`)).toBeNull();
  }
});

test("refused: HS256 with the published key as its secret", async () => {
  await currentKey(store.db, now());
  const { keys } = await jwksOf(store.db, now());
  const [key] = keys as [JWK];
  const secrets = [JSON.stringify(key), JSON.stringify({ keys }), key.x!, createHash("sha256").update(key.x!).digest()];
  for (const secret of secrets) {
    const bytes = typeof secret === "string" ? Buffer.from(secret) : secret;
    expect(await read(await forge({ header: { alg: "HS256" }, key: new Uint8Array(bytes) }))).toBeNull();
  }
});

test("refused: a changed payload, an assertion of another site, and a text that is not a JWT", async () => {
  const assertion = await forge({});
  const [header, payload, signature] = assertion.split(".");
  const changed = b64({ ...JSON.parse(Buffer.from(payload!, "base64url").toString()), sub: "reg_b" });
  expect(await read(`${header}.${changed}.${signature}`)).toBeNull();
  expect(await read(assertion, "http://other.test")).toBeNull();
  for (const text of [
    "",
    ".",
    "..",
    "a.b.c",
    "é.é.é",
    `${assertion}.x`,
    `${assertion}=`,
    `beckon_at_${"a".repeat(43)}`,
  ])
    expect(await read(text), text).toBeNull();
});
