import type { Tx } from "../../db/engine.ts";
import { type Change, recordSecurityEvent } from "../domain/security-log/security-log.ts";
import { doerOf } from "../platform/principal.ts";
import { type CallContext, callerOf } from "./context.ts";

/** Writes to the activity of the account what an operation has changed, and who called it. */
export async function recordChange(
  tx: Tx,
  ctx: CallContext<never> | CallContext,
  change: { readonly kind: Change; readonly subject: string; readonly target?: string },
): Promise<void> {
  const caller = callerOf(ctx);
  const now = ctx.clock.now();
  await recordSecurityEvent(tx, { accountId: caller.accountId, ...doerOf(caller), ...change, now });
}
