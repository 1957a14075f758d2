import { budgetOf, setLimits } from "../../../domain/spending/budgets.ts";
import type { Session } from "../../../domain/users/sessions.ts";
import { hasRight } from "../../../platform/roles.ts";

type Tx = Parameters<typeof setLimits>[0];
type Terms = Parameters<typeof setLimits>[2];

/** Limits what an app or agent may spend. Limits that it has already are changed by those alone who may change them. */
export async function setFirstLimits(
  tx: Tx,
  { accountId, role }: Session,
  { holder, terms }: { readonly holder: string; readonly terms: Terms },
): Promise<void> {
  if (!hasRight(role, "keys") && (await budgetOf(tx, { accountId, holder }))) return;
  await setLimits(tx, { accountId, holder }, terms);
}
