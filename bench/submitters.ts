import type { Engine } from "../db/engine.ts";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { countSubmission } from "../src/domain/limits/day.ts";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/packs.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { DAY } from "../src/platform/clock.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";
import { withPostgres } from "./server.ts";
import { median, pageUrl, round } from "./support.ts";

const CREDITS = 100_000_000;

/** Accounts that can pay for whatever a bench submits. */
export function payingAccounts(db: Engine, count: number): Promise<string[]> {
  return db.tx(async (tx) => {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const now = Date.now();
      const { id } = await createAccount(tx, { email: `bench-${number}@example.com`, now });
      await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: CREDITS, now });
      ids.push(id);
    }
    return ids;
  });
}

let stored = 0;

/** The database's part of a submission. @param service time @returns how often it was tried */
export async function storeProject(
  db: Engine,
  accountId: string,
  urls: readonly string[],
  service = Date.now(),
): Promise<number> {
  let tries = 0;
  // An account may do 500 a day.
  const now = Date.now() + DAY * Math.floor(stored++ / 400);
  const draft = { kind: "index", mode: "standard", bing: true, yandex: true, dripDays: 0 } as const;
  // As the pipeline runs what spends (src/contract/call.ts).
  const options = { serializeBy: accountId, isolation: "repeatable read" } as const;
  await db.tx(async (tx) => {
    tries += 1;
    await createProject(tx, { ...draft, accountId, urls: packUrls(urls), now, service });
    await countSubmission(tx, accountId, now);
  }, options);
  return tries;
}

/** A project of 10,000 links into an engine that is empty at first; ms. */
export async function benchStoring(url: string, rounds: number) {
  const db = await openDatabase(url, { checkpointPages: 20_000 });
  const [account] = await payingAccounts(db, 1);
  const walls: number[] = [];
  for (let number = 0; number < rounds + 3; number++) {
    const urls = Array.from({ length: 10_000 }, (_, i) => pageUrl(number * 10_000 + i));
    const start = performance.now();
    await storeProject(db, account!, urls);
    if (number >= 3) walls.push(performance.now() - start);
    db.checkpoint();
  }
  await db.close();
  return { wall: round(median(walls)), least: round(Math.min(...walls)), most: round(Math.max(...walls)) };
}

/**
 * Submissions of 100 links by so many at once, of one account and of one each, into one node and into four (each an
 * engine with a pool of 10, all in this process): per second, tries for each, and how long they took.
 */
export function benchSubmitters(each: number) {
  return withPostgres(async (server) => {
    const url = await server.create("submitters");
    const nodes: Engine[] = [];
    for (let number = 0; number < 4; number++) nodes.push(await openDatabase(url));
    const accounts = await payingAccounts(nodes[0]!, 32);
    const rows = [];
    for (const whose of ["one each", "one for all"]) {
      for (const [atOnce, count] of [
        [1, 1],
        [8, 1],
        [32, 1],
        [8, 4],
        [32, 4],
      ] as const) {
        const submit = (number: number) =>
          storeProject(nodes[number % count]!, accounts[whose === "one each" ? number : 0]!, URLS);
        for (let warm = 0; warm < 10; warm++) await submit(warm % atOnce);
        const times: number[] = [];
        const tries: number[] = [];
        const submitter = async (number: number) => {
          for (let left = Math.ceil(each / atOnce); left > 0; left--) {
            const began = performance.now();
            tries.push(await submit(number));
            times.push(performance.now() - began);
          }
        };
        const start = performance.now();
        await Promise.all(Array.from({ length: atOnce }, (_, number) => submitter(number)));
        const seconds = (performance.now() - start) / 1000;
        times.sort((a, b) => a - b);
        rows.push({
          "at once": atOnce,
          accounts: whose,
          nodes: count,
          "submissions/s": round(times.length / seconds, 0),
          "tries each": round(tries.reduce((sum, one) => sum + one, 0) / tries.length, 2),
          "p50 ms": round(times[Math.floor(times.length / 2)]!),
          "p99 ms": round(times[Math.floor(times.length * 0.99)]!),
        });
      }
    }
    for (const node of nodes) await node.close();
    return rows;
  });
}

const URLS = Array.from({ length: 100 }, (_, i) => pageUrl(i));
