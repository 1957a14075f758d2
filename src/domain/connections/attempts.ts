import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lte } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import { type SecretBox, Unsealable } from "../../platform/secret-box.ts";

/** How long a person may take at Google, in ms. */
const LIFETIME = 30 * MINUTE;

/** What a consent of Google is asked with, and what its answer is checked by. */
export interface Attempt {
  /** The code verifier of RFC 7636. */
  readonly verifier: string;
  readonly nonce: string;
  /** Whether sitemaps were to be handed over, too. */
  readonly withSitemaps: boolean;
}

/** The browser that asks. */
interface Asker {
  readonly accountId: string;
  readonly sessionId: string;
  readonly now: number;
}

/**
 * Begins a consent. Its `state` holds the attempt, sealed for this session, so that no other browser and no other account can
 * answer it; the stored hash lets it be answered once.
 */
export async function beginAttempt(
  tx: Tx,
  box: SecretBox,
  { accountId, sessionId, now, withSitemaps }: Asker & { readonly withSitemaps: boolean },
): Promise<{ state: string; attempt: Attempt }> {
  const attempt = { verifier: newText(), nonce: newText(), withSitemaps };
  const state = box.seal(JSON.stringify(attempt), fieldOf(sessionId));
  await tx.q.insert(tx.t.connectionAttempts).values({ hash: hashOf(state), accountId, expiresAt: now + LIFETIME });
  return { state, attempt };
}

/** Uses an attempt. @returns null: it was used before, is too old, or is not of this session */
export async function takeAttempt(
  tx: Tx,
  box: SecretBox,
  { accountId, sessionId, now, state }: Asker & { readonly state: string },
): Promise<Attempt | null> {
  const { connectionAttempts: attempts } = tx.t;
  const isIts = and(eq(attempts.hash, hashOf(state)), eq(attempts.accountId, accountId), gt(attempts.expiresAt, now));
  const opened = open(box, state, sessionId);
  if (opened === null) return null;
  const taken = await tx.q.delete(attempts).where(isIts).returning();
  return taken.length === 1 ? opened : null;
}

/** Deletes attempts that nobody has answered; runs every hour. */
export async function purgeAttempts(db: Engine, now: number): Promise<void> {
  await db.tx(async ({ q, t: { connectionAttempts } }) => {
    await q.delete(connectionAttempts).where(lte(connectionAttempts.expiresAt, now));
  });
}

function open(box: SecretBox, state: string, sessionId: string): Attempt | null {
  try {
    return JSON.parse(box.open(state, fieldOf(sessionId)));
  } catch (thrown) {
    if (thrown instanceof Unsealable) return null;
    throw thrown;
  }
}

function fieldOf(sessionId: string) {
  return { table: "sessions", row: sessionId, column: "consent of Google" };
}

/** 43 characters, the least that RFC 7636 section 4.1 allows. */
function newText(): string {
  return randomBytes(32).toString("base64url");
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}
