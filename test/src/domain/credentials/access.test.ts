import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  accessByHashes,
  accessOfKey,
  accessOfMaker,
  accessOfToken,
  heldAccess,
} from "../../../../src/domain/credentials/access.ts";
import { createKeyOnce } from "../../../../src/domain/credentials/keys.ts";
import { principalIn, principalOfSession } from "../../../../src/domain/credentials/may-act.ts";
import { hashOf } from "../../../../src/domain/credentials/secrets.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { issueAccessToken } from "../../../../src/domain/oauth/tokens.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import type { Principal } from "../../../../src/platform/principal.ts";
import { openSessionOf, ownerOf, ownerPrincipal } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const now = () => store.clock.now();
let accountId: string;
let other: string;
let credentials: Awaited<ReturnType<typeof makeCredentials>>;
beforeEach(async () => {
  accountId = await store.account(10);
  other = await store.account(10);
  credentials = await makeCredentials();
});

/** A credential of each type, of one account. */
async function makeCredentials() {
  return store.db.tx(async (tx) => {
    const key = (await createKeyOnce(tx, {
      id: "key_1",
      accountId,
      name: "ci",
      mode: "sandbox",
      now: now(),
    })) as string;
    const scopes = ["read", "index"] as const;
    const grant = await createGrant(tx, { accountId, kind: "agent", clientId: null, name: "bot", scopes, now: now() });
    const token = await issueAccessToken(tx, { grantId: grant, audience: "", scopes, now: now() });
    await openSessionOf(tx, { accountId, browser: "Firefox", ip: "192.0.2.1", now: now() });
    const [session] = await tx.q.select().from(tx.t.sessions);
    const site = { id: "sit_1", accountId, host: "example.com", sealedPushSecret: "sealed", createdAt: now() };
    await tx.q
      .insert(tx.t.sites)
      .values({ ...site, bucket: 0, status: "", indexnowKey: "", keyUrl: "", connections: "{}" });
    return { key, grant, token, session: session! };
  });
}

/** Callers by each credential, as `heldAccess` is asked for them. */
async function callers(): Promise<Readonly<Record<string, Principal>>> {
  const { grant, token, session } = credentials;
  const owner = await ownerPrincipal(store.db, accountId);
  const by = (id: string, type: Principal["credential"]["type"], more: { token?: string } = {}): Principal => ({
    ...owner,
    credential: { ...{ id, type, name: "", scopes: [], holder: "" }, ...more },
  });
  return {
    key: by("key_1", "api_key"),
    grant: by(grant, "agent"),
    token: by(grant, "agent", { token: hashOf(token) }),
    session: principalOfSession({ ...session, role: "owner" }),
    person: owner,
    push: by("sit_1", "push"),
  };
}

const held = (principal: Principal, at = now()) => store.db.tx((tx) => heldAccess(tx, principal, at));

test("the access of a key and of a token is found by the hash of its secret, and of nothing else", async () => {
  const { key, token, grant } = credentials;
  expect(await accessOfKey(store.db, hashOf(key))).toMatchObject({ accountId, credential: { id: "key_1" } });
  expect(await accessOfToken(store.db, hashOf(token))).toMatchObject({ accountId, credential: { id: grant } });
  expect(await accessOfKey(store.db, hashOf(token))).toBeNull();
  expect(await accessOfToken(store.db, hashOf(key))).toBeNull();
});

test("of many hashes each has its own access, and what has none is left out", async () => {
  const { key, token, grant } = credentials;
  const found = await accessByHashes(store.db, [hashOf(key), hashOf(token), hashOf("nobody's")]);
  expect([...found].map(([hash, { credential }]) => [hash, credential.id])).toEqual([
    [hashOf(key), "key_1"],
    [hashOf(token), grant],
  ]);
  expect([...(await accessByHashes(store.db, []))]).toEqual([]);
});

test("law: the access of whoever made something is one of its account: a person, a key or an app", async () => {
  const person = await ownerOf(store.db, accountId);
  for (const maker of [person, "key_1", credentials.grant]) {
    const id = maker === person ? person : maker;
    expect(await accessOfMaker(store.db, accountId, maker)).toMatchObject({ accountId, credential: { id } });
    expect(await accessOfMaker(store.db, other, maker)).toBeNull();
  }
  expect(await accessOfMaker(store.db, accountId, "key_2")).toBeNull();
  expect(await accessOfMaker(store.db, accountId, await ownerOf(store.db, other))).toBeNull();
});

test("law: a transaction finds the access of its caller as it is now, by the very credential, and in its account alone", async () => {
  for (const [name, caller] of Object.entries(await callers())) {
    const { id, type, token } = caller.credential;
    const found = await held(caller);
    expect(found && principalIn(found), name).toMatchObject({
      accountId,
      credential: { id, type, ...(token && { token }) },
    });
    if (name !== "token") expect(await held({ ...caller, accountId: other }), name).toBeNull();
    const gone = { ...caller.credential, id: name === "person" ? "per_gone" : "gone", ...(token && { token: "gone" }) };
    expect(await held({ ...caller, credential: gone }), name).toBeNull();
  }
});

test("a session is written as it acts", async () => {
  const { session } = await callers();
  const at = now() + MINUTE;
  expect(await held(session!, at)).not.toBeNull();
  const { sessions } = store.db.t;
  const seen = () =>
    store.db.q.select({ at: sessions.lastSeenAt }).from(sessions).where(eq(sessions.accountId, accountId));
  expect(await seen()).toEqual([{ at }]);
  await held({ ...session!, accountId: other }, at + MINUTE);
  expect(await seen()).toEqual([{ at }]);
});
