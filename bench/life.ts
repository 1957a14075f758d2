import { openDatabase } from "../db/open.ts";
import { DAY } from "../src/platform/clock.ts";
import { FastLife } from "./fast-life.ts";
import { serverCpu, walOf, withClient, withPostgres } from "./server.ts";
import { payingAccounts, storeProject } from "./submitters.ts";
import { costOf, pageUrl, round } from "./support.ts";

const PER_PROJECT = 5_000;

const NOTHING = { wall: 0, cpu: 0, served: 0, wal: 0 };
type Sum = typeof NOTHING;

function shown({ wall, cpu, served, wal }: Sum, links: number) {
  const us = (ms: number) => round((ms * 1000) / links);
  return { wallUs: us(wall), nodeUs: us(cpu), serverUs: us(served), walBytes: round(wal / links) };
}

/**
 * The whole life of so many links on PostgreSQL, from their submission to the last verdict, in fast time: the
 * input of the simulation of a year. A project of 5,000 is submitted each day, so that later projects reuse the space
 * that earlier ones have freed. Everything per link; bytes after a VACUUM, as they stay.
 */
export function benchLife(links: number) {
  return withPostgres(async (server) => {
    const url = await server.create("life");
    const db = await openDatabase(url);
    const accounts = await payingAccounts(db, links / PER_PROJECT);
    const empty = await sizes(url);
    const fast = new FastLife(db);
    const read = async () => ({ wal: await walOf(url), served: serverCpu(server.pid) });

    const submission = { ...NOTHING };
    const life = { ...NOTHING };
    const measure = async (sum: Sum, work: () => Promise<unknown>) => {
      const before = await read();
      const { wall, cpu } = await costOf(work);
      const after = await read();
      sum.wall += wall;
      sum.cpu += cpu;
      sum.served += after.served - before.served;
      sum.wal += after.wal - before.wal;
    };
    for (const [number, account] of accounts.entries()) {
      const urls = Array.from({ length: PER_PROJECT }, (_, i) => pageUrl(number * PER_PROJECT + i));
      await measure(submission, () => storeProject(db, account, urls, fast.time));
      await measure(life, () => fast.until(fast.time + DAY));
      // The maintenance that the server does by itself in a day.
      await withClient(url, (client) => client.query("VACUUM"));
    }
    await measure(life, () => fast.until(fast.time + 20 * DAY));
    await withClient(url, (client) => client.query("VACUUM"));
    const full = await sizes(url);
    await db.close();

    const per = (value: number, digits = 1) => round(value / links, digits);
    return {
      links,
      stepsPer500: per(fast.steps * 500, 1),
      checks: per(fast.count.checks, 2),
      checksThatFound: per(fast.count.found, 2),
      submission: shown(submission, links),
      life: shown(life, links),
      bytes: Object.fromEntries([...full].map(([name, bytes]) => [name, per(bytes - (empty.get(name) ?? 0), 2)])),
    };
  });
}

/** Bytes by table and, for the links, by index. */
function sizes(url: string): Promise<Map<string, number>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; bytes: number }>(`
      SELECT 'links' AS name, pg_table_size('links')::float8 AS bytes
      UNION ALL SELECT 'links_index', pg_indexes_size('links')
      UNION ALL SELECT 'evidence', pg_total_relation_size('observations') + pg_total_relation_size('deliveries')
      UNION ALL SELECT 'url_sets', pg_total_relation_size('url_sets')
      UNION ALL SELECT 'queue', pg_total_relation_size('steps') + pg_total_relation_size('calls')
      UNION ALL SELECT 'projects_ledger', pg_total_relation_size('projects') + pg_total_relation_size('ledger')`);
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  });
}
