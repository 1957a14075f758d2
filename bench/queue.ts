import pg from "pg";
import { PgBoss } from "pg-boss";
import { openDatabase } from "../db/open.ts";
import type { PostgresServer } from "../test/support/database/postgres-server.ts";
import { instantChecker } from "./checking.ts";
import { Field } from "./field.ts";
import { serverCpu, settle, walOf, withClient, withPostgres } from "./server.ts";
import { costOf, round } from "./support.ts";

/** Jobs of one fetch, of one completion, and of one transaction with their results. */
const BATCH = 1_000;
/** Jobs of one insert(). */
const INSERT = 10_000;
/** Batches worked on at the same time. */
const HANDS = 2;
const QUEUE = "checks";

interface Run {
  readonly queueMs: number;
  readonly workMs: number;
  readonly allMs: number;
  readonly workWal: number;
  readonly allWal: number;
  readonly served: number;
  readonly cpu: number;
  readonly bytes: number;
}

/**
 * Our queue and pg-boss on the same server, alternately: the given number of links are looked up once, half of them
 * change, each gets its evidence, and credits are returned by the batch. Per link; the best of `rounds` for each.
 */
export function benchQueue(links: number, rounds: number) {
  return withPostgres(async (server) => {
    const ours: Run[] = [];
    const theirs: Run[] = [];
    for (let number = 0; number < rounds; number++) {
      ours.push(await runOurs(server, links));
      theirs.push(await runBoss(server, links));
    }
    const names: Record<keyof Run, string> = {
      queueMs: "into the queue, µs",
      workMs: "claim, verdict, evidence, refund, done, µs",
      allMs: "all of it, µs",
      served: "of the work, CPU of PostgreSQL, µs",
      cpu: "of the work, CPU of the node, µs",
      workWal: "write-ahead log of the work, bytes",
      allWal: "with the queueing, bytes",
      bytes: "storage grown by, bytes",
    };
    return Object.entries(names).map(([name, title]) => {
      const scale = ["served", "cpu"].includes(name) || name.endsWith("Ms") ? 1000 : 1;
      const least = (runs: Run[]) => Math.min(...runs.map((run) => run[name as keyof Run])) / links;
      const most = (runs: Run[]) => Math.max(...runs.map((run) => run[name as keyof Run])) / links;
      const show = (runs: Run[]) => `${round(least(runs) * scale, 2)}–${round(most(runs) * scale, 2)}`;
      return {
        "per link": title,
        beckon: show(ours),
        "pg-boss": show(theirs),
        ratio: `${round(least(theirs) / least(ours))} ×`,
      };
    });
  });
}

async function runOurs(server: PostgresServer, links: number): Promise<Run> {
  const url = await server.create("ours");
  const field = await Field.make(url, links);
  const db = await openDatabase(url);
  const checker = instantChecker(db);
  // The queue's part of a submission: the steps of its links.
  const queued = await measure(server, url, () => requeue(url));
  await field.makeDue(links);
  await settle(url);
  const worked = await measure(server, url, () => checker.drain());
  await field.proveDone();
  await db.close();
  await field.close();
  await server.drop("ours");
  return runOf(queued, worked);
}

/** Writes the steps of the field once more, as they would be by submissions of 10,000 links. */
async function requeue(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("CREATE TEMP TABLE given AS SELECT * FROM steps; TRUNCATE steps");
    const { rows } = await client.query<{ no: number }>("SELECT DISTINCT project_no AS no FROM given ORDER BY 1");
    for (const { no } of rows) {
      await client.query("INSERT INTO steps OVERRIDING SYSTEM VALUE SELECT * FROM given WHERE project_no = $1", [no]);
    }
  });
}

/** The same links and accounts in plain tables, and a job for each link in pg-boss. */
async function runBoss(server: PostgresServer, links: number): Promise<Run> {
  const url = await server.create("boss");
  await withClient(url, async (client) => {
    await client.query(TABLES);
    await client.query(FILL, [links]);
    await client.query("VACUUM ANALYZE");
  });
  const boss = new PgBoss({ connectionString: url, max: 10, supervise: false, schedule: false });
  boss.on("error", console.error);
  await boss.start();
  await boss.createQueue(QUEUE);
  const pool = new pg.Pool({ connectionString: url, max: HANDS });
  // The server may cut a connection that is closing.
  pool.on("error", () => undefined);
  const queued = await measure(server, url, async () => {
    for (let from = 1; from <= links; from += INSERT) {
      await boss.insert(
        QUEUE,
        Array.from({ length: INSERT }, (_, i) => ({ data: { link: from + i } })),
      );
    }
  });
  await withClient(url, (client) => client.query("VACUUM ANALYZE"));
  await settle(url);
  const worked = await measure(server, url, () =>
    Promise.all(Array.from({ length: HANDS }, () => workThrough(boss, pool))),
  );
  await withClient(url, async (client) => {
    const { rows } = await client.query("SELECT count(*)::int AS n FROM links WHERE state <> 1");
    const seen = await client.query("SELECT count(*)::int AS n FROM observations");
    if (rows[0].n !== links / 2 || seen.rows[0].n !== links) throw new Error("pg-boss did not do all");
  });
  await pool.end();
  boss.off("error", console.error).on("error", () => undefined);
  await boss.stop({ graceful: false });
  await server.drop("boss");
  return runOf(queued, worked);
}

