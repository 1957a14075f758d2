import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { createProject } from "../../../src/domain/projects/create.ts";
import { ProviderBook } from "../../../src/indexing/providers/book.ts";
import { UpstreamFailure } from "../../../src/indexing/providers/failure.ts";
import type { Quota } from "../../../src/indexing/providers/quota.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { packPositions } from "../../../src/platform/link-set.ts";
import { packUrls } from "../../../src/platform/urls/packed-urls.ts";
import { openInstance } from "../../../src/process/instance.ts";
import { anyQuota } from "../../support/indexing/any-quota.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";

let env: { DATABASE_URL: string };
beforeEach(async () => {
  env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await beckon(env, "migrate");
});

test("exit 0 providers: no provider was called yet", async () => {
  expect(await beckon(env, "providers")).toMatchObject({ code: 0, out: expect.stringContaining("No provider") });
  expect((await beckon(env, "providers", "--json")).json).toEqual({ days: 30, providers: [] });
});

test.each(["0", "367", "-1", "many"])("exit 2 providers --days %s", async (days) => {
  const { code, err } = await beckon(env, "providers", `--days=${days}`);
  expect([code, err]).toEqual([2, expect.stringContaining("--days")]);
});

test("exit 0 providers: lists calls, results, cost and state of each", async () => {
  const { db, clock } = await openInstance(readConfig(env));
  const book = new ProviderBook(db, clock);
  const ask = (of: Quota, wanted: number, tally: object, failure?: UpstreamFailure) =>
    db.tx(async (tx) => {
      await book.take(tx, of, wanted);
      await book.note(tx, of, tally, failure);
    });
  await ask(anyQuota("reseller", { price: 7_500 }), 4, { accepted: 3, rejected: 1 });
  await ask(anyQuota("inspector", { site: "a.example", isPerSite: true }), 2, { indexed: 1, notIndexed: 1 });
  await ask(
    anyQuota("inspector", { site: "b.example", isPerSite: true }),
    1,
    { unknown: 1 },
    new UpstreamFailure("inspector", "unauthorized"),
  );
  const refused = new UpstreamFailure("webmaster", "host_not_connected");
  await ask(anyQuota("webmaster", { site: "a.example", isPerSite: true }), 1, { rejected: 1 }, refused);
  await db.tx(async (tx) => {
    const [now, service] = [Date.now(), clock.service()];
    const { id: accountId } = await createAccount(tx, { email: "ann@example.com", now });
    await bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 9, now });
    const urls = [1, 2, 3, 4].map((n) => `https://example.com/${n}`);
    const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
    const { project } = await createProject(tx, { ...draft, accountId, urls: packUrls(urls), now, service });
    const sent = (provider: string, positions: number[]) => {
      const { first, last, members } = packPositions(positions);
      return {
        projectNo: project.no,
        lane: "google" as const,
        at: service,
        status: "accepted" as const,
        provider,
        detail: null,
        first,
        last,
        members,
      };
    };
    await tx.q.insert(tx.t.deliveries).values([sent("other", [0, 1, 2, 3]), sent("reseller", [0, 1, 2])]);
    // Day 14 has judged two of the reseller's three, one of them well; the young success does not count yet.
    for (const [position, state, days] of [
      [0, "indexed", 15],
      [1, "not_indexed", 15],
      [2, "indexed", 5],
    ] as const) {
      const set = { state, sentAt: service - days * DAY };
      await tx.q
        .update(tx.t.links)
        .set(set)
        .where(tx.among(tx.t.links.id, [project.no * 16_384 + position]));
    }
  });
  await db.close();

  const { json } = await beckon(env, "providers", "--json");
  expect(json.providers).toMatchObject([
    { provider: "inspector", calls: 2, looks: 3, unknown: 1, errors: 1, ok: false, reason: "unauthorized" },
    { provider: "reseller", calls: 1, sent: 4, accepted: 3, rejected: 1, decided: 2, index_rate: 50, cost_usd: 0.03 },
    // What it refuses of one site says nothing about the provider.
    { provider: "webmaster", calls: 1, rejected: 1, ok: true, reason: null, held_until: null },
  ]);
  expect(Date.parse(json.providers[0].held_until)).toBeGreaterThan(Date.now());
  const { out } = await beckon(env, "providers", "--days", "7");
  const lines = out.trim().split("\n");
  expect(lines[0]).toMatch(
    /^provider +calls +sent +accepted +refused +in Google +lookups +unknown +errors +cost +now$/,
  );
  expect(lines[1]).toMatch(/^inspector .* \$0\.00 {2}unauthorized, paused until \d{4}-/);
  expect(lines[2]).toMatch(/^reseller +1 +4 +3 +1 +50% .* \$0\.03 {2}ok$/);
});
