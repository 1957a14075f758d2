import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { resealSecrets } from "../../../../db/sealed-secrets.ts";
import { hashOf } from "../../../../src/domain/credentials/secrets.ts";
import { createGrant, revokeGrant } from "../../../../src/domain/oauth/grants.ts";
import { type RefreshRequest, rotateRefreshToken } from "../../../../src/domain/oauth/refresh.ts";
import { forgetSuccessors } from "../../../../src/domain/oauth/successors.ts";
import { type IssuedTokens, issueRefreshToken } from "../../../../src/domain/oauth/tokens.ts";
import { DAY, SECOND } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { testStore } from "../../../support/database/store.ts";
import { NO_OVERLAP, overlapOf } from "../../../support/oauth/overlap.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const CLIENT = "cli_1";
const OVERLAP = overlapOf(30 * SECOND);
const RUNS = fuzzRuns(60);
const TIME = { timeout: 60_000 + RUNS * 500 };

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const connected = () =>
  store.db.tx(async (tx) => {
    const now = store.clock.now();
    const app = { accountId, kind: "oauth", clientId: CLIENT, name: "Test app" } as const;
    const grantId = await createGrant(tx, { ...app, scopes: ["read", "index"], now });
    return { grantId, token: await issueRefreshToken(tx, { grantId, audience: "/mcp", now }) };
  });
const request = (token: string, changes: Partial<RefreshRequest> = {}): RefreshRequest => {
  const plain = { clientId: CLIENT, scopes: undefined, audience: undefined, overlap: OVERLAP, ip: "192.0.2.1" };
  return { ...plain, token, now: store.clock.now(), ...changes };
};
const ask = (token: string, changes?: Partial<RefreshRequest>) =>
  store.db.tx((tx) => rotateRefreshToken(tx, request(token, changes)));
const given = async (token: string, changes?: Partial<RefreshRequest>): Promise<IssuedTokens> => {
  const tokens = await ask(token, changes);
  if (typeof tokens === "string") throw new Error(tokens);
  return tokens;
};
const rows = () => store.db.q.select().from(store.db.t.refreshTokens);
const rowOf = async (token: string) => {
  const { refreshTokens } = store.db.t;
  const [row] = await store.db.q
    .select()
    .from(refreshTokens)
    .where(eq(refreshTokens.hash, hashOf(token)));
  return row!;
};
const ends = async () => (await store.db.q.select().from(store.db.t.grants)).map(({ endedBy }) => endedBy);

test("within the overlap the same client gets the same next token again, with an access token of its own", async () => {
  const { token } = await connected();
  const first = await given(token);
  store.clock.pass(30 * SECOND - 1);
  const again = await given(token);
  expect(again.refresh).toBe(first.refresh);
  expect(again.access).not.toBe(first.access);
  expect(await rows()).toHaveLength(2);
  expect(await ends()).toEqual([null]);
  expect((await given(again.refresh)).refresh).not.toBe(first.refresh);
});

test("within the overlap it does not matter that the token would have expired meanwhile", async () => {
  const { token } = await connected();
  store.clock.pass(30 * DAY - 1);
  const { refresh } = await given(token);
  store.clock.pass(1);
  expect((await given(token)).refresh).toBe(refresh);
});

test("reused: when the overlap is over, at the millisecond", async () => {
  const { token } = await connected();
  const { refresh } = await given(token);
  store.clock.pass(30 * SECOND);
  expect(await ask(token)).toBe("reused");
  expect(await ends()).toEqual(["refresh_reused"]);
  expect(await ask(refresh)).toBe("disconnected");
});

test("reused: another client, within the overlap too", async () => {
  const { token } = await connected();
  const { refresh } = await given(token);
  expect(await ask(token, { clientId: "cli_2" })).toBe("reused");
  expect(await ask(refresh)).toBe("disconnected");
});

test("a client that does not name itself counts as the token's own, as in every renewal", async () => {
  const { token } = await connected();
  const first = await given(token, { clientId: undefined });
  expect((await given(token, { clientId: undefined })).refresh).toBe(first.refresh);
});

test("reused: without an overlap, and when it was switched off meanwhile; nothing is sealed for one of zero", async () => {
  const strict = await connected();
  await given(strict.token, { overlap: NO_OVERLAP });
  expect(await rowOf(strict.token)).toMatchObject({ sealedSuccessor: null });
  expect(await ask(strict.token)).toBe("reused");
  const { token } = await connected();
  await given(token);
  expect(await ask(token, { overlap: NO_OVERLAP })).toBe("reused");
});

test.each<[string, Partial<RefreshRequest>]>([
  ["wider_scope", { scopes: ["read", "purchase"] }],
  ["wider_resource", { audience: "/a2a" }],
])("%s: refused within the overlap as before it, and nothing ends", async (refusal, changes) => {
  const { token } = await connected();
  const first = await given(token);
  expect(await ask(token, changes)).toBe(refusal);
  expect(await given(token, { scopes: ["read"] })).toMatchObject({ refresh: first.refresh, scopes: ["read"] });
});

test("disconnected: a grant that was revoked within the overlap gives nothing", async () => {
  const { grantId, token } = await connected();
  const { refresh } = await given(token);
  await store.db.tx((tx) => revokeGrant(tx, { grantId, by: "token_revoked", now: store.clock.now() }));
  expect(await ask(token)).toBe("disconnected");
  expect(await ask(refresh)).toBe("disconnected");
});

