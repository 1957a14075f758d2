import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine, StepRow } from "../../db/engine.ts";
import { reopenDatabase } from "../../db/open.ts";
import { acquireKey, type KeyLease } from "../../src/domain/calls/idempotency-keys.ts";
import { settleLinks } from "../../src/domain/projects/settle.ts";
import { pages, testStore } from "../support/database/store.ts";
import { eachTest } from "../support/service/each-test.ts";

/** At REPEATABLE READ the server does not check what was read: two transactions that exclude each other have to change one row both. */
const store = eachTest(testStore);
let nodes: readonly [Engine, Engine];
beforeEach(async () => {
  nodes = await Promise.all([reopenDatabase(store.url, {}), reopenDatabase(store.url, {})]);
});
afterEach(async () => {
  for (const node of nodes) await node.close();
});

/** A barrier where `count` callers wait for each other, once; later ones pass. */
function barrierOf(count: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    count -= 1;
    if (count <= 0) open();
    return opened;
  };
}

test("law: of two nodes that end the last two steps of a project at the same time, one completes it", async () => {
  const project = await store.index(await store.account(1_000), pages(501));
  const { steps } = store.db.t;
  const [one, two] = await store.db.q.select().from(steps).where(eq(steps.projectNo, project.no));
  const barrier = barrierOf(2);
  const end = (node: Engine, { id }: StepRow) =>
    node.tx(
      async (tx) => {
        await tx.q.delete(steps).where(eq(steps.id, id));
        await barrier();
        const times = { service: store.clock.service(), now: store.clock.now() };
        await settleLinks(tx, project, [], { source: "test", times, mayComplete: true });
      },
      { isolation: "repeatable read" },
    );
  await Promise.all([end(nodes[0], one!), end(nodes[1], two!)]);
  expect(await store.reload(project)).toMatchObject({ status: "completed", completedAt: store.clock.service() });
});

test("law: of many calls with one key on all nodes, one acquires it, also after the first has died", async () => {
  const accountId = await store.account(0);
  const key = { accountId, operation: "submit_urls", key: "k" };
  const race = async (now: number) => {
    const claims = Array.from({ length: 12 }, (_, index) => acquireKey(nodes[index % 2]!, key, "hash", now));
    const won = (await Promise.allSettled(claims)).filter((one) => one.status === "fulfilled");
    expect(won).toHaveLength(1);
    return (won[0] as PromiseFulfilledResult<KeyLease>).value.owner;
  };
  const now = store.clock.now();
  const first = await race(now);
  await expect(acquireKey(nodes[0], key, "hash", now + 60_000)).rejects.toMatchObject({
    code: "idempotency_in_flight",
  });
  expect(await race(now + 6 * 60_000)).not.toBe(first);
});

test("law: two nodes that have read the same balance cannot both spend it", async () => {
  const account = await store.account(10);
  const barrier = barrierOf(2);
  const { accounts } = store.db.t;
  const spend = (node: Engine) =>
    node.tx(
      async (tx) => {
        const [row] = await tx.q.select().from(accounts).where(eq(accounts.id, account));
        await barrier();
        if (row!.credits < 10) return false;
        await tx.q
          .update(accounts)
          .set({ credits: row!.credits - 10 })
          .where(eq(accounts.id, account));
        return true;
      },
      { isolation: "repeatable read" },
    );
  expect((await Promise.all(nodes.map(spend))).sort()).toEqual([false, true]);
});
