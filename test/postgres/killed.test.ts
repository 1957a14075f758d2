import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { balanceOf } from "../../src/domain/ledger/ledger.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { testStore } from "../support/database/store.ts";

/** Holds the account's row in a transaction that is never committed, and says so. */
function holding(url: string, accountId: string): string {
  return `const { openDatabase } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
    const { eq } = await import("drizzle-orm");
    const db = await openDatabase(${JSON.stringify(url)});
    await db.tx(async (tx) => {
      const { accounts } = tx.t;
      await tx.q.update(accounts).set({ credits: 7 }).where(eq(accounts.id, ${JSON.stringify(accountId)}));
      console.log("held");
      setInterval(() => {}, 1_000);
      await new Promise(() => {});
    });`;
}

/** How many statements wait for a lock there. */
async function blockedAt(url: string): Promise<number> {
  const rows = await rawQuery<{ pid: number }>(
    url,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

test("a node killed in the middle of a transaction (SIGKILL) leaves nothing of it, and transactions waiting for its row go on", async () => {
  const store = await testStore();
  onTestFinished(() => store.close());
  const accountId = await store.account(100);
  const node = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", holding(store.url, accountId)],
    { cwd: packageRoot, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void node.kill("SIGKILL"));
  await once(node.stdout, "data");

  const { accounts } = store.db.t;
  let isDone = false;
  const waiting = store.db
    .tx(async (tx) => {
      await tx.q.update(accounts).set({ name: "mine" }).where(eq(accounts.id, accountId));
    })
    .finally(() => {
      isDone = true;
    });
  // Its statement has reached the server, and waits there.
  await expect.poll(() => blockedAt(store.url), { timeout: 20_000 }).toBe(1);
  expect(isDone).toBe(false);
  node.kill("SIGKILL");
  await waiting;
  expect(await balanceOf(store.db, accountId)).toBe(100);
  expect(await store.problems()).toEqual([]);
});
