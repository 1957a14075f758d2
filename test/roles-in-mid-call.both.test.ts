import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Tx } from "../db/engine.ts";
import { createKey } from "../src/domain/credentials/keys.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { setRole } from "../src/domain/people/members.ts";
import { setLimits } from "../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../src/domain/spending/limits.ts";
import { newMember, ownerOf } from "./support/database/people.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { testService } from "./support/service/service.ts";

/** What changes while a call of a member is being made holds for that call. */
const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;

let accountId: string;
let personId: string;
let key: string;
beforeEach(async () => {
  ({ id: accountId } = await service.account({ credits: 10 }));
  const now = clock.now();
  await db.tx(async (tx) => {
    personId = await newMember(tx, { accountId, role: "manager", email: `${randomUUID()}@example.com`, now });
    key = await createKey(tx, { accountId, personId, name: "k", mode: "sandbox", now });
  });
});

/** Submits a sitemap. While it is being read, something changes. */
async function submitWhile(change: (tx: Tx) => Promise<unknown>) {
  const sitemap_url = service.site.serve("/slow.xml", (res) => {
    const answer = () =>
      res.writeHead(200, { "Content-Type": "application/xml" }).end(urlset(["https://example.com/"]));
    void db.tx(change).finally(answer);
  });
  const { status, json } = await service.request("POST", "/projects/from-sitemap", { key, body: { sitemap_url } });
  return [status, json.error?.code, 10 - (await balanceOf(db, accountId))];
}

test("403: the person has become a viewer", async () => {
  const change = (tx: Tx) => setRole(tx, { accountId, personId, role: "viewer" });
  expect(await submitWhile(change)).toEqual([403, "insufficient_scope", 0]);
});

test("401: the person is no member any more", async () => {
  const change = ({ q, t: { members } }: Tx) =>
    q.delete(members).where(and(eq(members.accountId, accountId), eq(members.personId, personId)));
  expect(await submitWhile(change)).toEqual([401, "unauthorized", 0]);
});

test("403: the person has got a budget that is too small", async () => {
  const change = (tx: Tx) => setLimits(tx, { accountId, holder: personId }, { ...NO_LIMITS, total: 0 });
  expect(await submitWhile(change)).toEqual([403, "spending_limit", 0]);
});

test("503: the key was handed over; the next call spends as the heir's", async () => {
  const change = async (tx: Tx) => {
    const { apiKeys } = tx.t;
    await tx.q
      .update(apiKeys)
      .set({ personId: await ownerOf(tx, accountId) })
      .where(eq(apiKeys.personId, personId));
  };
  expect(await submitWhile(change)).toEqual([503, "unavailable", 0]);
  expect(await submitWhile(async () => undefined)).toEqual([201, undefined, 1]);
});
