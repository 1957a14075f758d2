import type { Engine } from "../../db/engine.ts";
import { refuseDisabled } from "../domain/ledger/disabled.ts";
import { dailyLimitRefusal, usageOf } from "../domain/limits/day.ts";
import { isPaid } from "../domain/payments/orders/orders.ts";
import { askAt, type Config } from "../platform/config/config.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { LIMITS } from "../platform/limits.ts";
import type { Principal } from "../platform/principal.ts";
import { type AnyOperation, maySpend } from "./operation.ts";

interface Services {
  readonly db: Engine;
  readonly config: Config;
}

/**
 * Refuses what may spend to an account that the operator has disabled, and what needs a paid order to one that has none.
 * @throws Refusal spending_limit, payment_required
 */
export async function refuseUnableToSpend(
  { db, config }: Services,
  operation: AnyOperation,
  principal: Principal | null,
): Promise<void> {
  const { access } = operation;
  if (principal && maySpend(operation)) await refuseDisabled(db, principal.accountId);
  if (access.kind !== "scope" || !access.paid || (await isPaid(db, principal!.accountId))) return;
  const how = config.isSelling
    ? "an account that has bought credits at least once. Buy a pack"
    : `an account that was granted credits. Ask for them at ${askAt(config)}`;
  throw new Refusal("payment_required", `Indexing and checking need ${how}, then repeat the call.`);
}

/** @throws Refusal rate_limited */
export async function refuseOverDailySubmissions(
  { db }: Pick<Services, "db">,
  { accountId }: Principal,
  now: number,
): Promise<void> {
  const { submissions } = await usageOf(db, accountId, now);
  if (submissions >= LIMITS.submissions_per_day.count) throw dailyLimitRefusal("submissions_per_day", now);
}
