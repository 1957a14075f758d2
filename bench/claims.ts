import { openDatabase } from "../db/open.ts";
import { MINUTE } from "../src/platform/clock.ts";
import { CHECK, DAY_4, DUE } from "./field.ts";
import { withClient, withPostgres } from "./server.ts";
import { median, round } from "./support.ts";

/** Steps of one claim: as many as a worker leases at a time. */
const LIMIT = 12;
const CLAIMS = 200;

/** Duration of a claim of 12 steps by the size of the queue, of which enough are due, in ms. */
export function benchClaims(queues: readonly number[]) {
  return withPostgres(async (server) => {
    const url = await server.create("claims");
    const db = await openDatabase(url);
    const rows = [];
    let filled = 0;
    for (const steps of queues) {
      await withClient(url, async (client) => {
        await client.query(
          `INSERT INTO steps (bucket, project_no, lane, action, look, negatives, tries, available_ms, priority, due_at, first,
             members, size)
           SELECT n % 64, n, 0, ${CHECK}, ${DAY_4}, 0, 0, 0, 1, ${DUE} + n * 7919 % 20160 * ${MINUTE} + 1, 0,
             decode(repeat('ff', 32), 'hex'), 250
           FROM generate_series($1::bigint, $2) AS n`,
          [filled, steps - 1],
        );
        await client.query(
          `UPDATE steps SET due_at = ${DUE} WHERE id IN (SELECT id FROM steps ORDER BY due_at DESC LIMIT ${LIMIT * CLAIMS})`,
        );
        await client.query("VACUUM ANALYZE steps");
      });
      filled = steps;
      const times: number[] = [];
      const now = Date.now();
      for (let number = 0; number < CLAIMS; number++) {
        const began = performance.now();
        const lease = `bench.${steps}.${number}`;
        const claim = { priority: 1, dueBy: DUE, now, lease, leaseUntil: now + 60 * MINUTE, limit: LIMIT };
        const claimed = await db.claimSteps(claim);
        if (claimed.length !== LIMIT) throw new Error(`${claimed.length} steps were claimed`);
        times.push(performance.now() - began);
      }
      const bytes = await withClient(url, async (client) => {
        const { rows: found } = await client.query("SELECT pg_total_relation_size('steps')::float8 AS bytes");
        return found[0].bytes as number;
      });
      await withClient(url, (client) => client.query("DELETE FROM steps WHERE lease IS NOT NULL"));
      times.sort((a, b) => a - b);
      rows.push({
        "steps in the queue": steps,
        "bytes/step": round(bytes / steps, 0),
        "claim p50 ms": round(median(times), 2),
        "p90 ms": round(times[Math.floor(CLAIMS * 0.9)]!, 2),
      });
    }
    await db.close();
    return rows;
  });
}
