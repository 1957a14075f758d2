import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Engine, Tx } from "../db/engine.ts";
import { openDatabase } from "../db/open.ts";
import { principalOfKey } from "../src/domain/credentials/identify.ts";
import { changeKeyOf, changeLimitsOfKey, revokeKey } from "../src/domain/credentials/keys.ts";
import { deleteAccounts } from "../src/domain/deletion/delete-account.ts";
import { createDeletion, DELETION_DELAY } from "../src/domain/deletion/requests.ts";
import { grantsOf, revokeGrant } from "../src/domain/oauth/grants.ts";
import { NO_LIMITS } from "../src/domain/spending/limits.ts";
import { MINUTE } from "../src/platform/clock.ts";
import { appOf } from "./support/oauth/app.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

interface Owner {
  readonly id: string;
  /** Of the key or the connection that calls. */
  readonly credential: string;
}

/** Another process on the same database. */
interface Other {
  readonly db: Engine;
  readonly now: number;
}

const inOneTransaction =
  (work: (tx: Tx, owner: Owner, now: number) => Promise<unknown>) =>
  ({ db, now }: Other, owner: Owner) =>
    db.tx((tx) => work(tx, owner, now));

/** What the owner of an account does by way of another process, and how the next submission is answered. */
const CHANGES: Readonly<
  Record<string, readonly [code: string, change: (other: Other, owner: Owner) => Promise<unknown>]>
> = {
  "a key was revoked": ["unauthorized", inOneTransaction((tx, { credential }, now) => revokeKey(tx, credential, now))],
  "the end of a key was set": [
    "unauthorized",
    inOneTransaction((tx, { id, credential }, now) => changeKeyOf(tx, id, { keyId: credential, expiresAt: now, now })),
  ],
  "a scope was taken away": [
    "insufficient_scope",
    inOneTransaction((tx, { credential }) =>
      tx.q.update(tx.t.apiKeys).set({ scopes: "read" }).where(eq(tx.t.apiKeys.id, credential)),
    ),
  ],
  "a limit was lowered": [
    "spending_limit",
    inOneTransaction((tx, { id, credential }, now) =>
      changeLimitsOfKey(tx, id, { keyId: credential, limits: { ...NO_LIMITS, total: 2 }, now }),
    ),
  ],
  "the account was deleted": [
    "unauthorized",
    async ({ db, now }, { id }) => {
      await db.tx((tx) => createDeletion(tx, id, now - DELETION_DELAY));
      const mailer = { queue: async () => undefined };
      await deleteAccounts({ db, mailer, siteUrl: "http://beckon.test" }, { now, service: now });
    },
  ],
};

describe.each(Object.entries(SURFACES))(
  "law: %s: the next call holds what another process has changed",
  (_, connect) => {
    const ready = testService().then(async (service) => {
      const db = await openDatabase(service.database, { durable: false });
      return { service, db, app: appOf(service), client: connect(service) };
    });
    beforeEach(async () => (await ready).service.clock.pass(MINUTE));
    afterAll(async () => {
      const { service, client, db } = await ready;
      await client.close();
      await db.close();
      await service.close();
    });
    const submit = async (key: string, page: string) =>
      (await ready).client.call("submit_urls", { urls: [`https://example.com/${page}`] }, { key });

    test.each(Object.entries(CHANGES))("%s", async (_name, [code, change]) => {
      const { service, client, db } = await ready;
      const now = service.clock.now();
      const { id, key } = await service.account();
      const { credential } = (await principalOfKey(service.db, key, now))!;
      for (const page of ["a", "b"]) expect((await submit(key, page)).ok).toBe(true);
      expect((await client.call("get_account", {}, { key })).ok).toBe(true);
      await change({ db, now }, { id, credential: credential.id });
      expect((await submit(key, "c")).code).toBe(code);
      const read = await client.call("get_account", {}, { key });
      expect(read.code).toBe(code === "unauthorized" ? code : null);
    });

    test("a connection was ended", async () => {
      const { service, client, db, app } = await ready;
      const now = service.clock.now();
      const { access, accountId } = await app.connected();
      for (let call = 0; call < 2; call++)
        expect((await client.call("get_account", {}, { key: access })).ok).toBe(true);
      const [grant] = await grantsOf(db, accountId);
      await db.tx((tx) => revokeGrant(tx, { grantId: grant!.id, by: "owner", now }));
      expect((await client.call("get_account", {}, { key: access })).code).toBe("unauthorized");
    });

    test("what a read answers", async () => {
      const { service, client, db } = await ready;
      const { id, key } = await service.account();
      for (const credits of [7, 8]) {
        await db.tx((tx) => tx.q.update(tx.t.accounts).set({ credits }).where(eq(tx.t.accounts.id, id)));
        expect((await client.call("get_account", {}, { key })).body.credits).toBe(credits);
      }
    });
  },
);
