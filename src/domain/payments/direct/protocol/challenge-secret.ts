import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Engine, Reader } from "../../../../../db/engine.ts";

const NAME = "payment_challenge_secret";

/**
 * The secret that signs challenges: one for all processes, created at its first use. The first one that is stored is
 * used.
 */
export async function challengeSecret(db: Engine): Promise<string> {
  const found = await read(db);
  if (found !== null) return found;
  return db.tx(async (tx) => {
    const made = { name: NAME, value: randomBytes(32).toString("base64url") };
    await tx.q.insert(tx.t.meta).values(made).onConflictDoNothing();
    return (await read(tx))!;
  });
}

async function read(db: Reader): Promise<string | null> {
  const { meta } = db.t;
  const [row] = await db.q.select({ value: meta.value }).from(meta).where(eq(meta.name, NAME));
  return row?.value ?? null;
}
