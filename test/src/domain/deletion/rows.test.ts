import { count, eq, getTableColumns } from "drizzle-orm";
import { expect, test } from "vitest";
import { deleteAtOnce, deleteInBatches, FATES } from "../../../../src/domain/deletion/rows.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { pages } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { giveFactors } from "../../../support/website/factors.ts";
import { testUsers } from "../../../support/website/test-users.ts";

const t = eachTest(testUsers);
const EMAIL = "ann_%@example.com";
/** Stands in every text of the account's rows. */
const PRIVATE = "very private";

type Name = keyof typeof FATES;

const NAMES = Object.keys(FATES) as Name[];
const going = NAMES.filter((name) => !["stays", "with_person"].includes(FATES[name].fate));

async function rowsOf(name: Name) {
  const { db } = t.store;
  return db.q.select().from(db.t[name] as (typeof db.t)["usage"]);
}

/** A row of a table, with a value of the right kind in every column. @param own values that are not arbitrary */
function rowOf(name: Name, own: Readonly<Record<string, unknown>>) {
  const columns = Object.entries(getTableColumns(t.store.db.t[name] as never)) as [string, { dataType: string }][];
  const values: Readonly<Record<string, unknown>> = {
    string: `${PRIVATE} ${name}`,
    number: 1,
    boolean: true,
    buffer: Buffer.from([1]),
    // On PostgreSQL the kit makes the type of bytes itself.
    custom: Buffer.from([1]),
  };
  // The database numbers the rows of some tables.
  const isNumbered = (column: string, dataType: string) =>
    (column === "id" && dataType === "number") || ((name === "watches" || name === "namedPages") && column === "no");
  const given = columns.filter(([column, { dataType }]) => column in own || !isNumbered(column, dataType));
  return Object.fromEntries(
    given.map(([column, { dataType }]) => [column, column in own ? own[column] : values[dataType]]),
  );
}

/** Fills every table whose rows go with rows of an account. */
async function fill(accountId: string): Promise<void> {
  const { db, clock } = t.store;
  const urls = pages(3).map((url) => `${url}?${PRIVATE.replace(" ", "-")}`);
  await giveFactors(t.store, t.services.secretBox, accountId);
  await t.session(accountId);
  await t.store.index(accountId, urls, { name: PRIVATE, sitemapUrl: `https://example.com/${PRIVATE}.xml` });
  await t.store.index(accountId, urls);
  const checker = testChecker(t.store);
  await checker.until(clock.service() + 5 * DAY);
  const [step] = await db.q.select().from(db.t.steps);
  const add = (name: Name, own: Readonly<Record<string, unknown>>) =>
    db.tx((tx) => tx.q.insert(tx.t[name] as never).values(rowOf(name, own) as never));
  await add("calls", { stepId: step!.id });
  await add("bingChecks", { projectNo: step!.projectNo, stage: "day_4", result: "indexed" });
  await add("experiments", { accountId, projectNo: step!.projectNo });
  await add("tasks", { accountId, state: "completed", projectNo: null });
  await add("webhookDeliveries", { accountId, status: "pending" });
  await add("grants", { accountId, id: "grt_ann" });
  for (const name of ["accessTokens", "refreshTokens"] as const) await add(name, { grantId: "grt_ann" });
  await add("registrations", { id: "reg_2", email: "else@example.com", grantId: "grt_ann" });
  for (const subject of [accountId, `${accountId} x`]) await add("windows", { subject });
  for (const name of going) if ((await ownRows(name, accountId)) === 0) await add(name, { accountId });
}

async function ownRows(name: Name, accountId: string): Promise<number> {
  const { db } = t.store;
  const table = db.t[name] as (typeof db.t)["usage"];
  if (!("accountId" in table)) return (await rowsOf(name)).length;
  const [row] = await db.q.select({ count: count() }).from(table).where(eq(table.accountId, accountId));
  return row!.count;
}

test("law: of every table that has rows of the account, all of these go, and none of another account", async () => {
  const { db } = t.store;
  const [id, other] = [await t.member(EMAIL), await t.member("bob@example.com")];
  await db.tx((tx) => bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], now: t.store.clock.now() }));
  await fill(id);
  for (const name of going) expect(await ownRows(name, id), name).toBeGreaterThan(0);
  await t.session(other);
  const kept = { subject: "ann_x@example.com", name: "sign_ups", window: 1, count: 1 };
  await db.tx((tx) => tx.q.insert(tx.t.windows).values(kept));

  await db.tx((tx) => deleteAtOnce(tx, id));
  while (await db.tx((tx) => deleteInBatches(tx, id)));
  for (const name of going) {
    const rows = await rowsOf(name);
    const expected = { members: 1, sessions: 1, windows: 1 }[name as "sessions"] ?? 0;
    expect(rows, name).toHaveLength(expected);
  }
  const left = JSON.stringify(await Promise.all(NAMES.map(rowsOf)));
  expect(left).not.toContain(PRIVATE);
  expect(left.split(EMAIL)).toHaveLength(1 + 1);
});