async function workThrough(boss: PgBoss, pool: pg.Pool): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch<{ link: number }>(QUEUE, { batchSize: BATCH });
    if (jobs.length === 0) return;
    const client = await pool.connect();
    // pg-boss works on a connection of ours (its option `db`), so that a job and its result are one transaction.
    const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) };
    await client.query("BEGIN");
    await client.query({ name: "settle", text: SETTLE, values: [jobs.map(({ data }) => data.link)] });
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
      { db },
    );
    await client.query("COMMIT");
    client.release();
  }
}

const TABLES = `
  CREATE TABLE accounts (id bigint PRIMARY KEY, credits bigint NOT NULL) WITH (fillfactor = 70);
  CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id bigint NOT NULL, credits bigint NOT NULL);
  CREATE TABLE links (id bigint PRIMARY KEY, account_id bigint NOT NULL, url text NOT NULL, state smallint NOT NULL,
    sent_at bigint, indexed_at bigint) WITH (fillfactor = 90);
  CREATE TABLE observations (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, link_id bigint NOT NULL, at bigint NOT NULL,
    result smallint NOT NULL, provider text NOT NULL, method text NOT NULL, counts text);
  CREATE INDEX observations_link ON observations (link_id)`;

const FILL = `
  WITH made AS (INSERT INTO accounts SELECT n, 0 FROM generate_series(0, 99) AS n)
  INSERT INTO links SELECT n, n / 10000 % 100,
    'https://www.example-' || n % 7 || '.com/products/a-page-about-something-worth-reading-' || n || '.html', 1, 0, NULL
  FROM generate_series(1, $1::bigint) AS n`;

/** Every second link changes: one in four becomes indexed, for one in four credits are returned. All in one statement. */
const SETTLE = `
  WITH given AS (SELECT unnest($1::bigint[]) AS id),
  moved AS (
    UPDATE links SET state = CASE WHEN links.id % 4 = 0 THEN 2 ELSE 3 END,
      indexed_at = CASE WHEN links.id % 4 = 0 THEN 1767225600000 END
    FROM given WHERE links.id = given.id AND links.id % 2 = 0 AND links.state = 1
    RETURNING links.account_id, links.state),
  seen AS (
    INSERT INTO observations (link_id, at, result, provider, method, counts)
    SELECT id, 1767225600000, id % 2, 'instant', 'bench', '{"queries":1,"results":1,"matches":1}' FROM given),
  returned AS (SELECT account_id, count(*) AS credits FROM moved WHERE state = 3 GROUP BY account_id),
  paid AS (UPDATE accounts SET credits = accounts.credits + returned.credits FROM returned WHERE id = account_id)
  INSERT INTO ledger (account_id, credits) SELECT account_id, credits FROM returned`;

async function measure(server: PostgresServer, url: string, work: () => Promise<unknown>) {
  const size = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query("SELECT pg_database_size(current_database())::float8 AS bytes");
      return rows[0].bytes as number;
    });
  const bytes = await size();
  const wal = await walOf(url);
  const cpu = serverCpu(server.pid);
  const { wall: ms, cpu: own } = await costOf(work);
  return { ms, own, wal: (await walOf(url)) - wal, served: serverCpu(server.pid) - cpu, bytes: (await size()) - bytes };
}

type Measured = Awaited<ReturnType<typeof measure>>;

function runOf(queued: Measured, worked: Measured): Run {
  return {
    queueMs: queued.ms,
    workMs: worked.ms,
    allMs: queued.ms + worked.ms,
    workWal: worked.wal,
    allWal: queued.wal + worked.wal,
    served: worked.served,
    cpu: worked.own,
    bytes: Math.max(0, queued.bytes) + worked.bytes,
  };
}
