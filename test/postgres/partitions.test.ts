import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelLinks } from "../../src/domain/projects/cancel.ts";
import { linkAt } from "../../src/domain/projects/read.ts";
import { DAY } from "../../src/platform/clock.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { pages, testStore } from "../support/database/store.ts";
import { testChecker } from "../support/service/checker.ts";
import { eachTest } from "../support/service/each-test.ts";

/** The first project of the second partition, in the document's own statements. */
const SECOND = 1_000;
/** Their partitions: of projects before it, and from it on. */
const PARTITIONED = { links: ["links_0", "links_1"], observations: ["observations_0", "observations_1"] };

const store = eachTest(testStore);
let client: pg.Client;
beforeEach(async () => {
  client = new pg.Client({ connectionString: store.url });
  await client.connect();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await client.end();
});

/** The statements of a section of docs/scale.md. */
function statementsOf(section: string): string {
  const document = readFileSync(join(packageRoot, "docs/scale.md"), "utf8");
  const text = document.split(`### ${section}\n`)[1]?.split("\n### ")[0] ?? "";
  return [...text.matchAll(/```sql\n([^`]+)```/g)].map(([, statements]) => statements).join("\n");
}

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What the product asks from now on. */
function listen(): Asked[] {
  const asked: Asked[] = [];
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first, values] = given as [string | { text: string; values?: unknown[] }, unknown];
    const text = typeof first === "string" ? first : first.text;
    const own = typeof first === "string" ? undefined : first.values;
    asked.push({ text, values: Array.isArray(values) ? values : (own ?? []) });
    return (query as (...given: unknown[]) => unknown).apply(this, given) as never;
  });
  return asked;
}

/** Partitions in the plan of a statement with its own values; null where it does not look for rows of the table. */
async function planned({ text, values }: Asked, table: keyof typeof PARTITIONED): Promise<string[] | null> {
  if (/^insert/i.test(text) || !new RegExp(`(?:from|update) "?${table}"?\\s`, "i").test(text)) return null;
  const { rows } = await client.query(`EXPLAIN (COSTS OFF) ${text}`, [...values]);
  const plan = rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("\n");
  return PARTITIONED[table].filter((name) => new RegExp(`\\bon ${name}\\b`).test(plan));
}

test("partitioned by the document's own statements, links go through their lives, and each statement touches one partition", async () => {
  const account = await store.account(100_000);
  // Stands in the table before it becomes a partition.
  const old = await store.index(account, pages(600));
  await client.query(statementsOf("Partition the links"));
  await client.query(statementsOf("Partition the evidence"));
  await client.query(`ALTER SEQUENCE projects_no_seq RESTART WITH ${SECOND}`);
  const fresh = await store.index(account, pages(600));
  // Numbers have gaps where a transaction was rolled back.
  expect([old.no < SECOND, fresh.no >= SECOND]).toEqual([true, true]);

  const asked = listen();
  const times = { service: store.clock.service(), now: store.clock.now() };
  await store.db.tx((tx) => cancelLinks(tx, fresh, [0, 1, 2], times));
  await testChecker(store).until(store.clock.service() + 20 * DAY);
  for (const project of [old, fresh]) {
    await store.links(project);
    await linkAt(store.db, project, 7);
  }
  vi.restoreAllMocks();

  for (const table of ["links", "observations"] as const) {
    const plans: string[][] = [];
    for (const one of asked) {
      const partitions = await planned(one, table);
      if (partitions) plans.push(partitions);
      if (partitions) expect(partitions, one.text).toHaveLength(1);
    }
    expect(new Set(plans.flat())).toEqual(new Set(PARTITIONED[table]));
  }
  expect((await store.reload(old)).status).toBe("completed");
  expect((await store.reload(fresh)).status).toBe("completed");
  expect(await store.problems()).toEqual([]);
});

test("an old partition can be taken off while newer projects go on", async () => {
  const account = await store.account(100_000);
  const old = await store.index(account, pages(20));
  await client.query(statementsOf("Partition the links"));
  await client.query(`ALTER SEQUENCE projects_no_seq RESTART WITH ${SECOND}`);
  const fresh = await store.index(account, pages(20));
  await testChecker(store).until(store.clock.service() + 20 * DAY);
  await client.query(statementsOf("Detach an old partition"));
  expect(await store.links(old)).toEqual([]);
  expect(await store.links(fresh)).toHaveLength(20);
  const { rows } = await client.query("SELECT count(*)::int AS n FROM links_0");
  expect(rows[0].n).toBe(20);
  const next = await store.index(account, pages(20, "indexed"));
  await testChecker(store).until(store.clock.service() + 20 * DAY);
  expect((await store.reload(next)).status).toBe("completed");
});

test("a project for which there is no partition is refused, and nothing is spent", async () => {
  const account = await store.account(100);
  await client.query(statementsOf("Partition the links"));
  await client.query(`ALTER SEQUENCE projects_no_seq RESTART WITH ${2 * SECOND}`);
  await expect(store.index(account, pages(20))).rejects.toThrow();
  expect(await store.balance(account)).toBe(100);
  expect(await store.problems()).toEqual([]);
});
