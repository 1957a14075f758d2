import { and, eq } from "drizzle-orm";
import type { Engine } from "../../db/engine.ts";
import { MINUTE } from "../clock.ts";
import { Refusal } from "../errors.ts";
import { LIMITS } from "./table.ts";

/** Limits of single operations, counted per account in the database: exact over all processes. */
export type OperationLimit = "sitemap_reads" | "site_checks";

const LENGTHS = { "10 minutes": 10 * MINUTE } as const;

/**
 * Counts one call in the fixed window that `now` (real time) lies in. A refused call is not counted.
 * @throws Refusal rate_limited, with Retry-After
 */
export async function takeInWindow(db: Engine, accountId: string, name: OperationLimit, now: number): Promise<void> {
  const limit = LIMITS[name];
  const length = LENGTHS[limit.window];
  const window = Math.floor(now / length);
  await db.tx(async (tx) => {
    const { windows } = tx.t;
    const mine = and(eq(windows.accountId, accountId), eq(windows.name, name));
    const [row] = await tx.q.select().from(windows).where(mine);
    const count = row?.window === window ? row.count : 0;
    if (count >= limit.count) {
      const seconds = Math.ceil(((window + 1) * length - now) / 1000);
      throw new Refusal(
        "rate_limited",
        `${limit.sentence} Try again in ${seconds} s.`,
        {},
        { "Retry-After": String(seconds) },
      );
    }
    const values = { accountId, name, window, count: count + 1 };
    const set = { window, count: count + 1 };
    await tx.q
      .insert(windows)
      .values(values)
      .onConflictDoUpdate({ target: [windows.accountId, windows.name], set });
  });
}
