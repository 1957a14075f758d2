import { and, eq, inArray, isNotNull, isNull, lte } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";

/** For how long after its use a refresh token still leads to its successor. */
export interface Overlap {
  /** 0: any second use is a reuse. */
  readonly ms: number;
  /** Seals the successors meanwhile. */
  readonly box: SecretBox;
}

type RefreshTokenRow = Reader["t"]["refreshTokens"]["$inferSelect"];

/**
 * Marks a refresh token as used, and keeps its successor for the overlap. Only one of several simultaneous calls succeeds, so
 * that a token has one successor.
 */
export async function succeed(
  tx: Tx,
  hash: string,
  { successor, overlap, now }: { successor: string; overlap: Overlap; now: number },
): Promise<boolean> {
  const { refreshTokens } = tx.t;
  const sealedSuccessor = overlap.ms > 0 ? overlap.box.seal(successor, fieldOf(hash)) : null;
  const used = await tx.q
    .update(refreshTokens)
    .set({ usedAt: now, sealedSuccessor })
    .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.usedAt)))
    .returning();
  return used.length === 1;
}

/** The successor of a used token within the overlap; null after it. @throws Unsealable */
export function successorOf(
  { hash, usedAt, sealedSuccessor }: RefreshTokenRow,
  { ms, box }: Overlap,
  now: number,
): string | null {
  const isOver = usedAt === null || sealedSuccessor === null || usedAt + ms <= now;
  return isOver ? null : box.open(sealedSuccessor, fieldOf(hash));
}

/** Most rows that one transaction changes. */
const BATCH = 500;

/** Forgets the successors of tokens that were used until then. */
export async function forgetSuccessors(db: Engine, usedUntil: number): Promise<void> {
  const { refreshTokens } = db.t;
  const isOver = and(isNotNull(refreshTokens.sealedSuccessor), lte(refreshTokens.usedAt, usedUntil));
  for (;;) {
    const rows = await db.q.select({ hash: refreshTokens.hash }).from(refreshTokens).where(isOver).limit(BATCH);
    if (rows.length === 0) return;
    const hashes = rows.map(({ hash }) => hash);
    await db.tx((tx) =>
      tx.q.update(refreshTokens).set({ sealedSuccessor: null }).where(inArray(refreshTokens.hash, hashes)),
    );
  }
}

function fieldOf(hash: string): SealedField {
  return { table: "refresh_tokens", row: hash, column: "sealed_successor" };
}
