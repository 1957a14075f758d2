import { createHash } from "node:crypto";
import { BeckonError } from "../error.ts";
import { newIdempotencyKey } from "../transport.ts";
import type { Context } from "./command.ts";

/** The service keeps a key for a day. */
const DAY = 24 * 60 * 60 * 1_000;

/** After these it is not known whether the call was carried out. */
const UNKNOWN = ["no_answer", "timeout", "unavailable", "internal", "idempotency_in_flight"];

/**
 * Makes a call that spends. Its key is stored before the call and deleted once the outcome is known: whoever is interrupted and
 * runs the same command again within a day goes on with the same key, and nothing is spent twice.
 */
export async function callOnce<T>(
  { store, client }: Pick<Context, "store" | "client">,
  [operation, input]: readonly [string, object],
  work: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const digest = createHash("sha256")
    .update(JSON.stringify([client.origin, operation, input]))
    .digest("hex");
  const now = Date.now();
  const key = await orUnstored(
    store.change(async (stored) => {
      const fresh = Object.entries(stored.pending ?? {}).filter(([, { at }]) => now - at < DAY);
      const pending = Object.fromEntries(fresh);
      const { key } = pending[digest] ?? { key: newIdempotencyKey() };
      return { stored: { ...stored, pending: { ...pending, [digest]: { key, at: now } } }, result: key };
    }),
  );
  if (key === null) return work(newIdempotencyKey());
  const forget = () =>
    store.change(async (stored) => {
      const { [digest]: _, ...pending } = stored.pending ?? {};
      return { stored: { ...stored, pending }, result: undefined };
    });
  try {
    const answer = await work(key);
    await forget();
    return answer;
  } catch (thrown) {
    if (thrown instanceof BeckonError && !UNKNOWN.includes(thrown.code)) await forget();
    throw thrown;
  }
}

/** Null where nothing can be stored, as in a container whose files cannot be written: the call is made all the same. */
function orUnstored<T>(change: Promise<T>): Promise<T | null> {
  return change.catch((thrown) => {
    if (["EACCES", "EPERM", "EROFS", "ENOENT"].includes(thrown.code)) return null;
    throw thrown;
  });
}
