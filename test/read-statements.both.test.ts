import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { call } from "../src/contract/call.ts";
import { isOfferedBy, isPlainRead, onlyReadsDatabase } from "../src/contract/operation.ts";
import { principalOfKey } from "../src/domain/credentials/identify.ts";
import { operations } from "../tools/index.ts";
import { belongingsOf, EXAMPLES } from "./support/service/examples.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

/** Statements that either database was asked to run, before any connection is opened. */
let statements = 0;
const statement = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1"));
const counted: [object, string][] = ["get", "all"].map((name) => [statement, name]);
for (const [owner, name] of [...counted, [pg.Client.prototype, "query"]] as [Record<string, unknown>, string][]) {
  const plain = owner[name] as (...values: unknown[]) => unknown;
  owner[name] = function (this: unknown, ...values: unknown[]) {
    statements += 1;
    return plain.apply(this, values);
  };
}

const service = await testService();
const client = SURFACES.REST!(service);
const { key } = await service.account({ credits: 1_000 });
const own = await belongingsOf(client, key, service);
afterAll(async () => {
  await client.close();
  await service.close();
});

const reads = operations.filter(
  (operation) => isPlainRead(operation) && onlyReadsDatabase(operation) && isOfferedBy(operation, service.config),
);

/** Answers that are made of more than three kinds of record. */
const MOST: Readonly<Record<string, number>> = {
  // The project, its links, what is known of them, and visits to their pages.
  list_links: 4,
  // The project, its link, what is known of sets of links, and visits to the page.
  get_link: 4,
  // The project, its links, what is known of them, and whether crawlers visited them.
  get_report: 4,
  // What was spent by day, credential and person, and by project; whose credentials they are; the members; and the budget.
  get_spend_report: 5,
  // The changes, the members, and the keys and connections that made them.
  list_activity: 4,
};

test.each(reads)(
  "law: $name takes three statements at most, and one for each further kind of record",
  async (operation) => {
    const { clock, db } = service;
    const principal = (await principalOfKey(db, key, clock.now()))!;
    const input = EXAMPLES[operation.name]!.input(own);
    const wanted = { operation, input, audience: "program", principal, requestsToday: 1 } as const;
    const services = { ...service, http: undefined as never };
    // The first call prepares statements; and counts of requests are written once a second.
    const counts: number[] = [];
    for (let run = 0; run < 4; run++) {
      const before = statements;
      await call(services, wanted);
      counts.push(statements - before);
    }
    expect(Math.min(...counts) > 0).toBe(operation.name !== "get_pricing");
    const most = MOST[operation.name];
    if (most === undefined) expect(Math.min(...counts)).toBeLessThanOrEqual(3);
    else expect(Math.min(...counts)).toBe(most);
  },
);