test("law: of eight renewals at once all get the same next token, and the app stays connected", async () => {
  const { token } = await connected();
  const all = await Promise.all(Array.from({ length: 8 }, () => given(token)));
  expect(new Set(all.map(({ refresh }) => refresh)).size).toBe(1);
  expect(new Set(all.map(({ access }) => access)).size).toBe(8);
  expect(await rows()).toHaveLength(2);
  expect(await ends()).toEqual([null]);
});

describe("law: a crash", () => {
  test("before the commit leaves the token unused", async () => {
    const { token } = await connected();
    const crash = store.db.tx(async (tx) => {
      await rotateRefreshToken(tx, request(token));
      throw new Error("killed");
    });
    await expect(crash).rejects.toThrow("killed");
    expect(await rows()).toMatchObject([{ usedAt: null, sealedSuccessor: null }]);
    expect(await ask(token)).toHaveProperty("refresh");
  });

  test("after the commit loses no token: the client asks again", async () => {
    const { token } = await connected();
    await ask(token);
    const { refresh } = await given(token);
    expect(await rows()).toHaveLength(2);
    expect(await ask(refresh)).toHaveProperty("refresh");
  });
});

describe("at rest", () => {
  test("the next token is sealed for the row of the used one, and in no other place", async () => {
    const { token } = await connected();
    const { refresh } = await given(token);
    expect(JSON.stringify(await rows())).not.toContain(refresh.slice("beckon_rt_".length));
    const { hash, sealedSuccessor } = await rowOf(token);
    const field = { table: "refresh_tokens", row: hash, column: "sealed_successor" };
    expect(OVERLAP.box.open(sealedSuccessor!, field)).toBe(refresh);
    expect(() => OVERLAP.box.open(sealedSuccessor!, { ...field, row: hashOf(refresh) })).toThrow("another row");
    expect(await rowOf(refresh)).toMatchObject({ usedAt: null, sealedSuccessor: null });
  });

  test("it is forgotten after the overlap, and then presenting the token again is a reuse", async () => {
    const { token: early } = await connected();
    await given(early);
    store.clock.pass(20 * SECOND);
    const { token: late } = await connected();
    await given(late);
    store.clock.pass(10 * SECOND);
    await forgetSuccessors(store.db, store.clock.now() - OVERLAP.ms);
    expect((await rowOf(early)).sealedSuccessor).toBeNull();
    expect((await rowOf(late)).sealedSuccessor).not.toBeNull();
    // A longer overlap does not bring it back.
    expect(await ask(early, { overlap: overlapOf(60 * SECOND) })).toBe("reused");
    expect(await ask(late)).toHaveProperty("refresh");
  });

  test("a rotation of SECRETS_KEY within the overlap loses no token", async () => {
    const { token } = await connected();
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const boxed = (...keys: Buffer[]) => ({ ...OVERLAP, box: new SecretBox(() => keys) });
    const { refresh } = await given(token, { overlap: boxed(old) });
    expect(await given(token, { overlap: boxed(fresh, old) })).toMatchObject({ refresh });
    expect(await resealSecrets(store.db, boxed(fresh, old).box)).toBe(1);
    expect(await given(token, { overlap: boxed(fresh) })).toMatchObject({ refresh });
  });
});

interface Step {
  /** Which of the tokens so far is presented. */
  readonly token: number;
  readonly client: string | undefined;
  readonly wait: number;
}

const steps = fc.array(
  fc.record<Step>({
    token: fc.nat(9),
    client: fc.constantFrom(CLIENT, CLIENT, undefined, undefined, "cli_2"),
    wait: fc.constantFrom(0, 1, 10 * SECOND, 29_999, 30 * SECOND),
  }),
  { minLength: 1, maxLength: 8 },
);

test("law: in any history a token has one successor, and a reuse ends everything", TIME, async () => {
  const play = async (history: readonly Step[]) => {
    const { token } = await connected();
    const known: { token: string; usedAt: number | null; successor: string | null }[] = [
      { token, usedAt: null, successor: null },
    ];
    let isConnected = true;
    for (const { token: pick, client, wait } of history) {
      store.clock.pass(wait);
      const now = store.clock.now();
      const presented = known[pick % known.length]!;
      const isOwn = client !== "cli_2";
      const isUsed = presented.usedAt !== null;
      const isReuse = isUsed && !(isOwn && now < presented.usedAt! + OVERLAP.ms);
      const answer = await ask(presented.token, { clientId: client });
      if (!isConnected) expect(answer).toBe("disconnected");
      else if (isReuse) expect(answer).toBe("reused");
      else if (!isOwn) expect(answer).toBe("other_client");
      else {
        const { refresh } = answer as IssuedTokens;
        if (isUsed) expect(refresh).toBe(presented.successor);
        else {
          expect(known.map((one) => one.token)).not.toContain(refresh);
          Object.assign(presented, { usedAt: now, successor: refresh });
          known.push({ token: refresh, usedAt: null, successor: null });
        }
      }
      isConnected &&= !isReuse;
    }
  };
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: RUNS, seed: 20_261_127 });
});
